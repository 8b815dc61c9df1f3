/** The review service behind the commands: publishes, shows, decides, undoes. One command at a time. */
import { setImmediate } from 'node:timers/promises';
import { fail, ok, type Result } from '../lib/result.ts';
import { whileWanted } from '../platform/wanted.ts';
import type { Caller, CommandInput, CommandResult, CommandsBy, ServiceOf } from '../protocol/command.ts';
import type { Sync } from '../protocol/intent.ts';
import type { DecisionEntry, Suggestion, SuggestionSummary } from '../protocol/review.ts';
import type { Change } from './core/change.ts';
import type { FileReview } from './core/file-review.ts';
import { DecisionWriter, type DecisionWriterOptions } from './deciding/decision-writer.ts';
import { Decisions } from './deciding/decisions.ts';
import { realPath } from './files/target-folder.ts';
import { AfterDecision } from './finishing/after-decision.ts';
import { Finisher } from './finishing/finisher.ts';
import { DEFAULT_SETTINGS, type ReviewSettings } from './finishing/settings.ts';
import { Proposals } from './proposals/proposals.ts';
import { Publisher, type PublisherOptions } from './publishing/publisher.ts';
import { askedFor, isScope } from './publishing/replace.ts';
import { type EarlierReviews, isOfSession, showsTurn, type TurnOfSession } from './publishing/turn-review.ts';
import { hunkOf, type Loaded, openFile } from './records/load-suggestion.ts';
import type { StoredFile, StoredSuggestion } from './records/records.ts';
import { rowOf } from './records/stored-file.ts';
import { replyOn } from './records/threads.ts';
import { Sandboxes } from './sandboxes/sandboxes.ts';
import { hideTwins, SourceFollower } from './sandboxes/source-follower.ts';
import { countHunks, filesAsSeen } from './showing/counts.ts';
import { describeHunks, describeSuggestion, summarize } from './showing/describe-suggestion.ts';
import { fileTexts } from './showing/file-texts.ts';
import { hunkLines } from './showing/hunk-lines.ts';
import { hunkPlaces, inspect, sidesOf } from './showing/hunk-surroundings.ts';
import { withRivals } from './showing/rival-suggestions.ts';
import { SuggestionShelf } from './suggestion-shelf.ts';
import { topOf } from './vcs/repository-place.ts';

export interface ReviewServiceOptions extends PublisherOptions, DecisionWriterOptions {
  /** Appends to the feedback log; a failure to write it stops no decision. */
  readonly log: (outcomes: readonly DecisionEntry[]) => Promise<void>;
  readonly sandboxes: string;
  /** Read at every use; omitted: the defaults. */
  readonly settings?: () => ReviewSettings;
}

/** Only a screen limits the diffs; others get what fits. */
type Show = Pick<CommandInput<'review/show'>, 'suggestion' | 'file'> &
  Partial<Pick<CommandInput<'review/show'>, 'maxDiffBytes' | 'first'>>;
/** Of a session, for a review of several turns. */
const EARLIER_MAX_REVIEWS = 50;
const ALL_FILES = { files: [], exclude: [], paths: [], lines: [], notes: {} };
type Replied = CommandResult<'review/reply'>;
type Ref = { readonly suggestion: string; readonly hunk: string };

export class ReviewService implements ServiceOf<CommandsBy<'reviews'>> {
  readonly #options: ReviewServiceOptions;
  readonly #decider: DecisionWriter;
  readonly #publisher: Publisher;
  readonly #follower: SourceFollower;
  readonly #finisher: Finisher;
  readonly #shelf: SuggestionShelf;
  /** Changes a suggestion's review. */
  readonly decisions: Decisions;
  readonly sandboxes: Sandboxes;
  /** Changes written on a save: same queue, same records. */
  readonly proposals: Proposals;
  #queue: Promise<unknown> = Promise.resolve();
  /** Whether sandboxes have caught up with decisions from before our start. */
  #hasFollowed = false;

  constructor(given: ReviewServiceOptions) {
    const options = { ...given, records: hideTwins(given.records) };
    this.#options = options;
    const shelf = new SuggestionShelf(options);
    this.#shelf = shelf;
    this.#decider = new DecisionWriter(options);
    this.#publisher = new Publisher(options);
    this.#follower = new SourceFollower({ ...options, decider: this.#decider });
    const reviews = (loaded: Loaded) => shelf.reviews(loaded);
    this.sandboxes = new Sandboxes({
      root: options.sandboxes,
      now: options.now,
      suggestions: () => options.records.suggestions(),
      isPublished: async (id, file) => {
        const loaded = await shelf.load(id);
        return loaded.ok && (await this.#follower.isAsLeft(loaded.value, file));
      },
    });
    const settings = options.settings ?? (() => DEFAULT_SETTINGS);
    this.#finisher = new Finisher({
      ...options,
      settings,
      reviews,
      follower: this.#follower,
      sandboxes: this.sandboxes,
    });
    this.decisions = new Decisions({
      ...options,
      decider: this.#decider,
      after: new AfterDecision({ ...options, follower: this.#follower, finisher: this.#finisher, settings }),
      serial: (work) => this.#serial(work),
      shelf,
    });
    this.proposals = new Proposals({
      ...options,
      decider: this.#decider,
      serial: (work) => this.#serial(work),
      load: (id) => shelf.load(id),
      remember: (loaded) => shelf.remember(loaded),
    });
  }

  /** Publishes a change. Reading stops when the caller goes away. */
  async publish(
    input: CommandInput<'review/publish'>,
    caller?: Pick<Caller, 'signal'>,
  ): Promise<Result<Suggestion>> {
    // A crash may have left a file of the change half written.
    const ready = await this.#serial(async () => ok(undefined));
    if (!ready.ok) return ready;
    // A turn's changes are read for all callers, so this one cannot cancel that.
    const signal = input.source.kind === 'turn' ? undefined : caller?.signal;
    const offer = await whileWanted(signal, () => this.#publisher.read(input));
    if (!offer.ok) return offer;
    return this.#serial(async () => {
      const updates = input.updates === null ? ok(null) : await this.#shelf.load(input.updates);
      if (!updates.ok) return updates;
      const shown = await this.#earlier(input);
      const kept = await this.#publisher.keep(offer.value, { shown, updates: updates.value });
      if (!kept.ok) return kept;
      if (kept.value.kind === 'new') this.#shelf.remember(kept.value.loaded);
      return this.#described(kept.value.kind === 'new' ? kept.value.loaded.stored.id : kept.value.id);
    });
  }

  /**
   * The session's open reviews, file by file, and the one that its reader left. For several turns also earlier ones,
   * since what was taken back of each answer is only in that answer's own review.
   */
  async #earlier({
    source,
    scopeOf,
  }: Pick<CommandInput<'review/publish'>, 'source' | 'scopeOf'>): Promise<EarlierReviews> {
    if (source.kind !== 'turn') return [];
    const isOne = source.from !== null && source.from === source.to;
    const wanted = this.#options.records.suggestions().filter((one) => {
      if (one.id === scopeOf) return isScope(one);
      if (one.turns === undefined || !isOfSession(one.turns, source.session)) return false;
      const isOfTurn = one.turns.from === source.from && one.turns.to === source.to;
      return one.end === null || (one.decidedCount > 0 && (!isOne || isOfTurn));
    });
    const earlier: EarlierReviews[number][] = [];
    for (const stored of wanted.slice(0, EARLIER_MAX_REVIEWS)) {
      const loaded = await this.#shelf.load(stored.id);
      const reviews = loaded.ok ? await this.#shelf.reviews(loaded.value) : loaded;
      if (reviews.ok) earlier.push({ stored, files: reviews.value });
    }
    return earlier;
  }

  /** A turn is running or has just ended: updates the open reviews that show it. */
  async renew(of: TurnOfSession): Promise<Result<void>> {
    for (const shown of this.#options.records.openSuggestions()) {
      if (shown.turns === undefined || !showsTurn(shown, of)) continue;
      const { target, description, stage = false, turns } = shown;
      const input = {
        target,
        description,
        stage,
        source: { kind: 'turn', ...turns },
        filter: ALL_FILES,
        author: null,
        updates: null,
        scopeOf: null,
      } as const;
      // A request for some files does not get the others.
      if (shown.asked !== askedFor(input)) continue;
      const renewed = await this.publish(input);
      // If a turn has no changes left, its review stays as it was.
      if (!renewed.ok && renewed.error.code !== 'invalid') return renewed;
    }
    return ok(undefined);
  }

  async #described(id: string): Promise<Result<Suggestion>> {
    const loaded = await this.#shelf.load(id);
    if (!loaded.ok) return loaded;
    const reviews = await this.#shelf.reviews(loaded.value);
    if (!reviews.ok) return reviews;
    return this.#counted(loaded.value, await describeSuggestion(loaded.value, reviews.value));
  }

  /** Stores how many of these hunks are open if the target changed that, and tells every client. */
  async #counted(loaded: Loaded, shown: Suggestion): Promise<Result<Suggestion>> {
    const { records } = this.#options;
    const { stored } = loaded;
    // Thousands of hunks may be described, counted, stored, checked and sent: each in its own turn of the loop.
    await setImmediate();
    const isKept = stored.end === null && stored.write !== 'on-save';
    const files = isKept ? filesAsSeen(loaded, shown.hunks) : new Map<number, StoredFile>();
    if (files.size === 0) return ok(await withRivals(records, shown));
    const next = { ...loaded, files: loaded.files.map((file, position) => files.get(position) ?? file) };
    const counts = countHunks(next);
    const isNews = counts.decidedCount !== stored.decidedCount;
    const counted = { ...stored, ...counts, revision: stored.revision + (isNews ? 1 : 0) };
    const written = records.write((writer) => {
      for (const [position, file] of files) writer.putFile(stored.id, position, file);
      writer.putSuggestion(counted);
      if (isNews) writer.changed(summarize(counted), []);
      return ok(undefined);
    });
    if (!written.ok) return written;
    this.#shelf.remember({ ...next, stored: counted });
    await setImmediate();
    return ok(await withRivals(records, { ...shown, ...summarize(counted) }));
  }

  /** Newest first. */
  list(input: CommandInput<'review/list'>): Result<SuggestionSummary[]> {
    const target = input.target === null ? null : realPath(input.target);
    const wanted = (one: StoredSuggestion) =>
      target === null || one.target === target || one.target.startsWith(`${target}/`);
    const { records } = this.#options;
    const all = input.ended ? records.suggestions() : records.openSuggestions();
    return ok(all.filter(wanted).map(summarize));
  }

  show({ suggestion, file, maxDiffBytes = null, first = null }: Show): Promise<Result<Suggestion>> {
    return this.#onLoaded(suggestion, async (loaded) => {
      const hunks = first ?? Number.POSITIVE_INFINITY;
      const reviews = await this.#shelf.reviews(loaded, file, hunks);
      if (!reviews.ok) return reviews;
      return this.#counted(loaded, await describeSuggestion(loaded, reviews.value, { maxDiffBytes, hunks }));
    });
  }

  async lines(input: CommandInput<'review/lines'>): Promise<Result<CommandResult<'review/lines'>>> {
    const loaded = await this.#shelf.load(input.suggestion);
    const found = loaded.ok ? hunkOf(loaded.value, input.hunk) : loaded;
    return found.ok ? ok(hunkLines(found.value.change, input)) : found;
  }

  /** Adds the author's reply to a comment, even on a finished suggestion. Decides nothing. */
  reply({ suggestion, hunk, author, ...reply }: CommandInput<'review/reply'>): Promise<Result<Replied>> {
    return this.#onLoaded(suggestion, async (loaded) => {
      const { author: own } = loaded.stored;
      if (author !== null && own != null && own !== author)
        return fail('refused', `This suggestion is by ${own}: ${author} cannot reply as its author.`);
      const replied = replyOn(loaded, hunk, reply);
      if (!replied.ok) return replied;
      const stored = { ...loaded.stored, revision: loaded.stored.revision + 1 };
      const changes = new Map(loaded.changes).set(replied.value.id, replied.value);
      const next = { ...loaded, stored, changes };
      const opened = await openFile(next, replied.value.file, this.#options.blobs);
      if (!opened.ok) return opened;
      const [shown] = await describeHunks(next, [{ review: opened.value.review, ids: [hunk] }]);
      if (shown === undefined) return fail('not_found', `Hunk not found: ${hunk}`);
      return this.#options.records.write((writer) => {
        writer.putChanges(suggestion, [rowOf(replied.value)]);
        writer.putSuggestion(stored);
        writer.changed(summarize(stored), []);
        this.#shelf.remember(next);
        return ok({ hunk: shown, revision: stored.revision });
      });
    });
  }

  /** Reopens a finished suggestion. Decisions, files and commits stay. */
  reopen(suggestion: string): Promise<Result<SuggestionSummary>> {
    return this.#onLoaded(suggestion, async ({ stored }) => {
      if (stored.end === null) return ok(summarize(stored));
      const replaced = this.#shelf.replacedWords(stored);
      if (replaced !== undefined)
        return fail('refused', 'This review was not finished: it continues in another one.', replaced);
      const next = { ...stored, end: null, revision: stored.revision + 1 };
      return this.#options.records.write((writer) => {
        writer.putSuggestion(next);
        writer.changed(summarize(next), []);
        return ok(summarize(next));
      });
    });
  }

  /** The last choice for accepted changes in the same folder; null if there is nothing to commit to. */
  lastSync(suggestion: string): Sync | null {
    const { records } = this.#options;
    const own = records.suggestion(suggestion);
    if (own === null || own.write === 'on-save' || topOf(own.target) === null) return null;
    return (
      records.suggestions().find((one) => one.target === own.target && one.sync !== undefined)?.sync ?? 'keep'
    );
  }

  revisionOf(suggestion: string): number | null {
    return this.#options.records.suggestion(suggestion)?.revision ?? null;
  }

  /** The three sides of a hunk against the target's content. */
  conflict(input: Ref): Promise<Result<CommandResult<'review/conflict'>>> {
    return this.#look(input, (review, change) => sidesOf(review, change));
  }

  /** A hunk's current place, the lines around it, and what it was modified to. */
  inspect(input: CommandInput<'review/inspect'>): Promise<Result<CommandResult<'review/inspect'>>> {
    return this.#look(input, (review, change) => inspect(review, change, input));
  }

  /** Where a file's hunks are in an editor's text of it. */
  places(input: CommandInput<'review/places'>): Promise<Result<CommandResult<'review/places'>>> {
    return this.#serial(async () => {
      const loaded = await this.#shelf.load(input.suggestion);
      const reviews = loaded.ok ? await this.#shelf.reviews(loaded.value, input.file) : loaded;
      return reviews.ok ? ok(reviews.value.flatMap((review) => hunkPlaces(review, input.text))) : reviews;
    });
  }

  /** The whole text of a hunk's file before and after its suggestion. */
  texts(input: Ref): Promise<Result<CommandResult<'review/texts'>>> {
    return this.#look(input, fileTexts);
  }

  #look<T>(input: Ref, look: (review: FileReview, change: Change) => T): Promise<Result<T>> {
    return this.#onLoaded(input.suggestion, async (loaded) => {
      const found = hunkOf(loaded, input.hunk);
      if (!found.ok) return found;
      const opened = await openFile(loaded, found.value.position, this.#options.blobs);
      if (!opened.ok) return opened;
      const { review } = opened.value;
      return ok(look(review, review.find(input.hunk) ?? found.value.change));
    });
  }

  /** Finishes a suggestion; accepted changes stay. */
  finish(input: CommandInput<'review/finish'>): Promise<Result<CommandResult<'review/finish'>>> {
    return this.#serial(async () => {
      const loaded = await this.#shelf.toBeEnded(input.suggestion, input.how);
      if (!loaded.ok) return loaded;
      if (input.commit && loaded.value.stored.write === 'on-save') {
        const message = 'What the agent proposed is written by a save; nothing was committed.';
        return fail('refused', message, 'Save it, then commit.');
      }
      return this.#finisher.finish(loaded.value, input);
    });
  }

  /** Updates every sandbox to decisions from before a crash; failures are reported at the next decision. */
  async #followAll(): Promise<void> {
    if ((this.#options.settings ?? (() => DEFAULT_SETTINGS))().revertOnReject === false) return;
    for (const { id, sandbox } of this.#options.records.openSuggestions()) {
      const loaded = typeof sandbox === 'string' ? await this.#shelf.load(id) : null;
      if (loaded?.ok) await this.#follower.follow(loaded.value);
    }
  }

  /** The same with a suggestion, which may be finished. */
  #onLoaded<T>(suggestion: string, work: (loaded: Loaded) => Promise<Result<T>>): Promise<Result<T>> {
    return this.#serial(async () => {
      const loaded = await this.#shelf.load(suggestion);
      return loaded.ok ? work(loaded.value) : loaded;
    });
  }

  /** Runs one at a time; first settles an interrupted write. */
  #serial<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    this.decisions.close();
    const next = this.#queue.then(async (): Promise<Result<T>> => {
      const settled = await this.#decider.settle();
      if (!settled.ok) return settled;
      if (!this.#hasFollowed) {
        this.#hasFollowed = true;
        await this.#followAll();
      }
      return work();
    });
    this.#queue = next.catch(() => undefined);
    return next;
  }
}
