/**
 * The review, as commands use it: publishes, shows, decides, undoes. One command at a time, so that each sees
 * what the one before has left, in the store and on disk.
 */
import { fail, ok, type Result } from '../lib/result.ts';
import { sideBySide } from '../lib/side-by-side.ts';
import type { CommandInput, CommandResult, CommandsBy, ServiceOf } from '../protocol/command.ts';
import type { Hunk, LineRange, Suggestion, SuggestionSummary } from '../protocol/review.ts';
import type { Change } from './core/change.ts';
import type { FileReview } from './core/file-review.ts';
import { bodyLines, runAt } from './core/shown-lines.ts';
import { joinParts, leavesOf, rootOf, splitLines } from './core/split.ts';
import { type Decided, DecisionCommands } from './deciding/decision-commands.ts';
import { DecisionWriter, type Outcome } from './deciding/decision-writer.ts';
import { isMany, stepAll, stepSome } from './deciding/plan-decision.ts';
import { sha256 } from './files/hash.ts';
import { realPath } from './files/target-folder.ts';
import { AfterDecision } from './finishing/after-decision.ts';
import { Finisher } from './finishing/finisher.ts';
import { DEFAULT_SETTINGS, type ReviewSettings } from './finishing/settings.ts';
import { Proposals } from './proposals/proposals.ts';
import { Publisher } from './publishing/publisher.ts';
import {
  changeAt,
  type Loaded,
  load,
  loadWithoutPatch,
  openFile,
  positionOf,
} from './records/load-suggestion.ts';
import type { Blobs, ReviewRecords, StoredSuggestion } from './records/records.ts';
import { Sandboxes } from './sandboxes/sandboxes.ts';
import { hideTwins, isTwin, SourceFollower } from './sandboxes/source-follower.ts';
import { outsideOf } from './showing/describe-comment.ts';
import { describeSuggestion, fileName, summarize } from './showing/describe-suggestion.ts';
import { fileTexts } from './showing/file-texts.ts';
import { hunkLines } from './showing/hunk-lines.ts';
import { inspect, sidesOf } from './showing/hunk-surroundings.ts';
import { withRivals } from './showing/rival-suggestions.ts';

/** Loaded patches that are kept in memory. */
const CACHE_MAX_SUGGESTIONS = 8;
/** Files read side by side: most of the time is waiting. */
const READS_AT_ONCE = 8;

export interface ReviewServiceOptions {
  readonly records: ReviewRecords;
  readonly blobs: Blobs;
  readonly now: () => number;
  readonly newId: () => string;
  /** Appends to the feedback log; a log that cannot be written stops no decision. */
  readonly log: (outcomes: readonly Outcome[]) => Promise<void>;
  /** The folder that holds all sandboxes. */
  readonly sandboxes: string;
  /** Read at every use; left out: the defaults. */
  readonly settings?: () => ReviewSettings;
}

/** The bound of the diffs is a screen's matter; others take what fits. */
type Show = Pick<CommandInput<'review/show'>, 'suggestion' | 'file'> &
  Partial<Pick<CommandInput<'review/show'>, 'maxDiffBytes' | 'first'>>;
type Ref = { readonly suggestion: string; readonly hunk: string };
type Decide = CommandInput<'review/decide'>;

export class ReviewService implements ServiceOf<CommandsBy<'reviews'>> {
  readonly #options: ReviewServiceOptions;
  readonly #decider: DecisionWriter;
  readonly #publisher: Publisher;
  readonly #follower: SourceFollower;
  readonly #finisher: Finisher;
  readonly #decisions: DecisionCommands;
  readonly sandboxes: Sandboxes;
  readonly #cache = new Map<string, Loaded>();
  /** Changes that are written on a save: the same queue, the same records. */
  readonly proposals: Proposals;
  #queue: Promise<unknown> = Promise.resolve();
  /** Sandboxes have been brought to what was decided before we started. */
  #hasFollowed = false;

  constructor(given: ReviewServiceOptions) {
    const options = { ...given, records: hideTwins(given.records) };
    this.#options = options;
    this.#decider = new DecisionWriter(options);
    this.#publisher = new Publisher(options);
    this.#follower = new SourceFollower({ ...options, decider: this.#decider });
    const reviews = (loaded: Loaded) => this.#reviews(loaded);
    this.sandboxes = new Sandboxes({
      root: options.sandboxes,
      now: options.now,
      suggestions: () => options.records.suggestions(),
      isPublished: async (id, file) => {
        const loaded = this.#load(id);
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
    this.#decisions = new DecisionCommands({
      ...options,
      decider: this.#decider,
      after: new AfterDecision({ ...options, follower: this.#follower, finisher: this.#finisher, settings }),
      serial: (work) => this.#serial(work),
      open: (id) => this.#openSuggestion(id),
      remember: (loaded) => this.#remember(loaded),
    });
    this.proposals = new Proposals({
      ...options,
      decider: this.#decider,
      serial: (work) => this.#serial(work),
      load: (id) => this.#load(id),
      remember: (loaded) => this.#remember(loaded),
    });
  }

  /** Takes a change in. */
  async publish(input: CommandInput<'review/publish'>): Promise<Result<Suggestion>> {
    // A crash may have left a file half written that the change is about.
    const ready = await this.#serial(async () => ok(undefined));
    const offer = ready.ok ? await this.#publisher.read(input) : ready;
    if (!offer.ok) return offer;
    return this.#serial(async () => {
      const kept = await this.#publisher.keep(offer.value);
      if (!kept.ok) return kept;
      if (kept.value.kind === 'new') this.#remember(kept.value.loaded);
      return this.#described(kept.value.kind === 'new' ? kept.value.loaded.stored.id : kept.value.id);
    });
  }

  async #described(id: string): Promise<Result<Suggestion>> {
    const loaded = this.#load(id);
    if (!loaded.ok) return loaded;
    const reviews = await this.#reviews(loaded.value);
    if (!reviews.ok) return reviews;
    return ok(withRivals(this.#options.records, await describeSuggestion(loaded.value, reviews.value)));
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

  /** A suggestion, or one file of it, as the target has it now. */
  show({ suggestion, file, maxDiffBytes = null, first = null }: Show): Promise<Result<Suggestion>> {
    return this.#serial(async () => {
      const loaded = this.#load(suggestion);
      if (!loaded.ok) return loaded;
      const hunks = first ?? Number.POSITIVE_INFINITY;
      const reviews = await this.#reviews(loaded.value, file, hunks);
      if (!reviews.ok) return reviews;
      const shown = await describeSuggestion(loaded.value, reviews.value, { maxDiffBytes, hunks });
      return ok(withRivals(this.#options.records, shown));
    });
  }

  /** Lines of a hunk, for a screen. */
  lines(input: CommandInput<'review/lines'>): Result<CommandResult<'review/lines'>> {
    const loaded = this.#load(input.suggestion);
    if (!loaded.ok) return loaded;
    const position = positionOf(loaded.value, input.hunk);
    const change = position < 0 ? null : changeAt(loaded.value, position, input.hunk);
    return change === null ? fail('not_found', `Hunk not found: ${input.hunk}`) : hunkLines(change, input);
  }

  /** Decides; all of it happens, or nothing. */
  decide(input: Decide): Promise<Result<Decided>> {
    return this.#decisions.queue.decide(input);
  }

  /** Takes the last decision back (`undo`), or puts it in again. */
  step(input: Ref, direction: 'undo' | 'redo'): Promise<Result<CommandResult<'review/undo'>>> {
    return this.#serial(async () => {
      const loaded = this.#openSuggestion(input.suggestion);
      if (!loaded.ok) return loaded;
      const all = isMany(input.hunk);
      const position = all ? -1 : positionOf(loaded.value, input.hunk);
      if (!all && position < 0) return fail('not_found', `Hunk not found: ${input.hunk}`);
      const apply = (review: FileReview) => stepAll(review, all ? null : input.hunk, direction);
      const positions = all ? [...loaded.value.subjects.keys()] : [position];
      const changes = positions.map((at) => ({ position: at, apply }));
      const decided = await this.#decisions.inPhases(loaded.value, changes, {
        action: direction,
        comment: null,
      });
      if (!decided.ok) return decided;
      if (all && decided.value.touched.length === 0)
        return fail('refused', `There is nothing to ${direction}.`);
      return this.#decisions.answer(loaded.value, decided.value);
    });
  }

  /** Takes one action on several hunks back, or does it again; those that others have changed since stay. */
  stepHunks(
    suggestion: string,
    hunks: readonly string[],
    direction: 'undo' | 'redo',
  ): Promise<Result<CommandResult<'review/undo'>>> {
    const [only, ...more] = hunks;
    if (only !== undefined && more.length === 0) return this.step({ suggestion, hunk: only }, direction);
    return this.#serial(async () => {
      const loaded = this.#openSuggestion(suggestion);
      if (!loaded.ok) return loaded;
      const ids = new Set(hunks);
      const positions = new Set(
        hunks.map((hunk) => positionOf(loaded.value, hunk)).filter((position) => position >= 0),
      );
      const apply = (review: FileReview) => stepSome(review, ids, direction);
      const changes = [...positions].map((position) => ({ position, apply }));
      const about = { action: direction, comment: null };
      const done = await this.#decisions.inPhases(loaded.value, changes, about);
      if (!done.ok) return done;
      if (done.value.touched.length === 0) return fail('refused', `There is nothing to ${direction}.`);
      return this.#decisions.answer(loaded.value, done.value);
    });
  }

  /** Lines as the diff of a hunk (or of a part) shows them, as `decide` counts them; without lines, the change at `at`. */
  linesOf({ suggestion, hunk }: Ref, lines: LineRange | null, at: number): Result<LineRange> {
    const loaded = this.#load(suggestion);
    if (!loaded.ok) return loaded;
    const change = changeAt(loaded.value, positionOf(loaded.value, hunk), hunk);
    if (change === null) return fail('not_found', `Hunk not found: ${hunk}`);
    const shown = lines === null ? runAt(change, at) : ok(lines);
    return shown.ok ? bodyLines(change, shown.value) : shown;
  }

  /** Opens a suggestion again that had ended. What was decided, written or committed stays. */
  reopen(suggestion: string): Promise<Result<SuggestionSummary>> {
    return this.#serial(async () => {
      const loaded = this.#load(suggestion);
      if (!loaded.ok) return loaded;
      const { stored } = loaded.value;
      if (stored.end === null) return ok(summarize(stored));
      const next = { ...stored, end: null, revision: stored.revision + 1 };
      return this.#options.records.write((writer) => {
        writer.putSuggestion(next);
        writer.changed(summarize(next), []);
        return ok(summarize(next));
      });
    });
  }

  /** The revision that is kept; null for a suggestion that is not there. */
  revisionOf(suggestion: string): number | null {
    return this.#options.records.suggestion(suggestion)?.revision ?? null;
  }

  /** Splits a hunk at these lines, or joins its parts; no decision is made. */
  cut(
    input: Ref,
    range: { first: number; last: number } | null,
  ): Promise<Result<CommandResult<'review/split'>>> {
    return this.#serial(async () => {
      const loaded = this.#openSuggestion(input.suggestion);
      if (!loaded.ok) return loaded;
      const position = positionOf(loaded.value, input.hunk);
      if (position < 0) return fail('not_found', `Hunk not found: ${input.hunk}`);
      const apply = (review: FileReview): Result<{ review: FileReview; ids: readonly string[] }> => {
        const next =
          range === null ? joinParts(review, input.hunk) : splitLines(review, input.hunk, range, sha256);
        if (!next.ok) return next;
        const value = 'review' in next.value ? next.value.review : next.value;
        // Of the hunks as they were: a part that was joined is no more.
        const root = rootOf(review, input.hunk)?.id ?? input.hunk;
        return ok({ review: value, ids: leavesOf(value, root).map((leaf) => leaf.id) });
      };
      const done = await this.#decider.run(loaded.value, [{ position, apply }], {
        action: null,
        comment: null,
      });
      return done.ok ? this.#decisions.answer(loaded.value, done.value) : done;
    });
  }

  /** Adds a comment to a hunk. */
  comment(input: CommandInput<'review/comment'>): Promise<Result<Hunk>> {
    return this.#serial(async () => {
      const loaded = this.#load(input.suggestion);
      if (!loaded.ok) return loaded;
      const position = positionOf(loaded.value, input.hunk);
      if (position < 0) return fail('not_found', `Hunk not found: ${input.hunk}`);
      const { comment, lines } = input;
      const change = changeAt(loaded.value, position, input.hunk);
      const outside = lines === null || change === null ? null : outsideOf(change, lines);
      if (outside !== null) return fail('invalid', outside);
      const apply = (review: FileReview) => ok({ review, ids: [input.hunk] });
      const done = await this.#decider.run(loaded.value, [{ position, apply }], {
        action: 'comment',
        comment,
        lines,
      });
      if (!done.ok) return done;
      const answer = await this.#decisions.answer(loaded.value, done.value);
      if (!answer.ok) return answer;
      const [hunk] = answer.value.hunks;
      return hunk === undefined ? fail('not_found', `Hunk not found: ${input.hunk}`) : ok(hunk);
    });
  }

  /** The three sides of a hunk against what the target has. */
  conflict(input: Ref): Promise<Result<CommandResult<'review/conflict'>>> {
    return this.#look(input, (review, change) => sidesOf(review, change));
  }

  /** What stands around a hunk, where it is now, and what it was modified to. */
  inspect(input: CommandInput<'review/inspect'>): Promise<Result<CommandResult<'review/inspect'>>> {
    return this.#look(input, (review, change) => inspect(review, change, input));
  }

  /** The whole text of a hunk's file before and after its suggestion. */
  texts(input: Ref): Promise<Result<CommandResult<'review/texts'>>> {
    return this.#look(input, fileTexts);
  }

  #look<T>(input: Ref, look: (review: FileReview, change: Change) => T): Promise<Result<T>> {
    return this.#serial(async () => {
      const loaded = this.#load(input.suggestion);
      if (!loaded.ok) return loaded;
      const position = positionOf(loaded.value, input.hunk);
      const opened = position < 0 ? null : await openFile(loaded.value, position, this.#options.blobs);
      if (opened !== null && !opened.ok) return opened;
      const review = opened?.value.review ?? null;
      const change = review?.find(input.hunk) ?? null;
      if (review === null || change === null) return fail('not_found', `Hunk not found: ${input.hunk}`);
      return ok(look(review, change));
    });
  }

  /** Ends a suggestion; what was accepted stays. */
  finish(input: CommandInput<'review/finish'>): Promise<Result<CommandResult<'review/finish'>>> {
    return this.#serial(async () => {
      const loaded = this.#toBeEnded(input);
      if (!loaded.ok) return loaded;
      if (input.commit && loaded.value.stored.write === 'on-save') {
        const message = 'What the agent proposed is written by a save; nothing was committed.';
        return fail('refused', message, 'Save it, then commit.');
      }
      return this.#finisher.finish(loaded.value, input);
    });
  }

  /** Of the files that hold the first `hunks`. */
  async #reviews(
    loaded: Loaded,
    file: string | null = null,
    hunks = Number.POSITIVE_INFINITY,
  ): Promise<Result<FileReview[]>> {
    let left = hunks;
    const positions = [...loaded.subjects.entries()].flatMap(([position, subject]) => {
      if (left <= 0 || (file !== null && fileName(subject) !== file)) return [];
      left -= subject.changes.length;
      return [position];
    });
    return sideBySide(positions, READS_AT_ONCE, async (position) => {
      const opened = await openFile(loaded, position, this.#options.blobs);
      return opened.ok ? ok(opened.value.review) : opened;
    });
  }

  /** What cannot be read any more can still be discarded. */
  #toBeEnded({ suggestion, how }: CommandInput<'review/finish'>): Result<Loaded> {
    const loaded = this.#openSuggestion(suggestion);
    if (loaded.ok || loaded.error.code !== 'internal' || how !== 'discard') return loaded;
    const bare = loadWithoutPatch(this.#options.records, suggestion);
    return bare?.stored.end === null ? ok(bare) : loaded;
  }

  #openSuggestion(id: string): Result<Loaded> {
    const loaded = this.#load(id);
    if (!loaded.ok || loaded.value.stored.end === null) return loaded;
    return fail('refused', `Suggestion ${id} is ${loaded.value.stored.end}; nothing can be decided on it.`);
  }

  #load(id: string): Result<Loaded> {
    if (isTwin(id)) return fail('not_found', `Suggestion not found: ${id}`);
    const loaded = load(this.#options.records, this.#options.blobs, id, this.#cache.get(id) ?? null);
    if (loaded.ok) this.#remember(loaded.value);
    return loaded;
  }

  #remember(loaded: Loaded): void {
    this.#cache.delete(loaded.stored.id);
    this.#cache.set(loaded.stored.id, loaded);
    for (const id of this.#cache.keys()) {
      if (this.#cache.size <= CACHE_MAX_SUGGESTIONS) break;
      this.#cache.delete(id);
    }
  }

  /** Brings every sandbox to what was decided before a crash; one that cannot follow is told at the next decision. */
  async #followAll(): Promise<void> {
    if ((this.#options.settings ?? (() => DEFAULT_SETTINGS))().revertOnReject === false) return;
    for (const { id, sandbox } of this.#options.records.openSuggestions()) {
      const loaded = typeof sandbox === 'string' ? this.#load(id) : null;
      if (loaded?.ok) await this.#follower.follow(loaded.value);
    }
  }

  /** One after the other; what was cut short is ended first. */
  #serial<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    this.#decisions.queue.close();
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
