/**
 * Keeps the index in step with a review of the user's own working copy: a hunk that is rejected is neither on disk nor
 * staged any more, and comes back to where it was when that is undone.
 */
import { ok, type Result } from '../../lib/result.ts';
import { contains } from '../core/carry-over.ts';
import type { FileReview } from '../core/file-review.ts';
import { isPresent, stateOf } from '../core/file-state.ts';
import { findImage } from '../files/target-files.ts';
import type { Loaded } from '../records/load-suggestion.ts';
import type { ReviewRecords } from '../records/records.ts';
import { rowOf } from '../records/stored-file.ts';
import { fileName } from '../showing/describe-suggestion.ts';
import { openRepository } from '../vcs/git.ts';
import { type Decided, followRejected, stageAccepted } from '../vcs/stage-accepted.ts';

/** Hunks that are remembered in memory as staged before they were rejected. */
const REMEMBERED_MAX = 10_000;
/** Of one file by one command: so many are looked for by themselves, more together. */
const HUNKS_MAX = 100;

export class IndexFollower {
  /** Suggestion and hunk: rejected, and taken out of the index. */
  readonly #taken = new Set<string>();
  readonly #records: ReviewRecords;

  constructor(records: ReviewRecords) {
    this.#records = records;
  }

  /** Does in the index what these decisions did on disk; gives what a user should know, in words. */
  async follow(loaded: Loaded, files: readonly Decided[], stages: boolean): Promise<Result<string[]>> {
    const { stored, changes } = loaded;
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
    this.#remember(stored.id, new Set([...gone.value.changed].flatMap(({ ids }) => ids)));
    said.push(...(await saidOf(loaded, [...gone.value.changed], files)));
    const isKnown = (id: string) =>
      isStaged || this.#taken.delete(`${stored.id} ${id}`) || changes.get(id)?.unstaged === true;
    const regained = files.flatMap((file) => regainedIn(file, isKnown));
    const edited = isStaged ? files.filter(isEdited) : [];
    const back = await followRejected(stored.target, [...regained, ...edited], 'in');
    return back.ok ? ok([...said, ...gone.value.notes, ...back.value.notes]) : back;
  }

  /** On disk for the next process, and here for what is in memory already. */
  #remember(suggestion: string, ids: ReadonlySet<string>): void {
    if (ids.size === 0) return;
    this.#records.write((writer) => {
      const changes = this.#records.changes(suggestion).filter(({ id }) => ids.has(id));
      writer.putChanges(
        suggestion,
        changes.map((change) => rowOf({ ...change, unstaged: true })),
      );
      return ok(undefined);
    });
    for (const id of ids) this.#taken.add(`${suggestion} ${id}`);
    for (const oldest of this.#taken) {
      if (this.#taken.size <= REMEMBERED_MAX) break;
      this.#taken.delete(oldest);
    }
  }
}

/** One sentence for what went out of the index, and one where the disk could not follow. */
async function saidOf(
  { stored, subjects, files: kept }: Loaded,
  changed: readonly Decided[],
  files: readonly Decided[],
): Promise<string[]> {
  const both: string[] = [];
  const alone: string[] = [];
  for (const name of new Set(changed.map(({ after }) => fileName(after.subject)))) {
    const decided = files.find(({ after }) => fileName(after.subject) === name);
    if (decided === undefined) continue;
    const { before, after } = decided;
    const disk = await findImage(stored.target, after.path());
    const stays = kept[subjects.indexOf(after.subject)]?.indexOnly === true;
    const step = { from: before.image(), to: after.image() };
    (!stays && disk.ok && contains(disk.value, step) ? both : alone).push(name);
  }
  return [
    ...(both.length > 0 ? [`${both.join(', ')}: taken out of the index, too.`] : []),
    ...(alone.length > 0
      ? [`${alone.join(', ')}: taken out of the index; the disk has another text, and keeps it.`]
      : []),
  ];
}

/** The reviewer has put other text in its place, or takes that back. */
const isEdited = ({ before, after, ids }: Decided) =>
  ids.some((id) => [before, after].some(({ state }) => stateOf(state, id).decision === 'modified'));

const isRename = (review: FileReview, id: string) => review.find(id)?.kind === 'rename';

const isIn = (review: FileReview, id: string) => isPresent(review.state, id);

/** The hunks that are in the file no more, each by itself. */
function lostIn({ before, after, ids }: Decided): Decided[] {
  // The name goes last: until then the index has the file under the one that the hunks know.
  const lost = ids
    .filter((id) => isIn(before, id) && !isIn(after, id))
    .sort((a, b) => Number(isRename(before, a)) - Number(isRename(before, b)));
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
