/** Finishes a suggestion: commit, push, and its sandbox. A refusal of the sandbox is reported but stops nothing. */

import { fail, ok, type Result } from '../../lib/result.ts';
import { sanitize } from '../../lib/sanitize.ts';
import type { CommandInput, CommandResult } from '../../protocol/command.ts';
import type { Sync } from '../../protocol/intent.ts';
import type { FileReview } from '../core/file-review.ts';
import type { Loaded } from '../records/load-suggestion.ts';
import type { ReviewRecords, StoredSuggestion } from '../records/records.ts';
import { tellProblems } from '../records/report-problems.ts';
import { commitOf, rebaseSandbox } from '../sandboxes/git-sandbox.ts';
import { abandonOwn, abandonPublished, squashOwn } from '../sandboxes/jj-changes.ts';
import { pushAccepted } from '../sandboxes/jj-push.ts';
import type { SandboxRecord } from '../sandboxes/sandbox-store.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import { type SourceFollower, twinOf } from '../sandboxes/source-follower.ts';
import { summarize } from '../showing/describe-suggestion.ts';
import { type Committed, commitAccepted } from '../vcs/commit-accepted.ts';
import { openRepository } from '../vcs/git.ts';
import { findUpstream, pushCommit, type Upstream } from '../vcs/push.ts';
import type { ReviewSettings } from './settings.ts';

export interface FinisherOptions {
  readonly records: ReviewRecords;
  readonly follower: SourceFollower;
  readonly sandboxes: Sandboxes;
  readonly reviews: (loaded: Loaded) => Promise<Result<FileReview[]>>;
  readonly settings: () => ReviewSettings;
}

type Input = CommandInput<'review/finish'>;
type Finished = CommandResult<'review/finish'>;

/** Most files in one sentence. */
const NAMED_MAX = 5;
/** Characters of a jj change id, the most to which jj shortens it. */
const SHORT_LENGTH = 12;

export class Finisher {
  readonly #options: FinisherOptions;

  constructor(options: FinisherOptions) {
    this.#options = options;
  }

  /** Finishes it. If a commit cannot be made or has nowhere to be pushed to, nothing begins. */
  async finish(loaded: Loaded, input: Input): Promise<Result<Finished>> {
    const jj = await this.#jjSandbox(loaded, input.how);
    const pushes = input.push && jj === null;
    // The user may want a commit on every finalize, if possible.
    const isSet = this.#options.settings().commitOnFinalize;
    const commits =
      input.how === 'finalize' && (input.commit || pushes || (isSet && (await canCommit(loaded))));
    const upstream = commits && pushes ? await upstreamOf(loaded.stored.target) : ok(null);
    if (!upstream.ok) return upstream;
    const committed = commits ? await this.#commit(loaded, input) : ok(null);
    if (!committed.ok) return committed;
    const commit = committed.value?.commit ?? null;
    const notes: string[] = [...(committed.value?.notes ?? [])];
    const pushed = await pushAndTell(commit, upstream.value, notes);
    const asked = input.push ? 'push' : commits ? 'commit' : 'keep';
    const sync = isTaken(loaded) ? asked : null;
    const ended = this.#end(loaded, input.how, sync);
    if (!ended.ok) return ended;
    const about = { push: input.push, isCommitted: commit !== null };
    const synced = jj === null ? null : await this.#syncJj(loaded, jj, about, notes);
    const done = await this.#settleSandbox(loaded, input);
    if (done.ok) notes.push(...done.value);
    else notes.push(inWords(done.error));
    tellProblems(this.#options.records, loaded.stored.id, notes);
    return ok({ ...summarize(ended.value), commit, pushed: pushed ?? synced, notes });
  }

  async #commit(
    loaded: Loaded,
    { hooks: asUser, message }: Pick<Input, 'hooks' | 'message'>,
  ): Promise<Result<Committed>> {
    const reviews = await this.#options.reviews(loaded);
    if (!reviews.ok) return reviews;
    const { target: root, description } = loaded.stored;
    // The author's words go into history as shown: a log would send their escapes to the terminal.
    const words = message ?? sanitize(description);
    const isUnwritten = message === null;
    return commitAccepted({ root, message: words, isUnwritten, reviews: reviews.value, asUser });
  }

  async #jjSandbox({ stored }: Loaded, how: Input['how']): Promise<SandboxRecord | null> {
    const folder = how === 'finalize' ? (stored.sandbox ?? null) : null;
    const known = folder === null ? null : await this.#options.sandboxes.findByFolder(folder);
    return known?.kind === 'jj' ? known : null;
  }

  /** Folds the sandbox's change into the target's and pushes it, as configured or asked; returns where it went. */
  async #syncJj(
    loaded: Loaded,
    known: SandboxRecord,
    { push, isCommitted }: { readonly push: boolean; readonly isCommitted: boolean },
    notes: string[],
  ): Promise<string | null> {
    const wanted = push ? 'push' : this.#options.settings().jjFinalize;
    if (wanted === 'none' || !isTaken(loaded)) return null;
    if (this.#hasOthers(loaded)) {
      notes.push('Not squashed: another suggestion from the same sandbox is open.');
      return null;
    }
    const squashed = await squashOwn(known, isCommitted ? null : sanitize(loaded.stored.description));
    if (!squashed.ok) {
      notes.push(`Not squashed: ${inWords(squashed.error)}`);
      return null;
    }
    if (wanted === 'squash') return null;
    const reviews = await this.#options.reviews(loaded);
    const pushed = reviews.ok ? await pushAccepted(loaded.stored.target, reviews.value) : reviews;
    if (pushed.ok) return pushed.value;
    notes.push(`Squashed, but not pushed: ${inWords(pushed.error)}`);
    return null;
  }

  /** Whether the sandbox has another open suggestion, perhaps the next state of the same work. */
  #hasOthers({ stored: { id, sandbox } }: Loaded): boolean {
    const others = this.#options.records.openSuggestions();
    return others.some((one) => one.id !== id && one.sandbox === sandbox);
  }

  #end(loaded: Loaded, how: Input['how'], sync: Sync | null): Result<StoredSuggestion> {
    const stored: StoredSuggestion = {
      ...loaded.stored,
      end: how === 'finalize' ? 'finalized' : 'discarded',
      ...(how === 'finalize' && sync !== null ? { sync } : {}),
      revision: loaded.stored.revision + 1,
    };
    const { records } = this.#options;
    const twin = twinOf(records, stored.id);
    return records.write((writer) => {
      writer.putSuggestion(stored);
      if (twin !== null) writer.putSuggestion({ ...twin, end: stored.end });
      writer.changed(summarize(stored), []);
      return ok(stored);
    });
  }

  async #settleSandbox(loaded: Loaded, { how, sandbox }: Input): Promise<Result<string[]>> {
    const { target } = loaded.stored;
    const folder = loaded.stored.sandbox ?? loaded.stored.source;
    if (sandbox === 'keep') return ok([]);
    const known = await this.#options.sandboxes.findByFolder(folder);
    if (sandbox === 'revert') return this.#revert(loaded, known, how);
    if (sandbox === 'sync' && known?.kind !== 'git') return ok([]);
    if (known === null)
      return fail('refused', `${folder} is not a sandbox made by copane; it stays as it is.`);
    if (sandbox === 'remove') {
      const removed = await this.#options.sandboxes.remove({ target, name: known.name, force: false });
      return removed.ok ? ok([]) : removed;
    }
    if (known.kind === 'jj')
      return fail('refused', `${folder} is a jj workspace; it stays where it is.`, 'jj rebase moves it.');
    const head = await commitOf(target, 'HEAD');
    if (!head.ok) return head;
    const moved = await rebaseSandbox(folder, target, head.value);
    return moved.ok ? ok([]) : moved;
  }

  /** Removes what was not accepted from the sandbox; a discard abandons a jj sandbox's own change. */
  async #revert(loaded: Loaded, known: SandboxRecord | null, how: Input['how']): Promise<Result<string[]>> {
    const isDiscard = how === 'discard';
    const single = jjChangeOf(loaded.stored);
    if (single !== null && isDiscard) return ok(await this.#abandonSingle(loaded, single));
    if (twinOf(this.#options.records, loaded.stored.id) === null)
      return ok(
        isDiscard ? [] : ['Nothing was reverted: it did not come from a sandbox that copane can write to.'],
      );
    if (this.#hasOthers(loaded))
      return ok(isDiscard ? [] : ['The sandbox stays as it is: another suggestion from it is open.']);
    const followed = await this.#options.follower.follow(loaded, { undecided: 'goes' });
    if (!followed.ok || known?.kind !== 'jj' || !isDiscard) return followed;
    const kept = await this.#abandon(known);
    if (kept === null) return followed;
    return ok([...followed.value, `The jj change of ${known.name} is not abandoned: ${kept}`]);
  }

  /** The same for a change published by itself, if it is a sandbox's; any other is the user's to abandon. */
  async #abandonSingle(
    { stored }: Loaded,
    { change, folder }: { readonly change: string; readonly folder: string },
  ): Promise<string[]> {
    const others = this.#options.records.openSuggestions();
    if (others.some(({ id, source }) => id !== stored.id && source === stored.source)) return [];
    const name = change.slice(0, SHORT_LENGTH);
    const known = await this.#options.sandboxes.findByFolder(folder);
    if (known?.kind !== 'jj')
      return [`The jj change ${name} is not a sandbox's; it stays. "jj abandon ${name}" removes it.`];
    if (stored.selected !== null)
      return [`The jj change ${name} is not abandoned: only a part of it was published.`];
    const abandoned = await abandonPublished(known, { change, patch: stored.patch });
    return abandoned.ok ? [] : [`The jj change ${name} is not abandoned: ${inWords(abandoned.error)}`];
  }

  /** Abandons what a jj sandbox worked on; returns why not if anything would be lost. */
  async #abandon(known: SandboxRecord): Promise<string | null> {
    const lost = await this.#options.sandboxes.unpublished(known);
    if (!lost.ok) return lost.error.message;
    const names = lost.value.slice(0, NAMED_MAX).join(', ');
    if (names !== '') return `it has work that was never published: ${names}.`;
    const abandoned = await abandonOwn(known);
    return abandoned.ok ? null : inWords(abandoned.error);
  }
}

/** The change that was published by itself, and its workspace; null for any other source. */
function jjChangeOf({ source, sandbox }: StoredSuggestion): { change: string; folder: string } | null {
  const [, change, folder] = /^jj ([k-z]+) in (.+)$/s.exec(source) ?? [];
  return change === undefined || folder === undefined || (sandbox ?? null) !== null
    ? null
    : { change, folder };
}

/** A refusal and its hint on one line. */
const inWords = ({ message, hint }: { readonly message: string; readonly hint?: string | undefined }) =>
  hint === undefined ? message : `${message} ${hint}`;

const isTaken = ({ changes }: Loaded) =>
  [...changes.values()].some(({ decision }) => decision === 'accepted' || decision === 'modified');

/** Whether something is accepted and the target is in a git repository. */
export async function canCommit(loaded: Loaded): Promise<boolean> {
  const { stored } = loaded;
  return isTaken(loaded) && stored.write !== 'on-save' && (await openRepository(stored.target)).ok;
}

/** The commit already exists: a failed push is reported and can be repeated by hand. */
async function pushAndTell(
  commit: string | null,
  upstream: Upstream | null,
  notes: string[],
): Promise<string | null> {
  if (commit === null || upstream === null) return null;
  const pushed = await pushCommit(commit, upstream);
  if (pushed.ok) return pushed.value;
  notes.push(`Committed, but not pushed: ${pushed.error.message}`);
  return null;
}

async function upstreamOf(target: string): Promise<Result<Upstream>> {
  const repository = await openRepository(target);
  return repository.ok ? findUpstream(repository.value) : repository;
}
