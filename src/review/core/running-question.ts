/** The question before files that run by themselves are accepted with all the others. Pure; knows no list of names. */

/** A file that is about to be accepted with others, and what is known of it. */
interface Acceptable {
  readonly file: string;
  readonly warnings: readonly { readonly kind: string }[];
}

/** The files among `hunks` that run by themselves, each once. */
export function filesThatRun(hunks: readonly Acceptable[]): readonly string[] {
  const running = hunks.filter(({ warnings }) => warnings.some(({ kind }) => kind === 'runs'));
  return [...new Set(running.map(({ file }) => file))];
}

/** Files that a question names; it counts the rest. */
const ASKED_MAX_FILES = 8;

/** The question before they are accepted with all the others: `.envrc and Makefile run by themselves.` */
export function runningWords(files: readonly string[]): string {
  const named = files.slice(0, ASKED_MAX_FILES);
  const left = files.length - named.length;
  const all = left > 0 ? [...named, `${left} more`] : named;
  const list = all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
  return `${list} ${files.length === 1 ? 'runs' : 'run'} by ${files.length === 1 ? 'itself' : 'themselves'}.`;
}

/** The fallback when that was refused. */
export const ACCEPT_RUNNING_HINT =
  'Look at them and accept them by name, or confirm them all: --accept-self-running, over HTTP accept_self_running.';
