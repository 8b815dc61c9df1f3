/** The questions before many hunks are decided at once, where some of them want a look of their own. Pure. */
import { listed } from '../../lib/count.ts';
import type { HunkWarning } from '../../protocol/review.ts';

/** A hunk that is about to be decided on with others, and what is known of it. */
interface Decidable {
  readonly file: string;
  readonly warnings: readonly Pick<HunkWarning, 'kind'>[];
}

/** The files among `hunks` that run by themselves, each once. */
export const filesThatRun = (hunks: readonly Decidable[]) => filesWith('runs', hunks);

/** The files among `hunks` with changes that may be the user's, each once. */
export const filesUnsure = (hunks: readonly Decidable[]) => filesWith('unsure', hunks);

function filesWith(wanted: HunkWarning['kind'], hunks: readonly Decidable[]): readonly string[] {
  const found = hunks.filter(({ warnings }) => warnings.some(({ kind }) => kind === wanted));
  return [...new Set(found.map(({ file }) => file))];
}

/** Files that a question names; it counts the rest. */
const ASKED_MAX_FILES = 8;

function namedOnes(files: readonly string[]): string {
  const named = files.slice(0, ASKED_MAX_FILES);
  const left = files.length - named.length;
  const all = left > 0 ? [...named, `${left} more`] : named;
  return listed(all);
}

/** The question before they are accepted with all the others: `.envrc and Makefile run by themselves.` */
export const runningWords = (files: readonly string[]) =>
  `${namedOnes(files)} ${files.length === 1 ? 'runs by itself' : 'run by themselves'}.`;

/** The question before they are rejected with all the others. */
export const unsureWords = (files: readonly string[]) => `Changes of ${namedOnes(files)} may be yours.`;

/** At each of these changes. */
export const UNSURE_WARNING: HunkWarning = {
  kind: 'unsure',
  text: 'This may be yours: it is not known whether the AI wrote it',
};

/** The fallback when that was refused. */
export const ACCEPT_RUNNING_HINT =
  'Look at them and accept them by name, or confirm them all: --accept-self-running, over HTTP accept_self_running.';
export const REJECT_UNSURE_HINT =
  'Look at them and reject them by name, or confirm them all: --reject-unsure, over HTTP reject_unsure.';
