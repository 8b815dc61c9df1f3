/** Restores line ends that a record has lost, if the file on disk proves them. Pure. */
import { CR } from '../../review/core/bytes.ts';
import { chainEdits } from './chain-edits.ts';
import { exactBytes, sameText } from './file-text.ts';
import type { FileChain, FileText, RecordedTurn, TurnEdit } from './turn-edits.ts';

/** Files whose text on disk could prove the line ends of the newest edits: absolute paths. */
export function unprovenFiles(turns: readonly RecordedTurn[]): readonly string[] {
  return chainsOf(turns).flatMap((chain) => (isUnproven(chain) ? [chain.path] : []));
}

/**
 * The turns, oldest first and up to the newest, with bytes instead of normalised texts where `disk` proves them: the
 * file is still what the last edit left and has no CR. If the AI CLI preserves CRs (`keepsCr`), the file had none
 * before either; otherwise only the last text is proven.
 */
export function settleEnds(
  turns: readonly RecordedTurn[],
  disk: ReadonlyMap<string, Uint8Array>,
  keepsCr: boolean,
): readonly RecordedTurn[] {
  const settled = new Map<number, TurnEdit>();
  for (const chain of chainsOf(turns)) {
    const now = disk.get(chain.path);
    if (now === undefined || !isUnproven(chain) || !sameText({ bytes: now }, chain.after)) continue;
    // Between two edits the file may have had other line ends.
    if (keepsCr && chain.breaks.length === 0 && !now.includes(CR))
      for (const edit of chain.edits) settled.set(edit.order, asBytes(edit));
    else {
      const last = chain.edits.at(-1);
      if (last !== undefined) settled.set(last.order, { ...last, after: { bytes: now } });
    }
  }
  let order = 0;
  return turns.map((turn) => {
    const edits = inOrder(turn).map((edit) => ({ ...(settled.get(order++) ?? edit), order: edit.order }));
    return { ...turn, edits };
  });
}

type Unproven = FileChain & { readonly after: FileText };

function isUnproven(chain: FileChain): chain is Unproven {
  return chain.after !== undefined && 'normalised' in chain.after;
}

/** Numbered across all turns, as `settleEnds` counts them. */
function chainsOf(turns: readonly RecordedTurn[]): readonly FileChain[] {
  return chainEdits(turns.flatMap(inOrder).map((edit, order) => ({ ...edit, order })));
}

const inOrder = ({ edits }: RecordedTurn) => [...edits].sort((a, b) => a.order - b.order);

function asBytes(edit: TurnEdit): TurnEdit {
  const { before, after } = edit;
  return {
    ...edit,
    ...(before === undefined ? {} : { before: lfBytes(before) }),
    ...(after === undefined ? {} : { after: lfBytes(after) }),
    lineEnds: 'exact',
  };
}

function lfBytes(side: FileText): FileText {
  return 'bytes' in side ? side : (exactBytes(new TextEncoder().encode(side.text)) ?? side);
}
