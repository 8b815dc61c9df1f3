/**
 * The end of a suggestion: what was accepted is committed and pushed, if that was asked for, and its sandbox goes on
 * from there, is rid of what was not wanted, or goes away. What the sandbox does not allow is told, and stops nothing.
 */
import { fail, ok, type Result } from '../lib/result.ts';
import type { CommandInput, CommandResult } from '../protocol/command.ts';
import { commitAccepted } from './commit-accepted.ts';
import type { FileReview } from './core/file-review.ts';
import { summarize } from './describe.ts';
import { openRepository } from './git.ts';
import type { Loaded } from './loaded.ts';
import { findUpstream, pushCommit, type Upstream } from './push.ts';
import type { ReviewRecords, StoredSuggestion } from './records.ts';
import { commitOf, rebaseSandbox } from './sandboxes/git-sandbox.ts';
import { abandonChange, lookAtJjSandbox } from './sandboxes/jj-sandbox.ts';
import type { SandboxRecord } from './sandboxes/sandbox-store.ts';
import type { Sandboxes } from './sandboxes/sandboxes.ts';
import type { ReviewSettings } from './settings.ts';
import { type SourceFollower, twinOf } from './source-follower.ts';
import { tellProblems } from './tell.ts';

export interface FinisherOptions {
  readonly records: ReviewRecords;
  readonly follower: SourceFollower;
  readonly sandboxes: Sandboxes;
  readonly reviews: (loaded: Loaded) => Promise<Result<FileReview[]>>;
  readonly settings: () => ReviewSettings;
}

type Input = CommandInput<'review/finish'>;
type Finished = CommandResult<'review/finish'>;

export class Finisher {
  readonly #options: FinisherOptions;

  constructor(options: FinisherOptions) {
    this.#options = options;
  }

  /** Ends it. A commit that cannot be made, or that has nowhere to be pushed to, stops everything before it begins. */
  async finish(loaded: Loaded, input: Input): Promise<Result<Finished>> {
    const commits = input.how === 'finalize' && (input.commit || input.push || (await this.#isSet(loaded)));
    const upstream = commits && input.push ? await upstreamOf(loaded.stored.target) : ok(null);
    if (!upstream.ok) return upstream;
    const commit = commits ? await this.#commit(loaded) : ok(null);
    if (!commit.ok) return commit;
    const notes: string[] = [];
    const pushed = await this.#push(loaded, commit.value, upstream.value, notes);
    const ended = this.#end(loaded, input.how);
    if (!ended.ok) return ended;
    const done = await this.#settleSandbox(loaded, input);
    if (done.ok) notes.push(...done.value);
    else notes.push(done.error.message);
    tellProblems(this.#options.records, loaded.stored.id, notes);
    return ok({ ...summarize(ended.value), commit: commit.value, pushed, notes });
  }

  /** The user wants a commit with every finalizing, where one can be. */
  async #isSet(loaded: Loaded): Promise<boolean> {
    return this.#options.settings().commitOnFinalize && (await canCommit(loaded));
  }

  async #commit(loaded: Loaded): Promise<Result<string>> {
    const reviews = await this.#options.reviews(loaded);
    if (!reviews.ok) return reviews;
    const { target: root, description: message } = loaded.stored;
    return commitAccepted({ root, message, reviews: reviews.value });
  }

  /** The commit is made by then: a push that fails is told, and can be done again by hand. */
  async #push(
    loaded: Loaded,
    commit: string | null,
    upstream: Upstream | null,
    notes: string[],
  ): Promise<string | null> {
    if (commit === null || upstream === null) return null;
    const pushed = await pushCommit({ cwd: loaded.stored.target }, commit, upstream);
    if (pushed.ok) return pushed.value;
    notes.push(`Committed, but not pushed: ${pushed.error.message}`);
    return null;
  }

  #end(loaded: Loaded, how: Input['how']): Result<StoredSuggestion> {
    const stored: StoredSuggestion = {
      ...loaded.stored,
      end: how === 'finalize' ? 'finalized' : 'discarded',
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
    if (sandbox === 'revert') return how === 'discard' ? this.#revert(loaded, known) : ok([]);
    if (known === null)
      return fail('refused', `${folder} is no sandbox that was made here; it stays as it is.`);
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

  /** Takes what was not accepted out of the sandbox; a jj change that is empty then is abandoned. */
  async #revert(loaded: Loaded, known: SandboxRecord | null): Promise<Result<string[]>> {
    const { id, sandbox } = loaded.stored;
    // What another suggestion offers from there, maybe the next state of the same work, is still wanted.
    const others = this.#options.records.openSuggestions();
    if (others.some((one) => one.id !== id && one.sandbox === sandbox)) return ok([]);
    const followed = await this.#options.follower.follow(loaded, { undecided: 'goes' });
    if (!followed.ok || known?.kind !== 'jj') return followed;
    const work = await lookAtJjSandbox(known.folder, known.target);
    const abandoned = work.ok && work.value.changed.length === 0 ? await abandonChange(known.folder) : work;
    return abandoned.ok ? followed : abandoned;
  }
}

/** Something is accepted, and the target is in a git repository. */
export async function canCommit({ stored, changes }: Loaded): Promise<boolean> {
  const isTaken = [...changes.values()].some(
    ({ decision }) => decision === 'accepted' || decision === 'modified',
  );
  return isTaken && stored.write !== 'on-save' && (await openRepository(stored.target)) !== null;
}

async function upstreamOf(target: string): Promise<Result<Upstream>> {
  const repository = await openRepository(target);
  if (repository === null) return fail('refused', `${target} is in no git repository.`);
  return findUpstream({ cwd: repository.top });
}
