/** What turns changed according to their session file: one difference for each file, and who made each hunk. */
import { chainEdits } from './chain-edits.ts';
import { countLines, hunksOf } from './change-hunks.ts';
import { bytesOfLines, exactBytes, isBinary, linesOf } from './file-text.ts';
import { KnownLines, type ScriptLine, scriptBetween } from './known-lines.ts';
import {
  type FileChain,
  type FileChange,
  type FileText,
  type HunkOrigin,
  LOST_WORDS,
  type RecordedTurn,
  type TurnChanges,
  type TurnEdit,
} from './turn-edits.ts';

const NORMALISED_WHY = 'the session file has LF in place of the line ends that are on disk';
const GAP_WHY =
  'the file was changed between two edits of this turn by something that the session file does not tell';
const OPEN_WHY = 'the session file holds only a part of what the edits replaced';

/** The changes of these turns, oldest first, as one difference for each file. Rewound turns are left out. */
export function turnChanges(turns: readonly RecordedTurn[]): TurnChanges {
  const kept = turns.filter(({ rewound }) => !rewound);
  const edits = renumbered(kept);
  const files = chainEdits(edits).flatMap((chain) => fileChange(chain) ?? []);
  const { added, removed } = countLines(files.flatMap(({ hunks }) => hunks));
  const sources = new Set(files.length === 0 ? [] : edits.map(({ source }) => source));
  const unknown = unknownWhy(kept);
  return { files, added, removed, sources: [...sources], ...(unknown === null ? {} : { unknown }) };
}

function renumbered(turns: readonly RecordedTurn[]): readonly TurnEdit[] {
  const sorted = turns.flatMap(({ edits }) => [...edits].sort((a, b) => a.order - b.order));
  return sorted.map((edit, order) => ({ ...edit, order }));
}

/** Changes that no session file records: those of commands and interrupted calls, unless the AI CLI keeps trees. */
function unknownWhy(turns: readonly RecordedTurn[]): string | null {
  const ran = turns.flatMap(({ commands }) => commands.filter(({ outcome }) => outcome !== 'refused'));
  const isSeen = turns.some(({ edits }) => edits.some(({ source }) => source === 'step-tree'));
  if (isSeen) return null;
  const tried = turns.flatMap(({ edits }) => edits).filter(({ outcome }) => outcome === 'unknown');
  const names = [...new Set(tried.map(({ path }) => path.split('/').at(-1)))];
  const many = ran.length === 1 ? 'a command' : `${ran.length} commands`;
  const reasons = [
    ...(names.length === 0
      ? []
      : [`the session file does not say whether an edit of ${names.join(', ')} was made`]),
    ...(ran.length === 0
      ? []
      : [`the AI ran ${many}, and what a command changes is not in the session file`]),
  ];
  return reasons.length === 0 ? null : reasons.join('; ');
}

function fileChange(chain: FileChain): FileChange | null {
  if (chain.kind === null) return null;
  const lines = follow(chain);
  const before = chain.before ?? wholeSide(lines?.before() ?? null, hasBefore(chain));
  const after = chain.after ?? wholeSide(lines?.now() ?? null, chain.kind !== 'delete');
  const binary = isBinary(before) || isBinary(after);
  const script = binary ? [] : scriptOf(chain, { before, after, lines });
  const hunks = hunksOf(script ?? []);
  if (hunks.length === 0 && chain.kind === 'edit' && script !== null && !binary) return null;
  const why = script === null ? lostWhy(chain) : inexactWhy(chain, before, after);
  return {
    path: chain.path,
    ...(chain.movedFrom === undefined ? {} : { movedFrom: chain.movedFrom }),
    kind: chain.kind,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    hunks,
    ...(hunks.length === 0 && { wholeBy: authorsOf(chain) }),
    exact: why === null,
    ...(why === null ? {} : { why }),
    binary,
  };
}

/** The authors of the edits, and of changes between them. */
const authorsOf = ({ edits, breaks }: FileChain): readonly HunkOrigin[] => [
  ...new Set([...edits.map(({ by }) => by), ...breaks.map(() => 'unknown' as const)]),
];

const hasBefore = ({ kind }: FileChain) => kind !== 'add';

function wholeSide(lines: readonly string[] | null, exists: boolean): FileText | undefined {
  return lines === null || !exists ? undefined : exactBytes(bytesOfLines(lines));
}

/** The file's lines carried through all edits; null if the edits do not fit together. */
function follow({ edits, before, kind }: FileChain): KnownLines | null {
  if (edits.some((edit) => isBinary(edit.before) || isBinary(edit.after))) return null;
  const lines = new KnownLines(kind === 'add' ? [] : before === undefined ? null : linesOf(before));
  return edits.every((edit, at) => carry(lines, edit, at === 0 && edit.before === before)) ? lines : null;
}

function carry(lines: KnownLines, edit: TurnEdit, isKnown: boolean): boolean {
  if (edit.before !== undefined && !isKnown) {
    const found = linesOf(edit.before);
    if (!lines.meet(found) && !lines.become(found, 'unknown')) return false;
  }
  const { by } = edit;
  if (edit.kind === 'delete') return lines.become([], by);
  if (edit.after !== undefined) return lines.become(linesOf(edit.after), by);
  return edit.patch !== undefined && lines.apply(edit.patch, by);
}

interface Sides {
  readonly before: FileText | undefined;
  readonly after: FileText | undefined;
  readonly lines: KnownLines | null;
}

/** The difference; null if unknown. */
function scriptOf(chain: FileChain, { before, after, lines }: Sides): readonly ScriptLine[] | null {
  if (lines !== null) return lines.script();
  const knowsBefore = before !== undefined || !hasBefore(chain);
  const knowsAfter = after !== undefined || chain.kind === 'delete';
  if (!knowsBefore || !knowsAfter) return null;
  const [only = 'unknown', another] = authorsOf(chain);
  const by = another === undefined ? only : 'unknown';
  const all = (side: FileText | undefined) =>
    side === undefined ? [] : linesOf(side).map((text) => ({ text, by }));
  return scriptBetween(all(before), all(after));
}

function lostWhy({ edits, breaks }: FileChain): string {
  const lost = edits.find((edit) => edit.lost !== undefined)?.lost;
  if (lost !== undefined) return LOST_WORDS[lost];
  return breaks.length > 0 ? GAP_WHY : OPEN_WHY;
}

function inexactWhy(
  chain: FileChain,
  before: FileText | undefined,
  after: FileText | undefined,
): string | null {
  const first = chain.edits[0]?.lost;
  if (first === 'before-not-recorded') return LOST_WORDS[first];
  if (chain.edits.some(({ lost }) => lost === 'loose')) return LOST_WORDS.loose;
  const isNormalised = [before, after].some((side) => side !== undefined && 'normalised' in side);
  if (
    isNormalised ||
    chain.edits.some(({ lineEnds }) => lineEnds === 'normalised' && chain.after === undefined)
  )
    return NORMALISED_WHY;
  return null;
}
