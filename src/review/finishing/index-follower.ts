/** Keeps the index in step with a review of the working copy: rejecting a hunk unstages it, undo restages it. */
import { RecentMap } from '../../lib/recent-map.ts';
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
  announce,
  type Decided,
  dropSizes,
  followRejected,
  putBackStaged,
  stageAccepted,
  type Taken,
} from '../vcs/stage-accepted.ts';

/** Rejected hunks remembered in memory as having been staged. */
const REMEMBERED_MAX = 10_000;
/** Most hunks of one file and command to handle one by one; more are handled together. */
const HUNKS_MAX = 100;

export class IndexFollower {
  /** By suggestion and hunk: rejected and taken out of the index. */
  readonly #taken = new RecentMap<string, Taken>(REMEMBERED_MAX);
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
    const notes: string[] = [];
    if ((stages || stored.stage === true) && !isStaged) {
      const staged = await stageAccepted(stored.target, files);
      if (!staged.ok) return staged;
      notes.push(...staged.value);
    }
    const removed = await followRejected(stored.target, files.flatMap(lostIn), 'out');
    if (!removed.ok) return removed;
    const { changed } = removed.value;
    this.#remember(stored.id, new Map([...changed].flatMap(([{ ids }, how]) => ids.map((id) => [id, how]))));
    notes.push(...(await unstagedNotes(loaded, [...changed.keys()], files)));
    const known = (id: string) =>
      isStaged ? 'moved' : (this.#take(`${stored.id} ${id}`) ?? changes.get(id)?.unstaged);
    const regained = files.flatMap((file) => regainedIn(file, known));
    const isName = ([, how]: (typeof regained)[number]) => how === 'announced';
    const others = await putBackStaged(
      stored.target,
      regained.filter((one) => !isName(one)),
    );
    if (!others.ok) return others;
    const edited = isStaged ? files.filter(isEdited) : [];
    const back = await followRejected(stored.target, [...others.value, ...edited], 'in');
    if (!back.ok) return back;
    const names = regained.filter(isName).map(([file]) => file);
    const announced = await announce(stored.target, names);
    const done = announced.ok ? await dropSizes(stored.target, files) : announced;
    return done.ok ? ok([...notes, ...removed.value.notes, ...back.value.notes]) : done;
  }

  #take(key: string): Taken | undefined {
    const taken = this.#taken.get(key);
    this.#taken.delete(key);
    return taken;
  }

  /** On disk for the next process, and here for loaded suggestions. */
  #remember(suggestion: string, taken: ReadonlyMap<string, Taken>): void {
    if (taken.size === 0) return;
    this.#records.write((writer) => {
      const changes = this.#records.changes(suggestion);
      writer.putChanges(
        suggestion,
        changes.flatMap((change) => {
          const unstaged = taken.get(change.id);
          return unstaged === undefined ? [] : rowOf({ ...change, unstaged });
        }),
      );
      return ok(undefined);
    });
    for (const [id, how] of taken) this.#taken.set(`${suggestion} ${id}`, how);
  }
}

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

/** Whether the reviewer replaced the hunk's text, or undid that. */
const isEdited = ({ before, after, ids }: Decided) =>
  ids.some((id) => [before, after].some(({ state }) => stateOf(state, id).decision === 'modified'));

const isRename = (review: FileReview, id: string) => review.find(id)?.kind === 'rename';

const isIn = (review: FileReview, id: string) => isPresent(review.state, id);

/** The hunks that are no longer in the file, one by one. */
function lostIn({ before, after, ids }: Decided): Decided[] {
  // The name goes last: until then the index has the file under the name that the hunks use.
  const lost = ids
    .filter((id) => isIn(before, id) && !isIn(after, id))
    .sort((a, b) => Number(isRename(before, a)) - Number(isRename(before, b)));
  return oneByOne(lost).flatMap((some) => {
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
  return oneByOne([...taken.keys()]).flatMap((some) => {
    const without = after.decide(new Set(some), 'reject');
    const how = taken.get(some[0] ?? '');
    return without.ok && how !== undefined
      ? [[{ before: without.value, after, ids: some }, how] as const]
      : [];
  });
}

const oneByOne = (ids: readonly string[]): (readonly string[])[] =>
  ids.length === 0 ? [] : ids.length > HUNKS_MAX ? [ids] : ids.map((id) => [id]);
