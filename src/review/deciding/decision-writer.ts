/** Carries decisions out: computes all files, records, writes, records completion. All files change or none. */
import { type Failure, fail, ok, type Result } from '../../lib/result.ts';
import { Slices } from '../../platform/slices.ts';
import type { DecisionEntry, LineRange } from '../../protocol/review.ts';
import type { Change } from '../core/change.ts';
import type { FileReview } from '../core/file-review.ts';
import { type FileImage, isPresent, sameImage, stateOf } from '../core/file-state.ts';
import { AccessLists } from '../files/access-lists.ts';
import { type FileWrite, planWrite, temporaryName } from '../files/atomic-writer.ts';
import { fingerprint } from '../files/hash.ts';
import { type Loaded, type OpenFile, openFile } from '../records/load-suggestion.ts';
import type {
  Blobs,
  ChangeRow,
  ReviewRecords,
  StoredChange,
  StoredComment,
  StoredFile,
  StoredIntent,
} from '../records/records.ts';
import { isBegun, packChange, packFile, rowOf } from '../records/stored-file.ts';
import { withComment } from '../records/threads.ts';
import { countHunks } from '../showing/counts.ts';
import { placeOf, quoteAround } from '../showing/describe-comment.ts';
import { diffOf, fileName, modifiedDiffOf, summarize } from '../showing/describe-suggestion.ts';
import type { Decided } from '../vcs/stage-accepted.ts';
import { type CommentsOf, commentsAfter, staleParts } from './moved-comments.ts';
import { recoverWrites } from './recover-writes.ts';
import { turnOfLong } from './turn-of-long.ts';
import { type JournalledWrite, putBack, recordOf, writeAll } from './write-journal.ts';

/** A change to one file's review; returns the affected hunks. */
export interface FileEdit {
  readonly position: number;
  readonly apply: (review: FileReview) => Result<{ review: FileReview; ids: readonly string[] }>;
}

/** The result of a command. */
export interface Done {
  /** The suggestion afterwards. */
  readonly loaded: Loaded;
  readonly outcomes: readonly DecisionEntry[];
  readonly touched: readonly Decided[];
  /** Why files were left unchanged, if only fitting ones were requested. */
  readonly left?: readonly string[];
}

export interface About {
  /** Null: not a decision (a split). */
  readonly action: DecisionEntry['action'] | null;
  /** By hunk id, if the hunks' actions differ. */
  readonly actions?: ReadonlyMap<string, DecisionEntry['action']>;
  readonly comment: string | null;
  /** The lines of the decision or comment. */
  readonly lines?: LineRange | null;
}

export interface DecisionWriterOptions {
  readonly records: ReviewRecords;
  readonly blobs: Blobs;
  readonly now: () => number;
  readonly newId: () => string;
  /** Called with what was written below a folder. Omitted: nobody needs it. */
  readonly onWritten?: OnWritten;
}

/** Each file before and after; null for no file. */
export type OnWritten = (root: string, writes: readonly Pick<FileWrite, 'old' | 'new'>[]) => Promise<unknown>;

/** The wanted state of a file. */
interface Worked {
  readonly opened: OpenFile;
  readonly next: FileReview;
  readonly ids: readonly string[];
  readonly image: FileImage | null;
}

/** A file that is ready to be written. */
interface PlannedWrite {
  readonly position: number;
  readonly before: FileReview;
  readonly next: FileReview;
  readonly ids: readonly string[];
  readonly file: StoredFile;
  /** The changes that differ from their records. */
  readonly changes: readonly StoredChange[];
  readonly rows: readonly ChangeRow[];
  /** Kept states of parts that no longer exist. */
  readonly stale: readonly string[];
  readonly write: FileWrite | null;
  readonly intent: StoredIntent | null;
}

export class DecisionWriter {
  readonly #options: DecisionWriterOptions;
  readonly #lists = new AccessLists();
  /** Lets the next decision recognize the written file. */
  readonly #prints = new WeakMap<FileImage, string>();
  /** True: no recorded write is unfinished. */
  #isSettled = false;

  constructor(options: DecisionWriterOptions) {
    this.#options = options;
  }

  /** Makes all of `changes` or none. */
  async run(loaded: Loaded, changes: readonly FileEdit[], about: About): Promise<Result<Done>> {
    const worked: Worked[] = [];
    for (const change of changes) {
      const one = await this.#workOut(loaded, change);
      if (!one.ok) return one;
      if (one.value !== null) worked.push(one.value);
    }
    const replaced = worked.flatMap(({ opened, image }) =>
      opened.found?.type === 'file' && !sameImage(opened.found, image) ? [opened.found.path] : [],
    );
    const lists = await this.#lists.of(loaded.stored.target, replaced);
    const steps: PlannedWrite[] = [];
    for (const one of worked) {
      const step = await this.#plan(loaded, one, { about, lists });
      if (!step.ok) return step;
      steps.push(step.value);
    }
    // A request resent after a lost answer is not a second decision: nobody is notified, but its consequences are
    // retried.
    if (steps.every(isNothing) && about.comment === null)
      return ok({ loaded, outcomes: [], touched: touchedBy(steps) });
    const writes = steps.filter((step) => step.intent !== null);
    await turnOfLong(steps);
    const recorded = this.#options.records.write((writer) => {
      for (const { intent } of writes) if (intent !== null) writer.putIntent(intent);
      return ok(undefined);
    });
    if (!recorded.ok) return recorded;
    const written = await this.#writeAll(writes);
    if (!written.ok) return written;
    await this.#lists.written(
      loaded.stored.target,
      replaced.filter((path) => !lists.has(path)),
    );
    const done = await this.#commit(loaded, steps, about);
    const files = writes.flatMap(({ write }) => write ?? []);
    if (done.ok && files.length > 0) await this.#options.onWritten?.(loaded.stored.target, files);
    return done;
  }

  async #workOut(loaded: Loaded, change: FileEdit): Promise<Result<Worked | null>> {
    const opened = await openFile(loaded, change.position, this.#options.blobs);
    if (!opened.ok) return opened;
    const applied = change.apply(opened.value.review);
    if (!applied.ok) return applied;
    const { review: next, ids } = applied.value;
    if (ids.length === 0) return ok(null);
    await turnOfLong([{ ids }]);
    return ok({ opened: opened.value, next, ids, image: opened.value.imageFor(next) });
  }

  /** The files to write and the records to keep. Any refusal comes before the first write. */
  async #plan(
    loaded: Loaded,
    { opened, next, ids, image }: Worked,
    { about, lists }: { readonly about: About; readonly lists: ReadonlySet<string> },
  ): Promise<Result<PlannedWrite>> {
    const { found, position } = opened;
    const unique = this.#options.newId();
    const plan = sameImage(found, image)
      ? ok(null)
      : await planWrite(loaded.stored.target, found, image, temporaryName(unique), lists);
    if (!plan.ok) return plan;
    const stale = staleParts(loaded, position, next);
    const before = opened.review;
    const commentsOf = commentsAfter(loaded, { before, next, stale });
    const records = await this.#records(loaded, opened, next, ids, { about, commentsOf });
    if (!records.ok) return records;
    const intent =
      plan.value === null
        ? ok(null)
        : await this.#intent(loaded, position, plan.value, unique, records.value);
    if (!intent.ok) return intent;
    return ok({
      position,
      before,
      next,
      ids,
      write: plan.value,
      intent: intent.value,
      stale,
      ...records.value,
    });
  }

  async #records(
    loaded: Loaded,
    opened: OpenFile,
    next: FileReview,
    ids: readonly string[],
    { about, commentsOf }: { readonly about: About; readonly commentsOf: CommentsOf },
  ): Promise<Result<Pick<PlannedWrite, 'file' | 'changes' | 'rows'>>> {
    const before = loaded.files[opened.position];
    if (before === undefined) return fail('internal', 'A file of this suggestion is no longer stored.');
    const keep = isBegun(next.state.changes.values()) || next.state.inPlace;
    const blob = await this.#keepBase(next.state.base, keep, before, opened);
    if (!blob.ok) return blob;
    const changes: StoredChange[] = [];
    const rows: ChangeRow[] = [];
    const commented = new Set(about.comment === null ? [] : ids);
    const slices = new Slices();
    for (const id of new Set([...next.state.changes.keys(), ...commented])) {
      const state = stateOf(next.state, id);
      if (!commented.has(id) && opened.keptChanges.get(id) === state) continue;
      const known = commentsOf(id);
      const comment = commented.has(id) ? storedComment(about, next, id) : null;
      const comments = comment === null ? ok(known) : withComment(known, comment);
      if (!comments.ok) return comments;
      const { staged, unstaged } = loaded.changes.get(id) ?? {};
      const change = {
        ...packChange(id, opened.position, state, comments.value),
        ...(staged === undefined ? {} : { staged }),
        ...(unstaged === undefined ? {} : { unstaged }),
      };
      changes.push(change);
      rows.push(rowOf(change));
      await slices.pause();
    }
    return ok({ file: packFile(next.state, before, blob.value), changes, rows });
  }

  /** Stores the base's bytes; the same base is stored only once. */
  async #keepBase(
    base: FileImage | null,
    keep: boolean,
    before: StoredFile,
    opened: OpenFile,
  ): Promise<Result<string | null>> {
    if (base === null || !keep) return ok(null);
    if (before.base !== null && opened.kept?.bytes === base.bytes) return ok(before.base.blob);
    return this.#options.blobs.put(base.bytes);
  }

  async #intent(
    loaded: Loaded,
    position: number,
    write: FileWrite,
    id: string,
    after: { readonly file: StoredFile; readonly changes: readonly StoredChange[] },
  ): Promise<Result<StoredIntent>> {
    const record = await recordOf(write, this.#options.blobs, (image) => this.#printOf(image));
    if (!record.ok) return record;
    const { file, changes } = after;
    return ok({
      id,
      suggestion: loaded.stored.id,
      file: position,
      after: { file, changes },
      write: record.value,
    });
  }

  #printOf(image: FileImage | null): string | null {
    if (image === null) return null;
    const known = this.#prints.get(image) ?? fingerprint(image);
    if (known !== null) this.#prints.set(image, known);
    return known;
  }

  async #writeAll(steps: readonly PlannedWrite[]): Promise<Result<void>> {
    const written = await writeAll(journalled(steps));
    return written.kind === 'all' ? ok(undefined) : this.#forget(steps, written);
  }

  /** Marks the write as not done. If it was done, or the mark cannot be recorded, recovery settles it first. */
  #forget(
    steps: readonly PlannedWrite[],
    { kind, error }: { kind: 'none' | 'some'; error: Failure },
  ): Result<never> {
    const forgotten =
      kind === 'none' &&
      this.#options.records.write((writer) => {
        for (const { intent } of steps) if (intent !== null) writer.dropIntent(intent.id);
        return ok(undefined);
      }).ok;
    this.#isSettled = forgotten;
    return { ok: false, error };
  }

  async #commit(loaded: Loaded, steps: readonly PlannedWrite[], about: About): Promise<Result<Done>> {
    const outcomes: DecisionEntry[] = [];
    if (about.action !== null)
      for (const step of steps) outcomes.push(...(await this.#entries(loaded, step, about)));
    await turnOfLong(steps);
    const slices = new Slices();
    const next = afterSteps(loaded, steps);
    await turnOfLong(steps);
    const { id } = next.stored;
    // Once all files are written, the intents on disk would lead to the same result again.
    const commit = steps.every(({ intent }) => intent !== null) ? 'ordered' : 'synced';
    const committed = this.#options.records.write((writer) => {
      for (const step of steps) {
        writer.putFile(id, step.position, step.file);
        writer.dropChanges(id, step.stale);
        writer.putChanges(id, step.rows);
        if (step.intent !== null) writer.dropIntent(step.intent.id);
      }
      writer.putSuggestion(next.stored);
      writer.changed(summarize(next.stored), outcomes);
      return ok(undefined);
    }, commit);
    await slices.pause();
    if (committed.ok) return ok({ loaded: next, outcomes, touched: touchedBy(steps) });
    const back = await putBack(journalled(steps).reverse(), committed.error);
    return back.kind === 'all' ? committed : this.#forget(steps, back);
  }

  async #entries(loaded: Loaded, step: PlannedWrite, about: About): Promise<DecisionEntry[]> {
    const { subject, state } = step.next;
    const entries: DecisionEntry[] = [];
    const slices = new Slices();
    for (const [id, change] of findAll(step.next, step.ids)) {
      const modified = stateOf(state, id).decision === 'modified' ? stateOf(state, id).modified : null;
      entries.push({
        ts: this.#options.now(),
        suggestion: loaded.stored.id,
        hunk: id,
        file: fileName(subject),
        action: about.actions?.get(id) ?? about.action ?? 'comment',
        originalDiff: diffOf(subject, change),
        modifiedDiff: modified === null ? null : modifiedDiffOf(step.next, modified),
        comment: about.comment,
        ...(about.lines == null ? { lines: null, place: null } : placeOf(change, about.lines)),
        applied: isPresent(state, id) || stateOf(state, id).redundant,
      });
      await slices.pause();
    }
    return entries;
  }

  /** Completes what a crash, or a failure that could not be undone, interrupted. Otherwise costs nothing. */
  async settle(): Promise<Result<void>> {
    if (this.#isSettled) return ok(undefined);
    const ended = await recoverWrites(this.#options);
    this.#isSettled = ended.ok;
    return ended;
  }
}

const isNothing = ({ write, changes, stale }: PlannedWrite) =>
  write === null && changes.length === 0 && stale.length === 0;

const touchedBy = (steps: readonly PlannedWrite[]): Decided[] =>
  steps.map(({ before, next: after, ids }) => ({ before, after, ids }));

const journalled = (steps: readonly PlannedWrite[]): JournalledWrite[] =>
  steps.flatMap(({ write, intent }) =>
    write === null || intent === null ? [] : [{ write, record: intent.write }],
  );

/** The changes with these ids, in order, without a search through thousands for each. */
function findAll(review: FileReview, ids: readonly string[]): [string, Change][] {
  const wanted = new Set(ids);
  const all = [...review.subject.changes, ...review.changes].filter(({ id }) => wanted.has(id));
  const known = new Map(all.map((change) => [change.id, change]));
  return ids.flatMap((id) => {
    const change = known.get(id);
    return change === undefined ? [] : [[id, change]];
  });
}

function storedComment(
  { comment, lines = null }: About,
  review: FileReview,
  id: string,
): StoredComment | null {
  if (comment === null || lines === null) return comment;
  const change = review.find(id);
  return { text: comment, lines, ...(change === null ? {} : quoteAround(review, change, lines)) };
}

/** The suggestion after these steps. */
function afterSteps(loaded: Loaded, steps: readonly PlannedWrite[]): Loaded {
  const files = [...loaded.files];
  const changes = new Map(loaded.changes);
  const reviews = new Map(loaded.reviews);
  for (const step of steps) {
    files[step.position] = step.file;
    reviews.set(step.position, step.next);
    for (const id of step.stale) changes.delete(id);
    for (const change of step.changes) changes.set(change.id, change);
  }
  const counts = countHunks({ ...loaded, files, changes });
  return {
    ...loaded,
    files,
    changes,
    reviews,
    stored: { ...loaded.stored, ...counts, revision: loaded.stored.revision + 1, acted: true },
  };
}
