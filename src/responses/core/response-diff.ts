/**
 * What changed from one response to the next, line by line, with the words that differ marked inside lines
 * that were edited. Work is bounded: beyond it lines are still right, and the marks are left out (`marked` says so).
 */
import { pairLines } from '../../lib/line-pairs.ts';
import { alignSequences, type Edit, editScript, Interner } from '../../lib/sequence-diff.ts';
import { type MarkedRange, WordMarker } from '../../lib/word-marks.ts';

/** Words compared over the whole diff before marks are left out. */
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
  /** False when the words inside some edited lines were not compared: too many. */
  readonly marked: boolean;
}

/** From `before` to `after`; removed lines stand above the added ones that took their place. */
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

/** Lines that were edited, with what they became. */
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
