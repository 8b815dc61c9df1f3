/**
 * Keeps the index in step with a review of the user's own working copy: a hunk that is rejected is neither on disk nor
 * staged any more, and comes back to where it was when that is taken back.
 */
import { ok, type Result } from '../../lib/result.ts';
import type { FileReview } from '../core/file-review.ts';
import { isPresent } from '../core/file-state.ts';
import type { StoredSuggestion } from '../records/records.ts';
import { fileName } from '../showing/describe-suggestion.ts';
import { openRepository } from '../vcs/git.ts';
import { type Decided, followRejected, stageAccepted } from '../vcs/stage-accepted.ts';

/** Hunks that are remembered as staged before they were rejected; beyond, the oldest stay out of the index. */
const REMEMBERED_MAX = 10_000;
/** Of one file by one command: so many are looked for by themselves, more together. */
const HUNKS_MAX = 100;

export class IndexFollower {
  /** Suggestion and hunk: rejected, and taken out of the index. */
  readonly #taken = new Set<string>();

  /** Does in the index what these decisions did on disk; gives what a user should know, in words. */
  async follow(
    stored: StoredSuggestion,
    files: readonly Decided[],
    stages: boolean,
  ): Promise<Result<string[]>> {
    const isStaged = stored.source === 'index';
    if (!stored.inPlace || !(await openRepository(stored.target)).ok) return ok([]);
    const said: string[] = [];
    if ((stages || stored.stage === true) && !isStaged) {
      const staged = await stageAccepted(stored.target, files);
      if (!staged.ok) return staged;
      said.push(...staged.value);
    }
    const gone = await followRejected(stored.target, files.flatMap(lostIn), 'out');
    if (!gone.ok) return gone;
    for (const { ids } of gone.value.changed) for (const id of ids) this.#remember(`${stored.id} ${id}`);
    const names = [...new Set([...gone.value.changed].map(({ after }) => fileName(after.subject)))];
    if (names.length > 0) said.push(`${names.join(', ')}: taken out of the index, too.`);
    const isKnown = (id: string) => isStaged || this.#taken.delete(`${stored.id} ${id}`);
    const back = await followRejected(
      stored.target,
      files.flatMap((file) => regainedIn(file, isKnown)),
      'in',
    );
    return back.ok ? ok([...said, ...gone.value.notes, ...back.value.notes]) : back;
  }

  #remember(key: string): void {
    this.#taken.add(key);
    const [oldest] = this.#taken;
    if (oldest !== undefined && this.#taken.size > REMEMBERED_MAX) this.#taken.delete(oldest);
  }
}

const isIn = (review: FileReview, id: string) => isPresent(review.state, id);

/** The hunks that are in the file no more, each by itself. */
function lostIn({ before, after, ids }: Decided): Decided[] {
  const lost = ids.filter((id) => isIn(before, id) && !isIn(after, id));
  return oneByOne(lost).flatMap((some) => {
    const without = before.decide(new Set(some), 'reject');
    return without.ok ? [{ before, after: without.value, ids: some }] : [];
  });
}

/** The hunks that are in the file again, each by itself. */
function regainedIn({ before, after, ids }: Decided, isKnown: (id: string) => boolean): Decided[] {
  const back = ids.filter((id) => !isIn(before, id) && isIn(after, id) && isKnown(id));
  return oneByOne(back).flatMap((some) => {
    const without = after.decide(new Set(some), 'reject');
    return without.ok ? [{ before: without.value, after, ids: some }] : [];
  });
}

const oneByOne = (ids: readonly string[]): (readonly string[])[] =>
  ids.length === 0 ? [] : ids.length > HUNKS_MAX ? [ids] : ids.map((id) => [id]);
