/** Shows a plan as text. Pure. */

import { alignSequences, type Edit, editScript, Interner } from '../../lib/sequence-diff.ts';
import type { FileChange, InitPlan } from './run.ts';

/** Every change with its purpose and diff. */
export function showPlan(plan: InitPlan, home: string): string {
  return plan.changes.map((change) => showChange(change, home)).join('\n');
}

function showChange(change: FileChange, home: string): string {
  const about = change.about.map((line) => `  ${line}`);
  return `${[headOf(change, home), ...about, ...bodyOf(change)].join('\n')}\n`;
}

function headOf(change: FileChange, home: string): string {
  if (change.kind === 'link') return tilde(change.file, home);
  const { file, real, text } = change.found;
  const fate = change.after === null ? ' (goes away)' : text === null ? ' (new)' : '';
  const place = real === file ? '' : ` → ${tilde(real, home)}`;
  return `${tilde(file, home)}${place}${fate}`;
}

function bodyOf(change: FileChange): readonly string[] {
  if (change.kind === 'file') return linesDiff(change.found.text, change.after);
  const lines = [];
  if (change.before !== null) lines.push(`- link to ${change.before}`);
  if (change.after !== null) lines.push(`+ link to ${change.after}`);
  return lines;
}

/** A path with `~` for the home folder. */
function tilde(file: string, home: string): string {
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;
}

/** Unchanged lines shown on each side of a change. */
const CONTEXT_LINES = 2;

function linesDiff(before: string | null, after: string | null): readonly string[] {
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
