/**
 * Carries decisions into the sandbox that a suggestion came from. A hidden twin of the suggestion reviews the sandbox
 * in place, with the same journal as every write. It follows states, not commands: anything missed because of a crash
 * or an absent sandbox is done the next time.
 */
import { allOk, fail, ok, type Result } from '../../lib/result.ts';
import { sideBySide } from '../../lib/side-by-side.ts';
import { TWIN_SUFFIX } from '../../protocol/to-review.ts';
import { displayBytes } from '../core/bytes.ts';
import type { Subject } from '../core/change.ts';
import { FileReview } from '../core/file-review.ts';
import { type FileImage, sameImage } from '../core/file-state.ts';
import { mirrorFile } from '../core/mirror.ts';
import type { DecisionWriter, FileEdit } from '../deciding/decision-writer.ts';
import { sha256 } from '../files/hash.ts';
import { readImage } from '../files/target-files.ts';
import { realFolder } from '../files/target-folder.ts';
import { type Loaded, openFile } from '../records/load-suggestion.ts';
import type { Blobs, ReviewRecords, StoredFile, StoredSuggestion } from '../records/records.ts';
import { changesOf } from '../records/stored-file.ts';
import { fileName } from '../showing/describe-suggestion.ts';
import { inPlaceFile } from '../sources/check-patch.ts';

export interface FollowerOptions {
  readonly records: ReviewRecords;
  readonly blobs: Blobs;
  readonly decider: DecisionWriter;
}

export interface FollowOptions {
  /** The files; omitted: all. */
  readonly positions?: readonly number[];
  /** What happens to undecided hunks. */
  readonly undecided?: 'stays' | 'goes';
}

/** Most reasons to list; further ones are counted. */
const NAMED_MAX = 5;
/** Files read in parallel: most of the time is waiting. */
const READS_AT_ONCE = 8;

const twinId = (suggestion: string) => `${suggestion}${TWIN_SUFFIX}`;

/** A suggestion's twin; null if it came from no sandbox of ours. */
export function twinOf(records: ReviewRecords, suggestion: string): StoredSuggestion | null {
  return records.suggestion(twinId(suggestion));
}

/** Whether a suggestion is hidden from everyone. */
export const isTwin = (id: string) => id.endsWith(TWIN_SUFFIX);

/** The records as others see them: twins are neither listed nor announced. */
export function hideTwins(records: ReviewRecords): ReviewRecords {
  return {
    suggestion: (id) => records.suggestion(id),
    suggestions: () => records.suggestions().filter(({ id }) => !isTwin(id)),
    openSuggestions: () => records.openSuggestions().filter(({ id }) => !isTwin(id)),
    files: (id) => records.files(id),
    changes: (id) => records.changes(id),
    acceptedFiles: (id) => records.acceptedFiles(id),
    intents: () => records.intents(),
    write: (change, commit) =>
      records.write(
        (writer) =>
          change({
            ...writer,
            changed: (summary, decisions) => {
              if (!isTwin(summary.id)) writer.changed(summary, decisions);
            },
          }),
        commit,
      ),
  };
}

/** Creates the twin of a sandbox's suggestion, with each file's content at publishing. */
export async function makeTwin(
  main: StoredSuggestion,
  subjects: readonly Subject[],
): Promise<Result<{ stored: StoredSuggestion; files: readonly StoredFile[] } | null>> {
  const sandbox = main.sandbox ?? null;
  if (sandbox === null) return ok(null);
  const read = await sideBySide(subjects, READS_AT_ONCE, async (subject): Promise<Result<StoredFile>> => {
    const image = await readImage(sandbox, pathInSandbox(subject));
    if (!image.ok) return image;
    const origin = image.value === null ? null : sha256([image.value.bytes]);
    return ok({ base: null, absent: image.value === null, origin, unmoved: true, parts: [] });
  });
  const files = allOk(read);
  if (!files.ok) return files;
  const stored = { ...main, id: twinId(main.id), target: sandbox, inPlace: true };
  return ok({ stored, files: files.value });
}

const pathInSandbox = (subject: Subject) => subject.newPath ?? subject.oldPath ?? '';

export class SourceFollower {
  readonly #options: FollowerOptions;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Updates the sandbox to the decisions; returns what failed there, in words. */
  async follow(main: Loaded, options: FollowOptions = {}): Promise<Result<string[]>> {
    const stored = this.#twinOf(main);
    if (stored === null) return ok([]);
    let twin = this.#open(main, stored);
    const undecided = options.undecided ?? 'stays';
    const positions = (options.positions ?? [...main.subjects.keys()]).filter((position) =>
      hasToDo(main, twin, { position, undecided }),
    );
    if (positions.length === 0) return ok([]);
    const there = await realFolder(stored.target);
    if (!there.ok || there.value !== stored.target)
      return ok([`The sandbox ${stored.target} is gone; nothing was changed there.`]);
    // All together take one write per file; if one fails, each gets its own.
    const all = await this.#followFiles(main, twin, { positions, undecided });
    if (all.ok) return ok(problemNotes(stored.target, all.value.left));
    const problems: string[] = [];
    for (const position of positions) {
      const followed = await this.#followFiles(main, twin, { positions: [position], undecided });
      if (!followed.ok) problems.push(followed.error.message);
      else {
        twin = followed.value.twin;
        problems.push(...followed.value.left);
      }
    }
    return ok(problemNotes(stored.target, problems));
  }

  /** Whether a sandbox's file is as published, or as decisions left it since. */
  async isAsLeft(main: Loaded, file: string): Promise<boolean> {
    const stored = this.#twinOf(main);
    const position = main.subjects.findIndex((subject) => fileName(subject) === file);
    const subject = main.subjects[position];
    if (stored === null || subject === undefined) return false;
    const twin = this.#open(main, stored);
    const kept = twin.files[position];
    const found = await readImage(stored.target, pathInSandbox(subject));
    if (kept === undefined || !found.ok) return false;
    if (kept.base === null) return wasSo(kept, found.value);
    const opened = await openFile(twin, position, this.#options.blobs);
    const left = opened.ok ? twin.reviews.get(position)?.image() : undefined;
    return left !== undefined && sameImage(left, found.value);
  }

  /** None if the suggestion's current version came from elsewhere. */
  #twinOf({ stored: { id, sandbox = null } }: Loaded): StoredSuggestion | null {
    return sandbox === null ? null : twinOf(this.#options.records, id);
  }

  #open(main: Loaded, stored: StoredSuggestion): Loaded {
    const { records } = this.#options;
    const changes = new Map(records.changes(stored.id).map((change) => [change.id, change]));
    return { stored, subjects: main.subjects, files: records.files(stored.id), changes, reviews: new Map() };
  }

  async #followFiles(
    main: Loaded,
    twin: Loaded,
    { positions, undecided }: { readonly positions: readonly number[]; readonly undecided: 'stays' | 'goes' },
  ): Promise<Result<{ twin: Loaded; left: readonly string[] }>> {
    const left: string[] = [];
    const changes: FileEdit[] = [];
    let ready = twin;
    for (const position of positions) {
      const target = await openFile(main, position, this.#options.blobs);
      if (!target.ok) return target;
      const { review: decided } = target.value;
      const based = await this.#withBase(ready, decided, position);
      if (!based.ok) return based;
      ready = based.value;
      const apply = (review: FileReview) => {
        const mirrored = mirrorFile(review, decided, { undecided, hash: sha256 });
        const name = fileName(decided.subject);
        left.push(...mirrored.left.map(({ reason }) => `${name}: ${reason.replace(/\.$/, '')}`));
        return ok(mirrored);
      };
      changes.push({ position, apply });
    }
    const done = await this.#options.decider.run(ready, changes, { action: null, comment: null });
    return done.ok ? ok({ twin: done.value.loaded, left }) : done;
  }

  /** The sandbox's file without our hunks, computed on first use. */
  async #withBase(twin: Loaded, target: FileReview, position: number): Promise<Result<Loaded>> {
    const file = twin.files[position];
    const subject = twin.subjects[position];
    if (file === undefined || subject === undefined)
      return fail('internal', 'A file of this sandbox is no longer stored.');
    if (file.base !== null || changesOf(subject, file).some(({ id }) => twin.changes.has(id)))
      return ok(twin);
    const published = await publishedImage(twin.stored.target, subject, file, target);
    if (!published.ok) return published;
    const made = await inPlaceFile(subject, published.value, {
      root: twin.stored.target,
      blobs: this.#options.blobs,
    });
    if (!made.ok) return made;
    const files = twin.files.with(position, { ...file, base: made.value.base, absent: made.value.absent });
    return ok({ ...twin, files });
  }
}

/** Whether the file had these bytes when it was published. */
function wasSo({ absent, origin }: StoredFile, image: FileImage | null): boolean {
  return image === null ? absent : !absent && sha256([image.bytes]) === origin;
}

/** The sandbox's content at publishing; if it was edited since, derived from the target's base. */
async function publishedImage(
  sandbox: string,
  subject: Subject,
  file: StoredFile,
  target: FileReview,
): Promise<Result<FileImage | null>> {
  const found = await readImage(sandbox, pathInSandbox(subject));
  if (!found.ok || wasSo(file, found.value)) return found;
  const whole = withAll(target);
  if (whole !== undefined && wasSo(file, whole)) return ok(whole);
  return fail('refused', `${displayBytes(pathInSandbox(subject))}: it has been edited there since`);
}

/** The file with every hunk in it; undefined if that is unknown. */
function withAll(target: FileReview): FileImage | null | undefined {
  if (!target.state.unmoved) return undefined;
  const none = { ...target.state, changes: new Map(), parts: new Map() };
  const fresh = new FileReview(target.subject, none, { newPathProblem: null, hash: sha256 });
  const all = fresh.decide(new Set(fresh.changes.map(({ id }) => id)), 'accept');
  return all.ok ? all.value.image() : undefined;
}

/** Whether this file can differ from the decisions, judged only by stored data. */
function hasToDo(
  main: Loaded,
  twin: Loaded,
  { position, undecided }: { readonly position: number; readonly undecided: 'stays' | 'goes' },
): boolean {
  const subject = main.subjects[position];
  const [file, other] = [main.files[position], twin.files[position]];
  if (subject === undefined || file === undefined || other === undefined) return false;
  const touched = changesOf(subject, other).some(({ id }) => twin.changes.has(id));
  return changesOf(subject, file).some(({ id }) => {
    const decision = main.changes.get(id)?.decision ?? 'pending';
    if (decision === 'rejected' || (decision === 'pending' && undecided === 'goes'))
      return twin.changes.get(id)?.decision !== 'rejected';
    return decision === 'modified' || touched;
  });
}

function problemNotes(sandbox: string, problems: readonly string[]): string[] {
  if (problems.length === 0) return [];
  const shown = problems
    .slice(0, NAMED_MAX)
    .map((problem) => `It was left in the sandbox ${sandbox}: ${problem}.`);
  const more = problems.length - shown.length;
  return more === 0 ? shown : [...shown, `${more} more hunks were left there as they are.`];
}
