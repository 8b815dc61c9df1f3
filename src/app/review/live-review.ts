/**
 * The Review screen's data, alive: the suggestions that wait, and the one that is looked at with all its hunks.
 * Reads anew what an event or a decision has touched; decides nothing itself.
 */
import path from 'node:path';
import { errorMessage, ok, type Result } from '../../lib/result.ts';
import { Scheduler, type Timers } from '../../lib/scheduler.ts';
import type { Client } from '../../protocol/client.ts';
import type { CommandParams, CommandResult } from '../../protocol/command.ts';
import type { Conflict, Hunk, Suggestion, SuggestionSummary } from '../../protocol/review.ts';
import type { ReviewAct, ReviewPort, ReviewView } from '../../ui/ports.ts';
import { readPart, readWholeHunk } from './whole-hunk.ts';

/** A suggestion that is being decided on is read at most this often. */
const READ_GAP_MS = 150;

export interface LiveReviewOptions {
  readonly client: Client;
  readonly timers: Timers;
  /** Folder of the project that a patch of an answer is about. */
  readonly target: () => string;
  /** Tells of changes of a file until what it gives is called. */
  readonly watch: (file: string, onChange: () => Promise<void>) => () => void;
  readonly onProblem: (message: string) => void;
}

const EMPTY: ReviewView = {
  suggestions: [],
  open: null,
  conflict: null,
  part: null,
  problem: null,
  isLooking: true,
};

export class LiveReview implements ReviewPort {
  readonly #options: LiveReviewOptions;
  readonly #listeners = new Set<() => void>();
  readonly #reads: Scheduler;
  #view: ReviewView = EMPTY;
  #place: { readonly suggestion: string | null; readonly hunk: string | null } = {
    suggestion: null,
    hunk: null,
  };
  /** Grows with every decision: an answer that was asked for before one shows the past. */
  #generation = 0;
  #unsubscribe: () => void = () => undefined;
  #closed = false;
  /** The file of the marked hunk: what stands in it decides whether the hunk fits. */
  #watched: { readonly file: string; readonly stop: () => void } | null = null;
  #acts: Promise<unknown> = Promise.resolve();
  /** Revisions of the open suggestion that decisions from here have made. */
  readonly #ownRevisions = new Set<number>();
  /** Hunks of the open suggestion that were read to their end, as far as they can be. */
  readonly #completed = new Set<string>();

  constructor(options: LiveReviewOptions) {
    this.#options = options;
    const { timers, onProblem } = options;
    this.#reads = new Scheduler({
      minGapMs: READ_GAP_MS,
      run: () => this.#read(),
      onError: (error) => onProblem(errorMessage(error)),
      timers,
    });
  }

  readonly getSnapshot = (): ReviewView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Lists what waits, and listens. */
  async start(): Promise<void> {
    this.#unsubscribe = this.#options.client.subscribe(
      ({ body }) => {
        if (body.type === 'review/published' || body.type === 'review/changed') this.#hear(body.suggestion);
      },
      { onGap: () => void this.refresh() },
    );
    await this.#list();
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    this.#watched?.stop();
    this.#reads.stop();
  }

  readonly follow = (suggestion: string | null, hunk: string | null): void => {
    const before = this.#place;
    if (before.suggestion === suggestion && before.hunk === hunk) return;
    this.#place = { suggestion, hunk };
    if (before.suggestion !== suggestion) {
      this.#completed.clear();
      this.#ownRevisions.clear();
      this.#publish({ open: null, conflict: null, part: null, problem: null });
      if (suggestion !== null) this.#reads.request();
    } else void this.#readDetails().catch((error) => this.#options.onProblem(errorMessage(error)));
  };

  /** One after the other: what is asked for builds on what was asked for before. */
  readonly act = (suggestion: string, act: ReviewAct): Promise<Result<readonly Hunk[]>> => {
    const acting = this.#acts.then(() => this.#act(suggestion, act));
    this.#acts = acting.catch(() => undefined);
    return acting;
  };

  readonly offer = async (patch: string): Promise<Result<number>> => {
    const published = await this.#options.client.request('review/publish', {
      target: this.#options.target(),
      description: 'From an answer',
      // A fence ends the block before its last line end; a patch without one is cut off.
      source: {
        kind: 'patch',
        patch: Buffer.from(patch.endsWith('\n') ? patch : `${patch}\n`).toString('base64'),
      },
    });
    return published.ok ? ok(published.value.hunks.length) : published;
  };

  async #act(suggestion: string, act: ReviewAct): Promise<Result<readonly Hunk[]>> {
    this.#generation += 1;
    const acted = await this.#run(suggestion, act);
    this.#generation += 1;
    if (acted.ok && acted.value.summary !== null) this.#ownRevisions.add(acted.value.summary.revision);
    if (acted.ok) this.#take(acted.value.summary, acted.value.hunks);
    // A split changes which hunks there are, a refusal tells that the files are not what was shown.
    if (!acted.ok || act.kind === 'split' || act.kind === 'join' || linesOf(act) !== null) await this.#read();
    else this.#reads.request();
    return acted.ok ? ok(acted.value.hunks) : acted;
  }

  readonly refresh = async (): Promise<Result<void>> => {
    const listed = await this.#list();
    await this.#read();
    return listed;
  };

  async #run(suggestion: string, act: ReviewAct): Promise<Result<Acted>> {
    const { client } = this.#options;
    switch (act.kind) {
      case 'decide':
      case 'modify':
        return decided(await client.request('review/decide', decideParams(suggestion, this.#withOwn(act))));
      case 'undo':
        return decided(await client.request('review/undo', { suggestion, hunk: act.hunk }));
      case 'redo':
        return decided(await client.request('review/redo', { suggestion, hunk: act.hunk }));
      case 'split':
        return decided(await client.request('review/split', { suggestion, hunk: act.hunk, ...act.lines }));
      case 'join':
        return decided(await client.request('review/join', { suggestion, hunk: act.hunk }));
      case 'comment': {
        const { kind: _, ...about } = act;
        const commented = await client.request('review/comment', { suggestion, ...about });
        return commented.ok ? ok({ summary: null, hunks: [commented.value] }) : commented;
      }
      case 'finish': {
        const finished = await client.request('review/finish', { suggestion, how: act.how });
        return finished.ok ? ok({ summary: finished.value, hunks: [] }) : finished;
      }
    }
  }

  /** The reader saw what was decided here a moment ago, although its revision was not known yet. */
  #withOwn<A extends ReviewAct>(act: A): A {
    if (act.kind !== 'decide' || act.revision === undefined) return act;
    let { revision } = act;
    while (this.#ownRevisions.has(revision + 1)) revision += 1;
    return { ...act, revision };
  }

  async #list(): Promise<Result<void>> {
    const listed = await this.#options.client.request('review/list', {});
    if (this.#closed) return ok(undefined);
    if (!listed.ok) {
      this.#publish({ problem: listed.error, isLooking: false });
      return listed;
    }
    this.#publish({ suggestions: listed.value, problem: null, isLooking: false });
    this.#readAhead();
    return ok(undefined);
  }

  async #read(): Promise<void> {
    const { suggestion } = this.#place;
    if (suggestion === null || this.#closed) return;
    const generation = this.#generation;
    const shown = await this.#options.client.request('review/show', { suggestion });
    if (this.#closed || this.#place.suggestion !== suggestion) return;
    // Something was decided since: what came is older than what is shown, and a later read is on its way.
    if (generation !== this.#generation) return;
    if (!shown.ok) return this.#publish({ problem: shown.error });
    const open = sameHunks(this.#view.open, shown.value);
    this.#publish({ open, suggestions: replaced(this.#view.suggestions, open), problem: null });
    await this.#readDetails();
  }

  /** What only the marked hunk needs. */
  async #readDetails(): Promise<void> {
    const { suggestion, hunk } = this.#place;
    if (suggestion === null || hunk === null) return;
    this.#watchMarked(hunk);
    await this.#readConflict(suggestion, hunk);
    await this.#readRest(suggestion);
    await this.#readPart(suggestion, hunk);
  }

  #watchMarked(hunk: string): void {
    const { open } = this.#view;
    const marked = open?.hunks.find(({ id }) => id === hunk);
    if (open === null || marked === undefined) return;
    const file = path.join(open.target, marked.file);
    if (this.#watched?.file === file) return;
    this.#watched?.stop();
    const stop = this.#options.watch(file, async () => this.#reads.request());
    this.#watched = { file, stop };
  }

  /** The lines of a part as decisions on lines count them: by the whole hunk. */
  async #readPart(suggestion: string, hunk: string): Promise<void> {
    const marked = this.#view.open?.hunks.find(({ id }) => id === hunk);
    if (marked === undefined || marked.parent === null || this.#view.part?.hunk === hunk) return;
    const part = await readPart(this.#options.client, suggestion, hunk);
    if (part !== null && this.#place.hunk === hunk) this.#publish({ part });
  }

  async #readConflict(suggestion: string, hunk: string): Promise<void> {
    if (!this.#isInConflict(hunk)) return this.#publish({ conflict: null });
    const sides = await this.#options.client.request('review/conflict', { suggestion, hunk });
    if (this.#closed || this.#place.hunk !== hunk) return;
    if (!sides.ok) return this.#publish({ problem: sides.error, conflict: null });
    this.#publish({ conflict: sameConflict(this.#view.conflict, hunk, sides.value) });
  }

  #isInConflict(hunk: string | null): boolean {
    return this.#view.open?.hunks.find(({ id }) => id === hunk)?.status === 'conflict';
  }

  /** What did not fit into one answer: the hunks of the marked file, then the marked hunk page by page. */
  async #readRest(suggestion: string): Promise<void> {
    const { hunk } = this.#place;
    const marked = this.#view.open?.hunks.find(({ id }) => id === hunk);
    if (marked === undefined || marked.diffComplete || this.#completed.has(marked.id)) return;
    const { client } = this.#options;
    const shown = await client.request('review/show', { suggestion, file: marked.file });
    if (!shown.ok || this.#place.suggestion !== suggestion) return;
    this.#take(
      null,
      shown.value.hunks.filter((one) => one.diff.length > 0),
    );
    const rest = shown.value.hunks.find(({ id }) => id === marked.id);
    if (rest === undefined || rest.diffComplete) return;
    this.#completed.add(marked.id);
    const whole = await readWholeHunk(client, suggestion, rest);
    if (whole !== null && this.#place.suggestion === suggestion) this.#take(null, [whole]);
  }

  /** Somebody published or decided. */
  #hear(summary: SuggestionSummary): void {
    this.#publish({ suggestions: replaced(this.#view.suggestions, summary) });
    this.#readAhead();
    const { open } = this.#view;
    if (open?.id === summary.id && open.revision < summary.revision) this.#reads.request();
  }

  /** The only suggestion will be looked at next: it is there when it is. */
  #readAhead(): void {
    const [only, ...more] = this.#view.suggestions;
    if (only === undefined || more.length > 0 || this.#place.suggestion !== null) return;
    this.#place = { suggestion: only.id, hunk: null };
    this.#reads.request();
  }

  #take(summary: SuggestionSummary | null, hunks: readonly Hunk[]): void {
    const { open, suggestions } = this.#view;
    const known = new Map(open?.hunks.map((hunk) => [hunk.id, hunk]));
    const fresh = new Map(hunks.map((hunk) => [hunk.id, withKnownDiff(known.get(hunk.id), hunk)]));
    this.#publish({
      suggestions: summary === null ? suggestions : replaced(suggestions, summary),
      open:
        open === null || (summary !== null && summary.id !== open.id)
          ? open
          : { ...open, ...summary, hunks: open.hunks.map((hunk) => fresh.get(hunk.id) ?? hunk) },
    });
  }

  #publish(change: Partial<ReviewView>): void {
    const before = this.#view;
    const next: ReviewView = { ...before, ...change };
    const changed = (Object.keys(next) as (keyof ReviewView)[]).some((key) => next[key] !== before[key]);
    if (!changed || this.#closed) return;
    this.#view = next;
    for (const listener of [...this.#listeners]) listener();
  }
}

interface Acted {
  /** Null when only a hunk came back. */
  readonly summary: SuggestionSummary | null;
  readonly hunks: readonly Hunk[];
}

function decided(result: Result<CommandResult<'review/decide'>>): Result<Acted> {
  return result.ok ? ok({ summary: result.value.suggestion, hunks: result.value.hunks }) : result;
}

function linesOf(act: ReviewAct): { readonly first: number; readonly last: number } | null {
  return act.kind === 'decide' ? (act.lines ?? null) : null;
}

function decideParams(
  suggestion: string,
  act: Extract<ReviewAct, { kind: 'decide' | 'modify' }>,
): CommandParams<'review/decide'> {
  if (act.kind === 'modify') {
    const { hunk, modified } = act;
    return {
      suggestion,
      hunk,
      action: 'modify',
      modified:
        modified.kind === 'merge'
          ? modified
          : { kind: modified.kind, base64: Buffer.from(modified.text, 'utf8').toString('base64') },
    };
  }
  const { hunk, action, file = null, revision = null } = act;
  return { suggestion, hunk, action, lines: act.lines ?? null, file, revision, onlyFitting: hunk === 'all' };
}

const ENDED: ReadonlySet<SuggestionSummary['status']> = new Set(['finalized', 'discarded']);

/** The list with a suggestion as it now is: new ones first, ended ones gone. */
function replaced(
  list: readonly SuggestionSummary[],
  summary: SuggestionSummary,
): readonly SuggestionSummary[] {
  const known = list.find(({ id }) => id === summary.id);
  if (ENDED.has(summary.status)) return known === undefined ? list : list.filter((one) => one !== known);
  if (known === undefined) return [summaryOf(summary), ...list];
  // Events and answers may cross: the higher revision is the later one.
  if (known.revision >= summary.revision) return list;
  return list.map((one) => (one === known ? summaryOf(summary) : one));
}

/** A suggestion without its hunks, which the list does not keep. */
function summaryOf(summary: SuggestionSummary | Suggestion): SuggestionSummary {
  if (!('hunks' in summary)) return summary;
  const { hunks: _hunks, notes: _notes, ...rest } = summary;
  return rest;
}

/** What did not change keeps its identity: what is laid out for it stays valid. */
function sameHunks(before: Suggestion | null, after: Suggestion): Suggestion {
  if (before?.id !== after.id) return after;
  const known = new Map(before.hunks.map((hunk) => [hunk.id, hunk]));
  const hunks = after.hunks.map((hunk) => {
    const old = known.get(hunk.id);
    const next = withKnownDiff(old, hunk);
    return old !== undefined && isSameHunk(old, next) ? old : next;
  });
  const isSame =
    before.revision === after.revision &&
    before.hunks.length === hunks.length &&
    hunks.every((hunk, index) => hunk === before.hunks[index]);
  return isSame ? before : { ...after, hunks };
}

/** A hunk does not change its diff: what was read further before is kept. */
function withKnownDiff(before: Hunk | undefined, after: Hunk): Hunk {
  if (before === undefined || after.diffComplete || before.diff.length <= after.diff.length) return after;
  return { ...after, diff: before.diff, diffComplete: before.diffComplete };
}

function isSameHunk(a: Hunk, b: Hunk): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.note === b.note &&
    a.parent === b.parent &&
    a.comments.length === b.comments.length &&
    a.needs.length === b.needs.length &&
    a.diffComplete === b.diffComplete &&
    a.diff === b.diff
  );
}

function sameConflict(
  before: ReviewView['conflict'],
  hunk: string,
  sides: Conflict | null,
): ReviewView['conflict'] {
  if (sides === null) return null;
  const isSame =
    before?.hunk === hunk &&
    before.sides.base === sides.base &&
    before.sides.yours === sides.yours &&
    before.sides.suggested === sides.suggested &&
    before.sides.merged === sides.merged;
  return isSame ? before : { hunk, sides };
}
