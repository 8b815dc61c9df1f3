/**
 * The reviewer's desk of each suggestion: takes intents from every client, says at once how they will look, has the
 * review engine carry them out in their order, and tells what came of them.
 */
import { fail, ok, type Result } from '../lib/result.ts';
import type { CommandInput } from '../protocol/command.ts';
import type { Intent, IntentPaint, IntentResult } from '../protocol/intent.ts';
import type { Hunk, Suggestion, SuggestionSummary } from '../protocol/review.ts';
import { clientName, endOf, isCut, isPlain, NOTHING, spoken, stepNow } from './desk/answers.ts';
import { type Desk, type DeskHunk, findHunk, openHunks } from './desk/desk.ts';
import { type DeskAct, type DeskCommand, type DeskPlan, planIntent } from './desk/plan.ts';
import {
  type Answer,
  isComplete,
  refusalOf,
  type Settled,
  settleDone,
  settleRefused,
  withHunks,
} from './desk/settle.ts';
import { StepBook, type StepRecords } from './desk-steps.ts';
import type { ReviewService } from './review-service.ts';

/** Desks that are kept in memory; one with an action on its way is kept in any case. */
const DESKS_MAX = 16;
/** Marks of clients that are kept, one for each suggestion that a client has looked at. */
const MARKS_MAX = 512;
/** Revisions of a suggestion of which it is known who made them. */
const REVISIONS_MAX = 256;

export interface DeskServiceOptions {
  readonly reviews: ReviewService;
  /** The suggestion with all its hunks, as clients see it. */
  readonly show: (suggestion: string) => Promise<Result<Suggestion>>;
  readonly steps: StepRecords;
  readonly newId: () => string;
}

export interface IntentRequest {
  readonly client: string;
  readonly suggestion: string;
  readonly intent: Intent;
  readonly confirmed: number | null;
  /** Names this one wish: sent again after a lost answer, it is not done twice. Null: nobody asks again. */
  readonly name: string | null;
  /** Told before anything is written. */
  readonly paint: (paint: IntentPaint) => void;
}

/** What the engine did. */
interface Carried {
  readonly hunks: readonly Hunk[];
  readonly summary: SuggestionSummary | null;
  readonly notes: readonly string[];
}

/** A desk and what only this process knows of it. */
interface Open {
  desk: Desk;
  /** Hunks may be other ones than known: they are read before the next intent is planned. */
  isStale: boolean;
  /** Actions that wait for those before them, and those behind these. */
  held: number;
  last: Promise<unknown>;
  /** Who made which revision. */
  readonly madeBy: Map<number, string>;
}

export class DeskService {
  readonly #options: DeskServiceOptions;
  readonly #desks = new Map<string, Open>();
  readonly #marks = new Map<string, string | null>();
  readonly #steps: StepBook;
  /** Requests that may be sent again, by their name. */
  readonly #running = new Map<string, Promise<Result<IntentResult>>>();

  constructor(options: DeskServiceOptions) {
    this.#options = options;
    this.#steps = new StepBook(options.steps);
  }

  /** Plans the intent, paints it, carries it out. What is answered as done is durable. */
  async intend(request: IntentRequest): Promise<Result<IntentResult>> {
    const { name } = request;
    if (name === null) return this.#intend(request);
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const answered = this.#options.steps.answered(name);
    if (answered !== null) return ok(answered);
    const result = this.#intend(request).finally(() => this.#running.delete(name));
    this.#running.set(name, result);
    return result;
  }

  async #intend(request: IntentRequest): Promise<Result<IntentResult>> {
    const { suggestion } = request;
    const known = this.#desks.get(suggestion);
    const isCurrent = known !== undefined && this.#isCurrent(suggestion, known);
    const opened = isCurrent ? ok(known) : await this.#read(suggestion);
    if (!opened.ok) return opened;
    const open = opened.value;
    const first = this.#plan(open, request, null);
    const plan =
      first.kind === 'refuse' && this.#mayMerge(open, request)
        ? this.#plan(open, request, await this.#mergeConflicts(suggestion, first.mark))
        : first;
    this.#mark(request, plan.mark);
    if (plan.kind !== 'act') {
      request.paint({ mark: plan.mark, statuses: {} });
      return ok(spoken(open.desk, plan));
    }
    open.desk = plan.desk;
    request.paint({ mark: plan.mark, statuses: plan.statuses });
    return this.#act(open, plan, request);
  }

  /** Someone was shown the suggestion: what is known of its hunks is as new as that. */
  saw(shown: Suggestion): void {
    const open = this.#desks.get(shown.id);
    const isWhole = shown.hunks.length === shown.hunkCount;
    if (open === undefined) {
      // Who looks at it decides on it next: the first key need not wait for a second look.
      if (isWhole) this.#open(shown);
    } else if (shown.revision < open.desk.revision) return;
    else if (isWhole) renew(open, shown);
    else open.desk = withHunks(open.desk, shown.hunks.map(known));
  }

  #isCurrent(suggestion: string, { desk, isStale }: Open): boolean {
    if (isStale) return false;
    return desk.inFlight.length > 0 || this.#options.reviews.revisionOf(suggestion) === desk.revision;
  }

  async #read(suggestion: string): Promise<Result<Open>> {
    const shown = await this.#options.show(suggestion);
    if (!shown.ok) return shown;
    const open = this.#desks.get(suggestion) ?? this.#open(shown.value);
    renew(open, shown.value);
    return ok(open);
  }

  #open(shown: Suggestion): Open {
    const desk: Desk = {
      suggestion: shown.id,
      revision: shown.revision,
      end: endOf(shown),
      hunks: shown.hunks.map(known),
      inFlight: [],
      ...this.#steps.load(shown.id),
    };
    const open: Open = { desk, isStale: false, held: 0, last: Promise.resolve(), madeBy: new Map() };
    this.#desks.set(shown.id, open);
    for (const [id, { desk: other }] of this.#desks) {
      if (this.#desks.size <= DESKS_MAX) break;
      if (id === shown.id || other.inFlight.length > 0) continue;
      this.#desks.delete(id);
      this.#steps.forget(id);
    }
    return open;
  }

  #plan({ desk }: Open, request: IntentRequest, mergeConflicts: number | null): DeskPlan {
    const { client, suggestion, intent, confirmed } = request;
    const marked = this.#marks.get(`${client} ${suggestion}`) ?? null;
    const mark = findHunk(desk, marked)?.id ?? openHunks(desk)[0] ?? desk.hunks[0]?.id ?? null;
    return planIntent(desk, intent, {
      reviewer: { client, mark },
      id: this.#options.newId(),
      confirmed,
      nameOf: clientName,
      mergeConflicts,
    });
  }

  /** The refusal is about a conflict, which a merge may resolve. */
  #mayMerge({ desk }: Open, { intent }: IntentRequest): boolean {
    return intent.kind === 'accept' && desk.end === null;
  }

  async #mergeConflicts(suggestion: string, hunk: string | null): Promise<number | null> {
    const sides = hunk === null ? null : await this.#options.reviews.conflict({ suggestion, hunk });
    return sides?.ok === true ? (sides.value?.conflicts ?? null) : null;
  }

  #mark({ client, suggestion }: Pick<IntentRequest, 'client' | 'suggestion'>, mark: string | null): void {
    const key = `${client} ${suggestion}`;
    this.#marks.delete(key);
    this.#marks.set(key, mark);
    for (const oldest of this.#marks.keys()) {
      if (this.#marks.size <= MARKS_MAX) break;
      this.#marks.delete(oldest);
    }
  }

  /**
   * In the order in which they were asked for. A decision on one hunk is handed on at once, so that the engine carries
   * out together what was decided in a row; another action waits for those before it, because it builds on them.
   */
  async #act(open: Open, act: DeskAct, request: IntentRequest): Promise<Result<IntentResult>> {
    const isHeld = open.held > 0 || !isPlain(act.command);
    const before = open.last;
    if (isHeld) open.held += 1;
    const carrying = isHeld
      ? before.then(() => this.#carryOut(open, act)).finally(() => (open.held -= 1))
      : this.#carryOut(open, act);
    const settling = carrying.then((carried) => this.#settle(open, act, carried, request));
    open.last = Promise.allSettled([before, settling]);
    return settling;
  }

  async #settle(
    open: Open,
    act: DeskAct,
    carried: Result<Carried>,
    request: IntentRequest,
  ): Promise<Result<IntentResult>> {
    if (!carried.ok) {
      const settled = settleRefused(open.desk, act);
      this.#take(open, request, settled);
      this.#steps.keep(open.desk);
      // A refusal tells that the files are not what was known.
      const shown = await this.#options.show(request.suggestion);
      if (shown.ok) renew(open, shown.value);
      const problem = refusalOf(act, carried.error);
      return ok({
        ...NOTHING,
        kind: 'refused',
        problem: { message: problem.message, hint: problem.hint },
        revision: open.desk.revision,
        mark: settled.mark,
        hunks: shown.ok ? shown.value.hunks.filter(({ id }) => id === act.hunk) : [],
        complete: isComplete(open.desk),
      });
    }
    const { hunks, summary, notes } = carried.value;
    if (isCut(act.command)) open.isStale = true;
    const answer: Answer = {
      hunks: hunks.map(known),
      revision: summary?.revision ?? open.desk.revision,
      end: summary === null ? open.desk.end : endOf(summary),
    };
    if (summary !== null) this.#remember(open, summary.revision, request.client);
    const mark = this.#marks.get(`${request.client} ${request.suggestion}`) ?? null;
    const settled = settleDone(open.desk, act, answer, mark);
    this.#take(open, request, settled);
    // Parts are counted once they are known.
    if (open.isStale) await this.#read(request.suggestion);
    const result: IntentResult = {
      ...NOTHING,
      kind: 'done',
      words: settled.words,
      revision: open.desk.revision,
      mark: settled.mark,
      suggestion: summary,
      hunks: [...hunks],
      notes: [...notes],
      complete: isComplete(open.desk),
    };
    const { name } = request;
    this.#steps.keep(open.desk, name === null ? null : { name, result: { ...result, hunks: [] } });
    return ok(result);
  }

  #take(open: Open, request: IntentRequest, settled: Settled): void {
    open.desk = settled.desk;
    this.#mark(request, settled.mark);
  }

  #remember({ madeBy }: Open, revision: number, client: string): void {
    madeBy.set(revision, client);
    for (const oldest of madeBy.keys()) {
      if (madeBy.size <= REVISIONS_MAX) break;
      madeBy.delete(oldest);
    }
  }

  async #carryOut(open: Open, act: DeskAct): Promise<Result<Carried>> {
    const { reviews } = this.#options;
    const { command } = act;
    const { suggestion } = open.desk;
    switch (command.kind) {
      case 'decide':
      case 'modify': {
        const input = this.#decision(open, act.client, command);
        return input.ok ? decided(await reviews.decide(input.value)) : input;
      }
      case 'step': {
        const hunks = stepNow(open.desk, command.step)?.hunks ?? command.hunks;
        if (hunks.length === 0) return fail('refused', 'There is no decision to undo.');
        return decided(await reviews.stepHunks(suggestion, hunks, command.direction));
      }
      case 'step_all':
        return decided(await reviews.step({ suggestion, hunk: 'all' }, command.direction));
      case 'split': {
        const ref = { suggestion, hunk: command.hunk };
        const lines = reviews.linesOf(ref, command.lines, command.at ?? 1);
        return lines.ok ? decided(await reviews.cut(ref, lines.value)) : lines;
      }
      case 'join':
        return decided(await reviews.cut({ suggestion, hunk: command.hunk }, null));
      case 'comment':
        return this.#comment(suggestion, command);
      case 'finish': {
        const { how } = command;
        // What its author did beyond what was accepted goes, where that is a sandbox of copane's own.
        const sandbox = how === 'discard' ? 'revert' : 'keep';
        const ended = await reviews.finish({
          suggestion,
          how,
          sandbox,
          commit: false,
          hooks: false,
          push: false,
        });
        if (!ended.ok) return ended;
        const { commit: _, pushed: __, notes, ...summary } = ended.value;
        return ok({ hunks: [], summary, notes });
      }
      case 'reopen': {
        const again = await reviews.reopen(suggestion);
        return again.ok ? ok({ hunks: [], summary: again.value, notes: [] }) : again;
      }
    }
  }

  #decision(
    open: Open,
    client: string,
    command: Extract<DeskCommand, { kind: 'decide' | 'modify' }>,
  ): Result<CommandInput<'review/decide'>> {
    const { suggestion } = open.desk;
    const { hunk } = command;
    // The desk has asked before it takes all, and its question names the files that run by themselves.
    const common = { suggestion, hunk, comment: null, onlyUndecided: false, acceptSelfRunning: true };
    if (command.kind === 'modify') {
      const { modified } = command;
      const rest = { lines: null, file: null, onlyFitting: false, revision: null };
      return ok({ ...common, ...rest, action: 'modify', modified });
    }
    const { action, file } = command;
    const shown = command.lines;
    const lines = shown === null ? ok(null) : this.#options.reviews.linesOf({ suggestion, hunk }, shown, 1);
    if (!lines.ok) return lines;
    let { revision } = command;
    // What this client has decided since it was asked, it has seen.
    while (revision !== null && open.madeBy.get(revision + 1) === client) revision += 1;
    const onlyFitting = hunk === 'all';
    return ok({ ...common, action, modified: null, lines: lines.value, file, onlyFitting, revision });
  }

  async #comment(
    suggestion: string,
    { hunk, text, lines }: Extract<DeskCommand, { kind: 'comment' }>,
  ): Promise<Result<Carried>> {
    const { reviews } = this.#options;
    const counted = lines === null ? ok(null) : reviews.linesOf({ suggestion, hunk }, lines, 1);
    if (!counted.ok) return counted;
    const made = await reviews.comment({ suggestion, hunk, comment: text, lines: counted.value });
    return made.ok ? ok({ hunks: [made.value], summary: null, notes: [] }) : made;
  }
}

function decided(
  result: Result<{
    readonly suggestion: SuggestionSummary;
    readonly hunks: readonly Hunk[];
    readonly notes: readonly string[];
  }>,
): Result<Carried> {
  if (!result.ok) return result;
  const { suggestion, hunks, notes } = result.value;
  return ok({ hunks, summary: suggestion, notes });
}

/** What is known of the hunks is as new as this. */
function renew(open: Open, shown: Suggestion): void {
  const { revision, hunks } = shown;
  open.isStale = false;
  open.desk = { ...open.desk, revision, hunks: hunks.map(known), end: endOf(shown) };
}

/** A hunk as the desk keeps it: without its diff. */
function known({ id, file, status, kind, parent, reason, warnings }: Hunk): DeskHunk {
  return { id, file, status, kind, parent, reason, warnings };
}
