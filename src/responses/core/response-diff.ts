/**
 * What changed from one response to the next, line by line, with the words that differ marked inside lines
 * that were edited. Work is bounded: beyond it lines are still right, and the marks are left out (`marked` says so).
 */
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
  for (const [removed, added] of editedPairs(script)) {
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

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n');
}

/** In each gap the first removed line with the first added one, and so on. */
function editedPairs(script: readonly Edit[]): readonly (readonly [removed: Edit, added: Edit])[] {
  const pairs: [Edit, Edit][] = [];
  let removed: Edit[] = [];
  let used = 0;
  for (const edit of script) {
    if (edit.kind === 'removed') {
      removed.push(edit);
      continue;
    }
    const partner = removed[used];
    if (edit.kind === 'added' && partner !== undefined) {
      pairs.push([partner, edit]);
      used += 1;
    }
    if (edit.kind === 'same') [removed, used] = [[], 0];
  }
  return pairs;
}
