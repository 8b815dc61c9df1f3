/** Keeps the index in step with a review of the working copy: rejecting a hunk unstages it, undo restages it. */
import { ok, type Result } from '../../lib/result.ts';
import { contains } from '../core/carry-over.ts';
import type { FileReview } from '../core/file-review.ts';
import { type FileImage, isPresent, stateOf } from '../core/file-state.ts';
import { findImage } from '../files/target-files.ts';
import type { Loaded } from '../records/load-suggestion.ts';
import type { ReviewRecords } from '../records/records.ts';
import { rowOf } from '../records/stored-file.ts';
import { fileName } from '../showing/describe-suggestion.ts';
import { openRepository } from '../vcs/git.ts';
import {
  byHunk,
  type Decided,
  dropSizes,
  followRejected,
  putBackStaged,
  stageAccepted,
  type Taken,
} from '../vcs/stage-accepted.ts';

export class IndexFollower {
  readonly #records: ReviewRecords;

  constructor(records: ReviewRecords) {
    this.#records = records;
  }

  /** Repeats these decisions in the index; returns messages for the user. */
  async follow(loaded: Loaded, decided: readonly Decided[], stages: boolean): Promise<Result<string[]>> {
    const { stored, changes } = loaded;
    const files = decided.map(asFirst);
    const isStaged = stored.source === 'index';
    if (!stored.inPlace || !(await openRepository(stored.target)).ok) return ok([]);
    const isStaging = (stages || stored.stage === true) && !isStaged;
    const dropped = isStaging ? await this.#unstage(loaded, files) : ok([]);
    if (!dropped.ok) return dropped;
    const removed = await followRejected(stored.target, files.flatMap(lostIn), 'out');
    if (!removed.ok) return removed;
    const { changed } = removed.value;
    this.#remember(loaded, 'unstaged', takenById(changed));
    const notes = await unstagedNotes(loaded, [...changed.keys()], files);
    const known = (id: string) => (isStaged ? 'together' : changes.get(id)?.unstaged);
    const others = await putBackStaged(
      stored.target,
      files.flatMap((file) => regainedIn(file, known)),
    );
    if (!others.ok) return others;
    const edited = isStaged ? files.filter(isEdited) : [];
    const back = await followRejected(stored.target, [...others.value, ...edited], 'in');
    if (!back.ok) return back;
    const staged = isStaging ? await this.#stage(loaded, decided, files) : ok([]);
    if (!staged.ok) return staged;
    const done = await dropSizes(stored.target, files);
    return done.ok
      ? ok([...dropped.value, ...staged.value, ...notes, ...removed.value.notes, ...back.value.notes])
      : done;
  }

  /** Takes what is no longer accepted out of the index: as it was before, or merged out of what is there now. */
  async #unstage(loaded: Loaded, files: readonly Decided[]): Promise<Result<string[]>> {
    const { stored, changes } = loaded;
    const steps = files.flatMap((file) =>
      droppedIn(file).map((id) => {
        const step = { before: file.before, after: file.before.untouched(new Set([id])), ids: [id] };
        return [step, changes.get(id)?.staged ?? 'together'] as const;
      }),
    );
    const others = await putBackStaged(stored.target, steps);
    if (!others.ok) return others;
    const left = new Set(others.value.flatMap(({ ids }) => ids));
    // The file of a rejected hunk may be gone: then it is announced again when the hunk returns.
    const lost = new Set(files.flatMap(lostIn).flatMap(({ ids }) => ids));
    const unannounced = steps.flatMap(([{ ids }, how]) => {
      const [id = ''] = ids;
      if (how === 'together' || !lost.has(id) || left.has(id)) return [];
      if (!how.some(([, was]) => was?.announced)) return [];
      const names = how.map(([name, was]) => [name, was, was?.announced ? null : was] as const);
      return [[id, names] as const];
    });
    this.#remember(loaded, 'unstaged', new Map(unannounced));
    const merged = files.flatMap((file) => {
      const dropped = droppedIn(file);
      const ids = dropped.filter((id) => left.has(id));
      const restored = dropped.filter((id) => !left.has(id));
      const before = file.before.untouched(new Set(restored));
      return ids.length === 0 ? [] : [{ before, after: file.before.untouched(new Set(dropped)), ids }];
    });
    const staged = await stageAccepted(stored.target, merged);
    if (!staged.ok) return staged;
    const asBefore = merged.map((step) => [step, announcementOf(step, changes)] as const);
    const announced = await putBackStaged(stored.target, asBefore);
    return announced.ok ? ok([...staged.value.notes]) : announced;
  }

  async #stage(
    loaded: Loaded,
    decided: readonly Decided[],
    files: readonly Decided[],
  ): Promise<Result<string[]>> {
    const accepted = files.map((file) => ({
      before: file.before.untouched(new Set(droppedIn(file))),
      after: file.after,
      ids: file.ids.filter((id) => isAccepted(file.after, id)),
    }));
    const staged = await stageAccepted(loaded.stored.target, accepted);
    if (!staged.ok) return staged;
    const taken = new Map<string, Taken>();
    for (const { before, after, ids } of decided)
      for (const id of ids) if (!isAccepted(before, id) && isAccepted(after, id)) taken.set(id, 'together');
    // An accept that is repeated may find its own work.
    for (const [id, how] of takenById(staged.value.steps))
      if (taken.has(id) || how.length > 0) taken.set(id, how);
    this.#remember(loaded, 'staged', taken);
    return ok([...staged.value.notes]);
  }

  /** On disk for the next process, and in the suggestion in memory, whose revision stays. */
  #remember({ stored, changes }: Loaded, as: 'staged' | 'unstaged', taken: ReadonlyMap<string, Taken>): void {
    const next = [...taken].flatMap(([id, how]) => {
      const change = changes.get(id);
      return change === undefined ? [] : { ...change, [as]: how };
    });
    if (next.length === 0) return;
    this.#records.write((writer) => ok(writer.putChanges(stored.id, next.map(rowOf))));
    for (const change of next) changes.set(change.id, change);
  }
}

/** How the file was announced before its first hunk was staged, for when its last one is taken out: perhaps another. */
function announcementOf({ after }: Decided, changes: Loaded['changes']): Exclude<Taken, 'together'> {
  const taken = after.changes.map(({ id }) => changes.get(id)?.staged ?? 'together');
  const names = taken.flatMap((how) => (how === 'together' ? [] : how));
  return names.filter(([, was]) => was?.announced).map(([name, was]) => [name, was, null] as const);
}

/** A hunk that was not changed alone can only be merged out or in again. */
const takenById = (steps: ReadonlyMap<Decided, Taken>): ReadonlyMap<string, Taken> =>
  new Map(
    [...steps].flatMap(([{ ids }, how]) =>
      ids.map((id) => [id, ids.length === 1 ? how : ('together' as const)] as const),
    ),
  );

/** One sentence for what was unstaged, and one if the disk could not follow. */
async function unstagedNotes(
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
    const isThere = disk.ok && (step.to === null ? isNoFile(disk.value) : contains(disk.value, step));
    (!stays && isThere ? both : alone).push(name);
  }
  return [
    ...(both.length > 0 ? [`${both.join(', ')}: taken out of the index, too.`] : []),
    ...(alone.length > 0
      ? [`${alone.join(', ')}: taken out of the index; the disk has another text, and keeps it.`]
      : []),
  ];
}

/** A decision made earlier counts as new: the index may not have followed it then. */
function asFirst({ before, after, ids }: Decided): Decided {
  const [was, is] = [before.state, after.state].map((state) => (id: string) => {
    const { decision, modified } = stateOf(state, id);
    return JSON.stringify([decision, modified]);
  });
  const again = ids.filter((id) => was?.(id) === is?.(id));
  return again.length === 0
    ? { before, after, ids }
    : { before: before.untouched(new Set(again)), after, ids };
}

/** It may be a folder, or the path's folder may be a file. */
const isNoFile = (image: FileImage | null) => image === null || image.type === 'other';

const isModified = ({ state }: FileReview, id: string) => stateOf(state, id).decision === 'modified';

/** Whether the reviewer replaced the hunk's text, or undid that. */
const isEdited = ({ before, after, ids }: Decided) =>
  ids.some((id) => isModified(before, id) || isModified(after, id));

const isAccepted = (review: FileReview, id: string) =>
  stateOf(review.state, id).decision === 'accepted' || isModified(review, id);

/** The hunks that are accepted no more. */
const droppedIn = ({ before, after, ids }: Decided) =>
  ids.filter((id) => isAccepted(before, id) && !isAccepted(after, id));

const isRename = (review: FileReview, id: string) => review.find(id)?.kind === 'rename';

const isIn = (review: FileReview, id: string) => isPresent(review.state, id);

/** The hunks that are no longer in the file, one by one. */
function lostIn({ before, after, ids }: Decided): Decided[] {
  // The name goes last: until then the index has the file under the name that the hunks use.
  const lost = ids
    .filter((id) => isIn(before, id) && !isIn(after, id))
    .sort((a, b) => Number(isRename(before, a)) - Number(isRename(before, b)));
  return byHunk(lost).flatMap((some) => {
    const without = before.decide(new Set(some), 'reject');
    return without.ok ? [{ before, after: without.value, ids: some }] : [];
  });
}

/** The previously staged hunks that are in the file again, one by one, and how they were staged. */
function regainedIn(
  { before, after, ids }: Decided,
  known: (id: string) => Taken | undefined,
): (readonly [Decided, Taken])[] {
  const taken = new Map<string, Taken>();
  for (const id of ids) {
    const how = !isIn(before, id) && isIn(after, id) ? known(id) : undefined;
    if (how !== undefined) taken.set(id, how);
  }
  return byHunk([...taken.keys()]).flatMap((some) => {
    const without = after.decide(new Set(some), 'reject');
    const [first = ''] = some;
    const how = some.length === 1 ? taken.get(first) : 'together';
    return without.ok && how !== undefined
      ? [[{ before: without.value, after, ids: some }, how] as const]
      : [];
  });
}
