/** A readable diff of an edit: `+` and `-` lines with a little context. Pure. */
import { alignSequences, type Edit, editScript, Interner } from '../../../lib/sequence-diff.ts';

/** Unchanged lines shown on each side of a change. */
const CONTEXT_LINES = 2;

/** The diff from `before` to `after`; null means no file. */
export function linesDiff(before: string | null, after: string | null): readonly string[] {
  const [old, next] = [linesOf(before), linesOf(after)];
  const interner = new Interner();
  const script = editScript(
    old.length,
    next.length,
    alignSequences(interner.idsOf(old), interner.idsOf(next)),
  );
  const shown = script.map((_, index) => isNearChange(script, index));
  return script.flatMap((edit, index) => {
    if (shown[index] === true) return [lineOf(edit, old, next)];
    return shown[index - 1] === true || (index === 0 && script.length > 0) ? ['  …'] : [];
  });
}

function linesOf(text: string | null): readonly string[] {
  if (text === null || text === '') return [];
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function isNearChange(script: readonly Edit[], index: number): boolean {
  const near = script.slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1);
  return near.some(({ kind }) => kind !== 'same');
}

function lineOf(edit: Edit, old: readonly string[], next: readonly string[]): string {
  if (edit.kind === 'added') return `+ ${next[edit.b] ?? ''}`;
  return `${edit.kind === 'removed' ? '-' : ' '} ${old[edit.a] ?? ''}`;
}
