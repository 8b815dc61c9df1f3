/** The live data of the Review screen: waiting suggestions, and the open one with all its hunks. It decides nothing. */
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { Scheduler, type Timers } from '../../lib/scheduler.ts';
import type { Client } from '../../protocol/client.ts';
import type { CommandParams } from '../../protocol/command.ts';
import type { SuggestionSource } from '../../protocol/commands/review.ts';
import type { EventBody } from '../../protocol/event.ts';
import type { IntentPaint, IntentResult } from '../../protocol/intent.ts';
import type { FileTexts, Hunk, Suggestion, SuggestionSummary } from '../../protocol/review.ts';
import { endOf } from '../../review/desk/desk.ts';
import type { KeptLook, ReviewPort, ReviewRequest, ReviewView, ScopeWish } from '../../ui/review/port.ts';
import { byProject } from '../../ui/review/state.ts';
import { LiveView } from '../live-view.ts';
import { MarkedHunk, type MarkedPlace } from './marked-hunk.ts';
import {
  filesOf,
  hasSameHunks,
  isComplete,
  isCut,
  replaced,
  sameHunks,
  withFile,
  withKnownDiff,
  withViewed,
} from './suggestion-records.ts';

/** The least time between two reads of a suggestion during decisions. */
const READ_GAP_MS = 150;
/** The first read: more than any screen shows. */
const FIRST = { maxDiffBytes: 64 * 1024, first: 256 } as const;
/** When more files may have changed, all are read at once. */
const STALE_MAX_FILES = 16;

export interface LiveReviewOptions {
  readonly client: Client;
  readonly timers: Timers;
  /** Folder of the project to which a patch in an answer belongs. */
  readonly target: () => string;
  /** Reports changes of a file until the returned function is called. */
  readonly watch: (file: string, onChange: () => Promise<void>) => () => void;
  readonly onProblem: (message: string) => void;
  readonly look?: KeptLook;
}

const NOTHING_OPEN = {
  open: null,
  conflict: null,
  modified: null,
  around: new Map(),
  viewed: new Set<string>(),
  problem: null,
  isReading: false,
};
const EMPTY: ReviewView = { ...NOTHING_OPEN, suggestions: [], project: null, isLooking: true };

const NOWHERE: MarkedPlace = { suggestion: null, hunk: null, context: 0 };

type Answered = Pick<IntentResult, 'suggestion' | 'hunks'>;

export class LiveReview extends LiveView<ReviewView> implements ReviewPort {
  readonly look: KeptLook | undefined;
  readonly #options: LiveReviewOptions;
  readonly #reads: Scheduler;
  #place = NOWHERE;
  readonly #marked: MarkedHunk;
  /** Grows with every decision: an answer requested before a decision is outdated. */
  #generation = 0;
  /** The suggestion of this project that ended last, as far as this process knows. */
  #lastEnded: string | null = null;
  #intents: Promise<unknown> = Promise.resolve();
  /** Intents without an answer yet: reads what they affect once it comes. */
  #waiting = 0;
  /** Files whose hunks may have changed since they were read; null for all files. */
  #stale: Set<string> | null = null;
  /** Answers that are not shown yet. */
  readonly #answers: Answered[] = [];
  #taking: Promise<void> | null = null;

  constructor(options: LiveReviewOptions) {
    super(EMPTY);
    this.#options = options;
    this.look = options.look;
    const { timers, onProblem, client, watch } = options;
    this.#marked = new MarkedHunk({
      client,
      watch,
      place: () => this.#place,
      view: () => this.view,
      publish: (change) => this.publish(change),
      take: (hunks) => this.#take(null, hunks),
      onFileChange: (file) => this.#readSoon([file]),
    });
    this.#reads = new Scheduler({
      minGapMs: READ_GAP_MS,
      run: () => this.#read(),
      onError: (error) => onProblem(errorMessage(error)),
      timers,
    });
    this.onClose(
      () => this.#reads.stop(),
      () => this.#marked.close(),
    );
  }

  /** Subscribes, lists the waiting suggestions, and reads the open one. */
  async start(): Promise<void> {
    this.listen(
      this.#options.client,
      (body) => {
        if (body.type === 'review/published') this.#hear(body.suggestion, null);
        if (body.type === 'review/changed') this.#hear(body.suggestion, filesOf(body));
        if (body.type === 'review/touched') this.#touched(body);
        if (body.type === 'review/viewed') this.#seen(body.hunks, body.viewed);
      },
      () => void this.refresh(),
    );
    await this.#list();
    await this.#reads.ended();
  }

  readonly follow = (suggestion: string | null, hunk: string | null, context: number): void => {
    const before = this.#place;
    const isSame = before.suggestion === suggestion && before.hunk === hunk && before.context === context;
    if (isSame) return;
    this.#place = { suggestion, hunk, context };
    if (before.suggestion !== suggestion) {
      this.#marked.reset();
      this.publish(NOTHING_OPEN);
      if (suggestion !== null) this.#readSoon(null);
    } else void this.#marked.read().catch((error) => this.#options.onProblem(errorMessage(error)));
  };

  readonly intend = (suggestion: string, request: ReviewRequest): Promise<Result<IntentResult>> => {
    const intending = this.#intend(suggestion, request);
    this.#intents = Promise.allSettled([this.#intents, intending]);
    return intending;
  };

  readonly begin = async (source: SuggestionSource, name: string): Promise<Result<SuggestionSummary>> => {
    const taken = await this.#publish(source, name);
    // List it before it is opened.
    if (taken.ok) await this.#list();
    return taken;
  };

  readonly offer = async (patch: string): Promise<Result<number>> => {
    // A fence ends the block before its last line end; a patch without it would be truncated.
    const ended = patch.endsWith('\n') ? patch : `${patch}\n`;
    const source = { kind: 'patch', patch: Buffer.from(ended).toString('base64') } as const;
    const published = await this.#publish(source, 'From an answer');
    return published.ok ? ok(published.value.hunks.length) : published;
  };

  readonly locate = async (
    suggestion: string,
    hunk: string,
  ): Promise<Result<{ readonly file: string; readonly line: number }>> => {
    // A pending decision moves lines.
    await this.#intents;
    const seen = await this.#options.client.request('review/inspect', { suggestion, hunk });
    if (!seen.ok) return seen;
    const target = this.view.suggestions.find(({ id }) => id === suggestion)?.target ?? '';
    return ok({ file: path.join(target, seen.value.path), line: seen.value.line ?? 1 });
  };

  readonly texts = (suggestion: string, hunk: string): Promise<Result<FileTexts>> =>
    this.#options.client.request('review/texts', { suggestion, hunk });

  readonly markViewed = async (hunks: readonly string[], viewed: boolean): Promise<Result<void>> => {
    this.#seen(hunks, viewed);
    const marked = await this.#options.client.request('review/mark-viewed', { hunks: [...hunks], viewed });
    if (marked.ok) return ok(undefined);
    this.#seen(hunks, !viewed);
    return marked;
  };

  #seen(hunks: readonly string[], isViewed: boolean): void {
    const viewed = withViewed(this.view, hunks, isViewed);
    if (viewed !== null) this.publish({ viewed });
  }

  async #intend(
    suggestion: string,
    { intent, confirmed, onPaint }: ReviewRequest,
  ): Promise<Result<IntentResult>> {
    this.#generation += 1;
    this.#waiting += 1;
    const answered = await this.#options.client.request(
      'review/intend',
      { suggestion, intent, confirmed },
      // The host has the same protocol version.
      { onEarly: (paint) => onPaint(paint as IntentPaint) },
    );
    this.#generation += 1;
    this.#waiting -= 1;
    if (answered.ok) await this.#takeSoon(answered.value);
    // A split changes the set of hunks; a refusal means that the files differ from what was shown.
    if (!answered.ok || answered.value.kind === 'refused' || isCut(intent)) {
      this.#stale = null;
      await this.#read();
    } else this.#readSoon(answered.value.hunks.map(({ file }) => file));
    return answered;
  }

  readonly openScope = async ({ left, target, turns, label }: ScopeWish): Promise<Result<string>> => {
    const published = await this.#options.client.request('review/publish', {
      target,
      description: label,
      source: turns === null ? { kind: 'working_tree' } : { kind: 'turn', ...turns },
      scopeOf: left,
    });
    return published.ok ? ok(published.value.id) : published;
  };

  #publish(
    source: CommandParams<'review/publish'>['source'],
    description: string,
  ): Promise<Result<Suggestion>> {
    const target = this.#options.target();
    return this.#options.client.request('review/publish', { target, description, source });
  }

  readonly reopenLast = async (): Promise<Result<SuggestionSummary>> => {
    const { client } = this.#options;
    const found = this.#lastEnded === null ? await this.#newestEnded() : ok(this.#lastEnded);
    if (!found.ok) return found;
    const reopened = await client.request('review/reopen', { suggestion: found.value });
    if (reopened.ok) this.#hear(reopened.value, null);
    return reopened;
  };

  /** Nothing has ended in this process yet: takes the newest of those that ended before. */
  async #newestEnded(): Promise<Result<string>> {
    const listed = await this.#options.client.request('review/list', { ended: true });
    if (!listed.ok) return listed;
    const ended = listed.value.find((one) => this.#hasEnded(one, listed.value));
    return ended === undefined ? fail('not_found', 'No review of this project has ended yet') : ok(ended.id);
  }

  /** It is of this project, and no other suggestion replaced it. */
  #hasEnded(one: SuggestionSummary, all: readonly SuggestionSummary[]): boolean {
    if (endOf(one) === null || all.some(({ replaces }) => replaces === one.id)) return false;
    return byProject({ suggestions: [one], project: this.#options.target() }).own.length > 0;
  }

  readonly refresh = async (): Promise<Result<void>> => {
    const listed = await this.#list();
    this.#stale = null;
    if (this.view.open?.id === this.#place.suggestion) await this.#read();
    // What will be shown is already being read, unless that failed.
    else if (!this.#reads.isBusy) this.#reads.request();
    return listed;
  };

  async #list(): Promise<Result<void>> {
    const listed = await this.#options.client.request('review/list', {});
    if (this.isClosed) return ok(undefined);
    if (!listed.ok) {
      this.publish({ problem: listed.error, isLooking: false });
      return listed;
    }
    const project = this.#options.target();
    this.publish({ suggestions: listed.value, project, problem: null, isLooking: false });
    this.#readAhead();
    return ok(undefined);
  }

  /** Rereads these files, or all, once no request is waiting. */
  #readSoon(files: readonly string[] | null): void {
    this.#markStale(files);
    if (this.#waiting === 0) this.#reads.request();
  }

  #markStale(files: Iterable<string> | null): void {
    if (files === null || this.#stale === null) this.#stale = null;
    else for (const file of files) this.#stale.add(file);
    if (this.#stale !== null && this.#stale.size > STALE_MAX_FILES) this.#stale = null;
  }

  async #read(): Promise<void> {
    const { suggestion } = this.#place;
    if (suggestion === null || this.isClosed) return;
    const stale = this.view.open?.id === suggestion ? this.#stale : null;
    this.#stale = new Set();
    const generation = this.#generation;
    const shown = await this.#show(suggestion, stale);
    if (this.isClosed || this.#place.suggestion !== suggestion) return;
    // A decision was made since: this answer is outdated, and a later read is under way.
    if (generation !== this.#generation) return this.#markStale(stale);
    if (!shown.ok) return this.publish({ problem: shown.error });
    const open = sameHunks(this.view.open, shown.value);
    const isNew = !hasSameHunks(this.view.open, open);
    // Update hunks and marks together: a later mark would look like news.
    const viewed = isNew ? await this.#readViewed(open) : this.view.viewed;
    if (this.isClosed || this.#place.suggestion !== suggestion) return;
    if (generation !== this.#generation) return this.#markStale(stale);
    // Older answers must not arrive after this one.
    this.#takeAnswers();
    const isReading = this.view.open?.id !== suggestion && open.hunks.length < open.hunkCount;
    const suggestions = replaced(this.view.suggestions, open);
    this.publish({ open, viewed, suggestions, problem: null, isReading });
    await this.#marked.read();
  }

  /** The current suggestion; if only some files may have changed, reads only these. */
  async #show(suggestion: string, stale: ReadonlySet<string> | null): Promise<Result<Suggestion>> {
    const { client } = this.#options;
    let { open } = this.view;
    if (open?.id !== suggestion) {
      // The visible part comes at once; the rest follows after the first frame.
      const first = await client.request('review/show', { suggestion, ...FIRST });
      if (first.ok && !isComplete(first.value)) this.#readSoon(null);
      return first;
    }
    if (stale === null) return client.request('review/show', { suggestion });
    for (const file of stale) {
      // The diffs of its hunks are known; only their states change.
      const shown = await client.request('review/show', { suggestion, file, maxDiffBytes: 0 });
      if (!shown.ok) return shown;
      const merged: Suggestion | null = withFile(open, file, shown.value);
      // A file has different hunks: someone has split or joined some.
      if (merged === null) return client.request('review/show', { suggestion });
      open = merged;
    }
    return ok(open);
  }

  /** Which of its hunks were seen; empty if unknown. */
  async #readViewed({ hunks }: Suggestion): Promise<ReadonlySet<string>> {
    const seen = await this.#options.client.request('review/viewed', { hunks: hunks.map(({ id }) => id) });
    return new Set(seen.ok ? seen.value.hunks : []);
  }

  /** Someone published or decided. */
  #hear(summary: SuggestionSummary, files: readonly string[] | null): void {
    if (this.#hasEnded(summary, this.view.suggestions)) this.#lastEnded = summary.id;
    this.publish({ suggestions: replaced(this.view.suggestions, summary) });
    this.#readAhead();
    const { open } = this.view;
    if (open?.id === summary.id && open.revision < summary.revision) this.#readSoon(files);
  }

  /** No decision: only the positions and revisions of their hunks changed. */
  #touched({ files, suggestions }: Extract<EventBody, { type: 'review/touched' }>): void {
    const revisions = new Map(suggestions.map(({ id, revision }) => [id, revision]));
    for (const summary of this.view.suggestions) {
      const revision = revisions.get(summary.id);
      if (revision !== undefined) this.#hear({ ...summary, revision }, files);
    }
  }

  /** The user will open the only suggestion next: read it in advance. */
  #readAhead(): void {
    const [only, ...more] = this.view.suggestions;
    if (only === undefined || more.length > 0 || this.#place.suggestion !== null) return;
    this.#place = { ...NOWHERE, suggestion: only.id };
    this.#readSoon(null);
  }

  /** Answers that arrive together, because they were carried out together, change the view once. */
  #takeSoon(answered: Answered): Promise<void> {
    this.#answers.push(answered);
    this.#taking ??= new Promise((resolve) => {
      this.#options.timers.set(() => {
        this.#taking = null;
        this.#takeAnswers();
        resolve();
      }, 0);
    });
    return this.#taking;
  }

  #takeAnswers(): void {
    const answers = Map.groupBy(this.#answers.splice(0), ({ suggestion }) => suggestion?.id ?? null);
    for (const some of answers.values())
      this.#take(
        some.at(-1)?.suggestion ?? null,
        some.flatMap(({ hunks }) => hunks),
      );
  }

  #take(summary: SuggestionSummary | null, hunks: readonly Hunk[]): void {
    const { open, suggestions } = this.view;
    const known = new Map(open?.hunks.map((hunk) => [hunk.id, hunk]));
    const fresh = new Map(hunks.map((hunk) => [hunk.id, withKnownDiff(known.get(hunk.id), hunk)]));
    this.publish({
      suggestions: summary === null ? suggestions : replaced(suggestions, summary),
      open:
        open === null || (summary !== null && summary.id !== open.id)
          ? open
          : { ...open, ...summary, hunks: open.hunks.map((hunk) => fresh.get(hunk.id) ?? hunk) },
    });
  }
}
