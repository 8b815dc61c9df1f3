/** The diff of two responses, with word marks up to a bound (`marked`). */
import { pairLines } from '../../lib/line-pairs.ts';
import { alignSequences, type Edit, editScript, Interner } from '../../lib/sequence-diff.ts';
import { type MarkedRange, WordMarker } from '../../lib/word-marks.ts';

/** Most words compared in a diff; beyond that there are no marks. */
export const MARKS_MAX_TOKENS = 100_000;

interface ResponseDiffRow {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  /** Line in the earlier response, from 0; null for an added one. */
  readonly before: number | null;
  /** Line in the later response, from 0; null for a removed one. */
  readonly after: number | null;
  readonly marks: readonly MarkedRange[];
}

export interface ResponseDiff {
  readonly rows: readonly ResponseDiffRow[];
  readonly added: number;
  readonly removed: number;
  /** False if there were too many words to compare all edited lines. */
  readonly marked: boolean;
}

/** From `before` to `after`; removed lines come before the added ones that replace them. */
export function diffResponses(before: string, after: string): ResponseDiff {
  const [a, b] = [linesOf(before), linesOf(after)];
  const interner = new Interner();
  const [aIds, bIds] = [interner.idsOf(a), interner.idsOf(b)];
  const script = editScript(a.length, b.length, alignSequences(aIds, bIds));
  const marker = new WordMarker(MARKS_MAX_TOKENS);
  const marks = new Map<Edit, readonly MarkedRange[]>();
  for (const [removed, added] of editedPairs(script, a, b)) {
    const ranges = marker.mark(a[removed.a] ?? '', b[added.b] ?? '');
    marks.set(removed, ranges.before);
    marks.set(added, ranges.after);
  }
  const rows = script.map((edit): ResponseDiffRow => {
    const text = (edit.kind === 'added' ? b[edit.b] : a[edit.a]) ?? '';
    return {
      kind: edit.kind,
      text,
      before: edit.kind === 'added' ? null : edit.a,
      after: edit.kind === 'removed' ? null : edit.b,
      marks: marks.get(edit) ?? [],
    };
  });
  const count = (kind: Edit['kind']) => script.reduce((sum, edit) => sum + Number(edit.kind === kind), 0);
  return { rows, added: count('added'), removed: count('removed'), marked: !marker.isSpent };
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'));

/** Edited lines, before and after. */
function editedPairs(
  script: readonly Edit[],
  before: readonly string[],
  after: readonly string[],
): readonly (readonly [removed: Edit, added: Edit])[] {
  const pairs: [Edit, Edit][] = [];
  let [removed, added]: [Edit[], Edit[]] = [[], []];
  const flush = (): void => {
    const partners = pairLines(
      removed.map(({ a }) => before[a] ?? ''),
      added.map(({ b }) => after[b] ?? ''),
    );
    removed.forEach((edit, at) => {
      const partner = added[partners[at] ?? -1];
      if (partner !== undefined) pairs.push([edit, partner]);
    });
    [removed, added] = [[], []];
  };
  for (const edit of script) {
    if (edit.kind === 'removed') removed.push(edit);
    else if (edit.kind === 'added') added.push(edit);
    else flush();
  }
  flush();
  return pairs;
}
