/** Shows a plan as text. Pure. */
import { linesDiff } from './edit/lines-diff.ts';
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
