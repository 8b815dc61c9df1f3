/** The reviewer's desk of each suggestion: takes intents, shows their outcome at once, runs them, reports results. */
import { RecentMap } from '../lib/recent-map.ts';
import { fail, ok, type Result } from '../lib/result.ts';
import type { Caller, CommandInput, CommandResult, CommandsBy, ServiceOf } from '../protocol/command.ts';
import type { Intent, IntentPaint, IntentResult } from '../protocol/intent.ts';
import type { Conflict, Suggestion } from '../protocol/review.ts';
import { type Carried, carryOut } from './carry-out.ts';
import { type Desk, deskHunk, deskOf, endOf, markedIn } from './desk/desk.ts';
import type { DeskAct, DeskCommand, DeskPlan, PlanFacts } from './desk/desk-plan.ts';
import { planIntent, planOrder, stepOrder } from './desk/plan.ts';
import {
  isComplete,
  isCut,
  isPlain,
  NOTHING,
  refusalOf,
  type Settled,
  settleDone,
  settleRefused,
  spoken,
  withHunks,
} from './desk/settle.ts';
import { StepBook, type StepRecords } from './desk-steps.ts';
import type { ReviewService } from './review-service.ts';
import { clientName } from './showing/client-name.ts';

/** Desks kept in memory; one with a pending action always stays. */
const DESKS_MAX = 16;
/** Clients' marks, one per suggestion that a client has looked at; `RecentMap` keeps between half of them and all. */
const MARKS_MAX = 512;
/** Revisions of a suggestion with a known author. */
const REVISIONS_MAX = 256;

export interface DeskServiceOptions {
  readonly reviews: ReviewService;
  /** A suggestion as clients see it: the agent's proposal may conflict with what the user wrote since. */
  readonly show: (input: Show) => Promise<Result<Suggestion>>;
  /** The three sides of a hunk that does not fit. */
  readonly sides: (input: CommandInput<'review/conflict'>) => Promise<Result<Conflict | null>>;
  readonly steps: StepRecords;
  /** Marks a hunk as seen or not seen; returns those of `hunks` that are. */
  readonly view: (
    hunks: readonly string[],
    mark: Extract<Intent, { kind: 'view' }>,
  ) => Result<ReadonlySet<string>>;
  readonly newId: () => string;
}

type Show = CommandInput<'review/show'>;
/** All hunks without their diffs. */
const WHOLE = { file: null, maxDiffBytes: 0, first: null } as const;

interface IntentRequest extends CommandInput<'review/intend'>, Pick<Caller, 'client'> {
  /** This request's unique name, so that resending it after a lost answer does not repeat it. */
  readonly name: string | null;
  /** Called before anything is written. */
  readonly paint: (paint: IntentPaint) => void;
}

type Decided = CommandResult<'review/decide'>;
type Ref = CommandInput<'review/undo'>;

/** A desk and what only this process knows about it. */
interface Open {
  desk: Desk;
  /** Hunks may have changed: reload them before planning the next intent. */
  isStale: boolean;
  /** Actions waiting for earlier ones, and those waiting for them. */
  held: number;
  last: Promise<unknown>;
  readonly madeBy: RecentMap<number, string>;
}

export class DeskService implements ServiceOf<CommandsBy<'desk'>> {
  readonly #options: DeskServiceOptions;
  readonly #desks = new Map<string, Open>();
  readonly #marks = new RecentMap<string, string | null>(MARKS_MAX);
  readonly #steps: StepBook;
  /** Requests that may be resent, by name. */
  readonly #running = new Map<string, Promise<Result<IntentResult>>>();

  constructor(options: DeskServiceOptions) {
    this.#options = options;
    this.#steps = new StepBook(options.steps);
  }

  /** Plans the intent, paints it, carries it out. A `done` answer is durable. */
  async intend(
    input: CommandInput<'review/intend'>,
    { client, once: name, onEarly: paint = () => undefined }: Caller,
  ): Promise<Result<IntentResult>> {
    const request: IntentRequest = { ...input, client, name, paint };
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
    const { intent } = request;
    const viewed =
      intent.kind === 'view'
        ? this.#options.view(
            open.desk.hunks.map(({ id }) => id),
            intent,
          )
        : ok(undefined);
    if (!viewed.ok) return viewed;
    const first = this.#plan(open, request, { mergeConflicts: null, viewed: viewed.value });
    const plan =
      // Refused because of a conflict that a merge may resolve.
      first.kind === 'refuse' && intent.kind === 'accept' && open.desk.end === null
        ? this.#plan(open, request, { mergeConflicts: await this.#mergeConflicts(suggestion, first.mark) })
        : first;
    this.#mark(request, plan.mark);
    if (plan.kind !== 'act') {
      request.paint({ mark: plan.mark, statuses: {} });
      return ok(spoken(open.desk, plan));
    }
    open.desk = plan.desk;
    request.paint({ mark: plan.mark, statuses: plan.statuses });
    return this.#act(open, plan, (carried) => this.#settle(open, plan, carried, request));
  }

  /** Shows it; what is known of its hunks is then equally new. */
  async show(input: Show): Promise<Result<Suggestion>> {
    const shown = await this.#options.show(input);
    if (shown.ok) this.#saw(shown.value);
    return shown;
  }

  conflict(input: CommandInput<'review/conflict'>): Promise<Result<Conflict | null>> {
    return this.#options.sides(input);
  }

  /** Decides on one or many hunks: all of it happens, or nothing. */
  decide(
    { suggestion, ...decision }: CommandInput<'review/decide'>,
    caller: Caller,
  ): Promise<Result<Decided>> {
    return this.#order(suggestion, { kind: 'decide', confirmed: null, ...decision }, caller);
  }

  /** Undoes a hunk's last decision; with `all`, every decision. */
  undo(ref: Ref, caller: Caller): Promise<Result<Decided>> {
    return this.#order(ref.suggestion, stepOrder(ref.hunk, 'undo'), caller);
  }

  redo(ref: Ref, caller: Caller): Promise<Result<Decided>> {
    return this.#order(ref.suggestion, stepOrder(ref.hunk, 'redo'), caller);
  }

  split(
    { suggestion, hunk, ...lines }: CommandInput<'review/split'>,
    caller: Caller,
  ): Promise<Result<Decided>> {
    return this.#order(suggestion, { kind: 'split', hunk, lines, at: null }, caller);
  }

  join({ suggestion, hunk }: Ref, caller: Caller): Promise<Result<Decided>> {
    return this.#order(suggestion, { kind: 'join', hunk }, caller);
  }

  comment(
    { suggestion, hunk, comment: text, lines }: CommandInput<'review/comment'>,
    caller: Caller,
  ): Promise<Result<Decided>> {
    return this.#order(suggestion, { kind: 'comment', hunk, text, lines }, caller);
  }

  /** Finishes a suggestion; accepted changes stay. */
  async finish(
    { suggestion, ...how }: CommandInput<'review/finish'>,
    caller: Caller,
  ): Promise<Result<CommandResult<'review/finish'>>> {
    const done = await this.#order(suggestion, { kind: 'finish', ...how }, caller);
    if (!done.ok) return done;
    const { suggestion: summary, notes, commit = null, pushed = null } = done.value;
    return ok({ ...summary, commit, pushed, notes });
  }

  /** Reopens a finished suggestion. Decisions, files and commits stay. */
  async reopen(
    { suggestion }: CommandInput<'review/reopen'>,
    caller: Caller,
  ): Promise<Result<CommandResult<'review/reopen'>>> {
    const done = await this.#order(suggestion, { kind: 'reopen' }, caller);
    return done.ok ? ok(done.value.suggestion) : done;
  }

  /** Runs scripts' commands like those of keys, but returns the engine's own answer. */
  async #order(suggestion: string, command: DeskCommand, { client }: Caller): Promise<Result<Carried>> {
    const { reviews, newId } = this.#options;
    const revision = reviews.revisionOf(suggestion);
    if (revision === null) return noSuggestion(suggestion);
    // Does not read the hunks: the engine checks them itself.
    const open = this.#desks.get(suggestion) ?? this.#open({ suggestion, revision, end: null, hunks: [] });
    const act = planOrder(open.desk, command, { id: newId(), client });
    open.desk = act.desk;
    return this.#act(open, act, (carried) => {
      // Another client's next key builds on everything that follows from this.
      open.isStale = true;
      const settled = carried.ok
        ? this.#settleDone(open, act, carried.value, null)
        : settleRefused(open.desk, act);
      open.desk = settled.desk;
      this.#steps.keep(open.desk);
      return Promise.resolve(carried);
    });
  }

  #saw(shown: Suggestion): void {
    const open = this.#desks.get(shown.id);
    const isWhole = shown.hunks.length === shown.hunkCount;
    if (open === undefined) {
      // The reviewer decides on it next, so the first key need not wait for a reload.
      if (isWhole) this.#open(deskOf(shown)).isStale = false;
    } else if (shown.revision < open.desk.revision) return;
    else if (isWhole) renew(open, shown);
    else open.desk = withHunks(open.desk, shown.hunks.map(deskHunk));
  }

  #isCurrent(suggestion: string, { desk, isStale }: Open): boolean {
    if (isStale) return false;
    return desk.inFlight.length > 0 || this.#options.reviews.revisionOf(suggestion) === desk.revision;
  }

  async #read(suggestion: string): Promise<Result<Open>> {
    const shown = await this.#options.show({ suggestion, ...WHOLE });
    if (!shown.ok) return shown;
    const open = this.#desks.get(suggestion) ?? this.#open(deskOf(shown.value));
    renew(open, shown.value);
    return ok(open);
  }

  #open(begin: Omit<Desk, 'inFlight' | 'done' | 'undone'>): Open {
    const { suggestion } = begin;
    const desk: Desk = { ...begin, inFlight: [], ...this.#steps.load(suggestion) };
    const open: Open = {
      desk,
      isStale: true,
      held: 0,
      last: Promise.resolve(),
      madeBy: new RecentMap(REVISIONS_MAX),
    };
    this.#desks.set(suggestion, open);
    for (const [id, { desk: other }] of this.#desks) {
      if (this.#desks.size <= DESKS_MAX) break;
      if (id === suggestion || other.inFlight.length > 0) continue;
      this.#desks.delete(id);
      this.#steps.forget(id);
    }
    return open;
  }

  #plan(
    { desk }: Open,
    request: IntentRequest,
    facts: Pick<PlanFacts, 'mergeConflicts' | 'viewed'>,
  ): DeskPlan {
    const { client, suggestion, intent, confirmed } = request;
    const mark = markedIn(desk, this.#marks.get(`${client} ${suggestion}`) ?? null);
    return planIntent(desk, intent, {
      reviewer: { client, mark },
      ...facts,
      id: this.#options.newId(),
      confirmed,
      nameOf: clientName,
      lastSync: intent.kind === 'finish' ? this.#options.reviews.lastSync(suggestion) : null,
    });
  }

  async #mergeConflicts(suggestion: string, hunk: string | null): Promise<number | null> {
    const sides = hunk === null ? null : await this.#options.sides({ suggestion, hunk });
    return sides?.ok === true ? (sides.value?.conflicts ?? null) : null;
  }

  #mark({ client, suggestion }: Pick<IntentRequest, 'client' | 'suggestion'>, mark: string | null): void {
    this.#marks.set(`${client} ${suggestion}`, mark);
  }

  /**
   * Runs actions in the order requested. A decision on one hunk is passed on at once, so that the engine can join
   * decisions made in a row. Other actions wait for the earlier ones, because they build on them.
   */
  async #act<T>(
    open: Open,
    act: DeskAct,
    settle: (carried: Result<Carried>) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const carry = () => carryOut(this.#options.reviews, open.desk, act, seenBy(open));
    const isHeld = open.held > 0 || !isPlain(act.command);
    const before = open.last;
    if (isHeld) open.held += 1;
    const carrying = isHeld ? before.then(carry).finally(() => (open.held -= 1)) : carry();
    const settling = carrying.then(settle);
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
      // A refusal means that the files differ from what was known.
      const shown = await this.#options.show({ suggestion: request.suggestion, ...WHOLE });
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
    const { hunks, suggestion, notes } = carried.value;
    if (isCut(act.command)) open.isStale = true;
    const mark = this.#marks.get(`${request.client} ${request.suggestion}`) ?? null;
    const settled = this.#settleDone(open, act, carried.value, mark);
    this.#take(open, request, settled);
    // Parts are counted once they are known.
    if (open.isStale) await this.#read(request.suggestion);
    const result: IntentResult = {
      ...NOTHING,
      kind: 'done',
      words: settled.words,
      revision: open.desk.revision,
      mark: settled.mark,
      suggestion,
      hunks,
      notes,
      complete: isComplete(open.desk),
    };
    const { name } = request;
    this.#steps.keep(open.desk, name === null ? null : { name, result: { ...result, hunks: [] } });
    return ok(result);
  }

  #settleDone(open: Open, act: DeskAct, { suggestion, hunks }: Carried, mark: string | null): Settled {
    const { revision } = suggestion;
    open.madeBy.set(revision, act.client);
    return settleDone(open.desk, act, { hunks: hunks.map(deskHunk), revision, end: endOf(suggestion) }, mark);
  }

  #take(open: Open, request: IntentRequest, settled: Settled): void {
    open.desk = settled.desk;
    this.#mark(request, settled.mark);
  }
}

/** After a client saw a revision, it also counts as having seen its own later decisions. */
function seenBy({ madeBy }: Open) {
  return (client: string, revision: number) => {
    let seen = revision;
    while (madeBy.get(seen + 1) === client) seen += 1;
    return seen;
  };
}

/** Updates the hunks to those just shown. */
function renew(open: Open, shown: Suggestion): void {
  open.isStale = false;
  open.desk = { ...open.desk, ...deskOf(shown) };
}

const noSuggestion = (id: string) =>
  fail('not_found', `Suggestion not found: ${id}`, 'Run "copane suggestions" to see them.');
