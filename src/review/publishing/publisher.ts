/** Publishes changes. Reads a source outside the queue, stores in the queue; skips repeats, slows runaway clients. */
import { RecentMap } from '../../lib/recent-map.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import { Slices } from '../../platform/slices.ts';
import type { CommandInput } from '../../protocol/command.ts';
import type { SuggestionSource } from '../../protocol/commands/review.ts';
import { displayBytes } from '../core/bytes.ts';
import { keepLines } from '../core/line-filter.ts';
import { type IsSecret, isSecretFile } from '../core/secret-files.ts';
import { realFolder } from '../files/target-folder.ts';
import { type Loaded, lastRound, load } from '../records/load-suggestion.ts';
import type { Blobs, ReviewRecords, ReviewWriter, StoredSuggestion } from '../records/records.ts';
import { rowOf } from '../records/stored-file.ts';
import { makeTwin } from '../sandboxes/source-follower.ts';
import { notesByHunk } from '../showing/author-notes.ts';
import { fileName, summarize } from '../showing/describe-suggestion.ts';
import { isApplied } from '../sources/already-applied.ts';
import { type Prepared, preparePatch } from '../sources/check-patch.ts';
import { asOnDisk, imagesOnDisk } from '../sources/disk-patch.ts';
import { fileScope } from '../sources/file-scope.ts';
import type { SourcedPatch } from '../sources/git-source.ts';
import { openSource } from '../sources/open-source.ts';
import { admit, checkNames, checkRoom, checkRuns, crowdedOut, offersTheSame } from './admission.ts';
import { filesOf, lostWords } from './kept-hunks.ts';
import { checkVersion, nextVersion } from './next-version.ts';
import {
  askedFor,
  type Content,
  decidedBefore,
  grownFrom,
  isLeft,
  isUnchanged,
  lookedAtBefore,
  replacedBy,
} from './replace.ts';
import { type EarlierReviews, knownOfSource, markIn, type TurnSource, turnsOf } from './turn-review.ts';

/** For one sandbox or author: more is a runaway loop. */
export const PUBLISH_MAX_PER_MINUTE = 30;
const MINUTE_MS = 60_000;
/** Places to remember for the last minute. */
const PLACES_MAX = 1_000;

export interface PublisherOptions {
  readonly records: ReviewRecords;
  readonly blobs: Blobs;
  readonly now: () => number;
  readonly newId: () => string;
  /** What turns changed in the target; omitted: unknown. */
  readonly turns?: TurnSource;
  /** Files with secrets; omitted: by the built-in list. */
  readonly isSecret?: () => IsSecret;
}

type Input = CommandInput<'review/publish'>;

/** A change that was read but not stored yet. */
export interface Offer {
  readonly input: Input;
  readonly root: string;
  readonly source: SourcedPatch;
}

/** What an offer continues. */
export interface Earlier {
  /** Earlier reviews of the session. */
  readonly shown: EarlierReviews;
  /** The open suggestion that it updates. */
  readonly updates: Loaded | null;
}

/** The result of an offer: an existing suggestion, or a new one. */
export type Kept =
  | { readonly kind: 'known'; readonly id: string }
  | { readonly kind: 'new'; readonly loaded: Loaded };

/** Output of the user's own `git diff` is reviewed in place: reject takes it out there. */
async function inPlaceIfApplied(source: SourcedPatch): Promise<SourcedPatch> {
  if (source.isGiven !== true || !(await isApplied(source.root, source.patch))) return source;
  const patch = await asOnDisk(source.patch, imagesOnDisk(source.root), null);
  const note =
    'The files already contain all of it: it is reviewed in place, and what you reject is removed.';
  return { ...source, patch, inPlace: true, notes: [...source.notes, note] };
}

export class Publisher {
  readonly #options: PublisherOptions;
  readonly #attempts = new RecentMap<string, number[]>(PLACES_MAX);
  /** One source per folder at a time: each reads a whole working tree. All patches count as one folder. */
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** Reads the change. */
  async read(input: Input): Promise<Result<Offer>> {
    const target = await realFolder(input.target);
    if (!target.ok) return target;
    const isOffered = input.author !== null || input.source.kind === 'sandbox';
    const room = isOffered ? checkRoom(this.#options.records.openSuggestions()) : ok(undefined);
    if (!room.ok) return room;
    const pace = this.#checkPace(input);
    if (!pace.ok) return pace;
    const source = await this.#inTurn(input, () => this.#open(input, target.value));
    if (!source.ok) return source;
    const patch = await new Slices().run(keepLines(source.value.patch, input.filter.lines));
    if (!patch.ok) return patch;
    const taken = { ...source.value, patch: patch.value };
    return ok({
      input,
      root: taken.root,
      source: input.author === null ? await inPlaceIfApplied(taken) : taken,
    });
  }

  async #inTurn<T>({ source, target }: Input, work: () => Promise<T>): Promise<T> {
    const place = source.kind === 'patch' || source.kind === 'patch_file' ? '' : target;
    const reading = (this.#queues.get(place) ?? Promise.resolve()).then(work);
    const done = reading.catch(() => undefined);
    this.#queues.set(place, done);
    try {
      return await reading;
    } finally {
      if (this.#queues.get(place) === done) this.#queues.delete(place);
    }
  }

  #open({ source, filter }: Input, target: string): Promise<Result<SourcedPatch>> {
    if (source.kind !== 'turn') return openSource(source, target, { ...filter, isSecret: this.#isSecret() });
    const { turns } = this.#options;
    return (
      turns?.(source, target) ??
      Promise.resolve(fail('refused', 'This copane does not record what turns change.'))
    );
  }

  #isSecret(): IsSecret {
    return this.#options.isSecret?.() ?? isSecretFile;
  }

  #checkPace({ source, author }: Input): Result<void> {
    const place = author ?? (source.kind === 'sandbox' ? source.folder : null);
    if (place === null) return ok(undefined);
    const now = this.#options.now();
    // A time in the future means that the clock was set back.
    const recent = (this.#attempts.get(place) ?? []).filter((at) => at <= now && now - at < MINUTE_MS);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= PUBLISH_MAX_PER_MINUTE) {
      const seconds = Math.ceil((oldest + MINUTE_MS - now) / 1000);
      return fail(
        'limit',
        `${PUBLISH_MAX_PER_MINUTE} changes were published from here within a minute; this one was not taken.`,
        `Wait ${seconds} s, and publish when the work is done.`,
      );
    }
    this.#attempts.set(place, [...recent, now]);
    return ok(undefined);
  }

  /** Matches the change against the target and stores it. */
  async keep({ input, root, source }: Offer, { shown, updates }: Earlier): Promise<Result<Kept>> {
    const { records, blobs } = this.#options;
    if (source.patch.length === 0) {
      const asked = input.filter.paths.length > 0 ? ['None of the named files has changed.'] : [];
      const why = [...asked, ...source.notes];
      return fail('invalid', [nothingIn(input.source, why.length > 0), ...why].join(' '));
    }
    const { patch, inPlace, isGiven = false, isForeign = false, images, read } = source;
    const isSecret = isForeign ? this.#isSecret() : undefined;
    const scope = fileScope(root, input.filter);
    if (!scope.ok) return scope;
    const isWanted = scope.value;
    const prepared = await preparePatch({
      root,
      patch,
      inPlace,
      isGiven,
      isSecret,
      isWanted,
      blobs,
      images,
      read,
    });
    if (!prepared.ok) return prepared;
    const { subjects } = prepared.value;
    const bounded = input.author === null ? ok(undefined) : await new Slices().run(checkRuns(subjects));
    if (!bounded.ok) return bounded;
    const kept = await blobs.put(prepared.value.patch);
    if (!kept.ok) return kept;
    const facts = this.#stored(prepared.value, { input, root, source }, kept.value);
    const markBefore = markIn(shown);
    const { authorNotes, ...marks } = knownOfSource(prepared.value.subjects, source.noteOn, markBefore);
    const stored = { ...facts, ...marks, authorNotes: { ...authorNotes, ...facts.authorNotes } };
    if (stored.hunkCount === 0) return fail('invalid', nothingIn(input.source, stored.notes.length > 0));
    const named = checkNames(stored.files);
    if (!named.ok) return named;
    if (updates !== null) return this.#update(updates, { ...prepared.value, stored }, input.author);
    const open = records.openSuggestions();
    const replaced = replacedBy(stored, open);
    const [earlier] = replaced;
    // If its reader left another review for this one, those decisions carry over even if this one is known.
    const isMoved = earlier !== undefined && isLeft(earlier, stored);
    const known = admit(stored, open, { isSandbox: input.source.kind === 'sandbox' });
    if (!known.ok) return known;
    if (known.value !== null && !isMoved) return ok({ kind: 'known', id: known.value });
    if (earlier !== undefined && !isMoved) {
      const { id } = earlier;
      const then = { changes: records.changes(id), files: records.files(id), now: prepared.value.files };
      if (isUnchanged(stored, earlier, then)) return ok({ kind: 'known', id });
    }
    const round = await roundAfter(lookedAtBefore(stored, records.suggestions()), records, blobs);
    if (!round.ok) return round;
    const before = isMoved ? [] : await filesBefore(replaced, records, blobs);
    const { lost, ...decided } = decidedBefore(
      stored,
      { ...prepared.value, earlier: shown.flatMap((one) => one.files), before },
      records,
    );
    const content = { ...decided, ...(await lastRound(round.value, blobs)) };
    const decidedCount = content.changes.filter(({ decision }) => decision !== 'pending').length;
    const notes = [...stored.notes, ...lostWords(lost, earlier ?? { notes: [] })];
    const reviewed = { ...stored, ...round.value, decidedCount, notes };
    const grown = grownFrom(stored, open);
    if (grown !== undefined)
      return this.#write({ ...reviewed, ...continues(grown) }, { ...prepared.value, ...content }, true);
    const replaces = earlier === undefined ? {} : { replaces: earlier.id };
    return this.#write({ ...reviewed, ...replaces }, { ...prepared.value, ...content }, false);
  }

  /** Publishes the next version of an open suggestion. */
  async #update(before: Loaded, fresh: Published, author: string | null): Promise<Result<Kept>> {
    const checked = checkVersion(before, fresh.stored, author);
    if (!checked.ok) return checked;
    if (offersTheSame(before.stored, fresh.stored)) return ok({ kind: 'known', id: before.stored.id });
    const { records, blobs } = this.#options;
    const round = await roundAfter(before.stored, records, blobs);
    if (!round.ok) return round;
    const next = nextVersion(before, { ...fresh, stored: { ...fresh.stored, ...round.value } });
    return this.#write(next.stored, { ...next, ...(await lastRound(round.value, blobs)) }, true);
  }

  /** Stores a new review, or with `isKnown` the same review plus what is new: its viewers stay where they are. */
  async #write(stored: StoredSuggestion, content: Reviewed, isKnown: boolean): Promise<Result<Kept>> {
    const twin = await makeTwin(stored, content.subjects);
    if (!twin.ok) return twin;
    const written = this.#options.records.write((writer) => {
      putContent(writer, stored, content, isKnown);
      if (twin.value !== null)
        putContent(writer, twin.value.stored, { files: twin.value.files, changes: [] }, isKnown);
      // Announced before the replaced ones end, so that their readers move on to it.
      if (isKnown) writer.changed(summarize(stored), []);
      else writer.published(summarize(stored));
      this.#endReplaced(stored, writer);
      return ok(undefined);
    });
    return written.ok ? ok({ kind: 'new', loaded: loadedOf(stored, content) }) : written;
  }

  #endReplaced(stored: StoredSuggestion, writer: ReviewWriter): void {
    const open = this.#options.records.openSuggestions();
    const replaced = replacedBy(stored, open);
    for (const one of replaced.length > 0 ? replaced : crowdedOut(stored, open)) {
      const ended = { ...one, end: 'finalized' as const, revision: one.revision + 1 };
      writer.putSuggestion(ended);
      writer.changed(summarize(ended), []);
    }
  }

  #stored(prepared: Prepared, { input, root, source }: Offer, patch: string): StoredSuggestion {
    return {
      ...prepared.facts,
      id: this.#options.newId(),
      createdAt: this.#options.now(),
      description: input.description,
      target: root,
      source: source.label,
      patch,
      notes: [...source.notes, ...prepared.notes],
      authorNotes: notesByHunk(prepared.subjects, input.filter.notes),
      inPlace: source.inPlace,
      sandbox: source.sandbox,
      stage: input.stage,
      asked: askedFor(input),
      author: input.author,
      ...turnsOf(input.source),
      ...(input.scopeOf === null ? {} : { scopeOf: input.scopeOf }),
      end: null,
      revision: 1,
      hunkCount: prepared.subjects.reduce((sum, subject) => sum + subject.changes.length, 0),
      decidedCount: 0,
      files: prepared.subjects.map(fileName),
      ...generatedOf(prepared),
    };
  }
}

type Reviewed = Pick<Prepared, 'subjects'> & Content & Pick<Loaded, 'round'>;
type Published = Pick<Prepared, 'subjects' | 'files'> & { readonly stored: StoredSuggestion };

function nothingIn(source: SuggestionSource, isExplained: boolean): string {
  if (source.kind !== 'index' && source.kind !== 'working_tree') return 'No changes to publish.';
  if (isExplained) return 'There is nothing to review.';
  if (source.kind === 'index') return 'Nothing is staged: there is nothing to review.';
  const since =
    source.against === 'head'
      ? 'Nothing has changed since the last commit'
      : 'No file differs from what is staged';
  return `${since}: there is nothing to review.`;
}

/** What a continued review keeps. */
function continues({ id, createdAt, replaces, revision }: StoredSuggestion): Partial<StoredSuggestion> {
  return { id, createdAt, revision: revision + 1, ...(replaces === undefined ? {} : { replaces }) };
}

function putContent(
  writer: ReviewWriter,
  stored: StoredSuggestion,
  { files, changes }: Content,
  isKnown: boolean,
): void {
  if (isKnown) writer.dropContent(stored.id);
  writer.putSuggestion(stored);
  for (const [position, file] of files.entries()) writer.putFile(stored.id, position, file);
  writer.putChanges(stored.id, changes.map(rowOf));
}

function generatedOf({ generated }: Prepared): Pick<StoredSuggestion, 'generated'> {
  if (generated.size === 0) return {};
  const named = [...generated].map(([path, is]) => [displayBytes(path), is] as const);
  return { generated: Object.fromEntries(named) };
}

const loadedOf = (stored: StoredSuggestion, { subjects, files, changes, round }: Reviewed): Loaded => ({
  ...(round === undefined ? {} : { round }),
  stored,
  subjects,
  files,
  changes: new Map(changes.map((change) => [change.id, change])),
  reviews: new Map(),
});

/** The files of replaced reviews that have comments or split hunks, newest review first. */
async function filesBefore(replaced: readonly StoredSuggestion[], records: ReviewRecords, blobs: Blobs) {
  const all = [];
  for (const { id } of replaced) {
    const hasComments = records.changes(id).some(({ comments }) => comments.length > 0);
    if (!hasComments && records.files(id).every(({ parts }) => parts.length === 0)) continue;
    const loaded = await load(records, blobs, id, null);
    if (loaded.ok) all.push(...filesOf(loaded.value));
  }
  return all;
}

/** What the review after `earlier` inherits: the hunks that its reviewer has already seen. */
async function roundAfter(
  earlier: StoredSuggestion | undefined,
  records: ReviewRecords,
  blobs: Blobs,
): Promise<Result<Pick<StoredSuggestion, 'round'>>> {
  if (earlier === undefined) return ok({});
  const { round } = earlier;
  if (earlier.acted !== true && earlier.end === null) return ok(round === undefined ? {} : { round });
  const loaded = await load(records, blobs, earlier.id, null);
  if (!loaded.ok) return ok({});
  const ids = loaded.value.subjects.flatMap((subject) => subject.changes.map((change) => change.id));
  const kept = await blobs.put(Buffer.from(ids.join('\n')));
  return kept.ok ? ok({ round: kept.value }) : kept;
}
