/** The question to ask before deciding on many hunks at once, if some need a separate look. Pure. */
import { listed } from '../../lib/count.ts';
import type { HunkWarning } from '../../protocol/review.ts';

/** One of the hunks to decide on, with its warnings. */
interface Decidable {
  readonly file: string;
  readonly warnings: readonly Pick<HunkWarning, 'kind'>[];
}

/** The files of `hunks` that programs run unasked, each once. */
export const filesThatRun = (hunks: readonly Decidable[]) => filesWith('runs', hunks);

/** The files of `hunks` with changes that may be the user's, each once. */
export const filesUnsure = (hunks: readonly Decidable[]) => filesWith('unsure', hunks);

function filesWith(wanted: HunkWarning['kind'], hunks: readonly Decidable[]): readonly string[] {
  const found = hunks.filter(({ warnings }) => warnings.some(({ kind }) => kind === wanted));
  return [...new Set(found.map(({ file }) => file))];
}

/** A question names this many files and counts the rest. */
const ASKED_MAX_FILES = 8;

function namedOnes(files: readonly string[]): string {
  const named = files.slice(0, ASKED_MAX_FILES);
  const left = files.length - named.length;
  const all = left > 0 ? [...named, `${left} more`] : named;
  return listed(all);
}

/** The question before these files are accepted with the others: `.envrc and Makefile run by themselves.` */
export const runningWords = (files: readonly string[]) =>
  `${namedOnes(files)} ${files.length === 1 ? 'runs by itself' : 'run by themselves'}.`;

/** The question before changes in these files are rejected with the others. */
export const unsureWords = (files: readonly string[]) => `Changes of ${namedOnes(files)} may be yours.`;

/** The warning on each change that may be the user's. */
export const UNSURE_WARNING: HunkWarning = {
  kind: 'unsure',
  text: 'This may be yours: it is not known whether the AI wrote it',
};

/** The hint when an acceptance or rejection was refused for these reasons. */
export const ACCEPT_RUNNING_HINT =
  'Look at them and accept them by name, or confirm them all: --accept-self-running, over HTTP accept_self_running.';
export const REJECT_UNSURE_HINT =
  'Look at them and reject them by name, or confirm them all: --reject-unsure, over HTTP reject_unsure.';
