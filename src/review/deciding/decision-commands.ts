/**
 * Carries decisions out as commands ask for them: files that make room for others first, neighbours in the queue
 * together, and all that follows from them before they are answered. What is answered is durable.
 */
import { type Failure, fail, ok, type Result } from '../../lib/result.ts';
import type { CommandInput, CommandResult } from '../../protocol/command.ts';
import { type Loaded, positionOf } from '../records/load-suggestion.ts';
import type { ReviewRecords } from '../records/records.ts';
import { describeHunks, summarize } from '../showing/describe-suggestion.ts';
import { byFile, DecisionQueue, together } from './decision-queue.ts';
import type { About, Change, DecisionWriter, Done, Outcome } from './decision-writer.ts';
import { decideAll, decideHunk, inOrder, isMany, takeBack } from './plan-decision.ts';

type Decide = CommandInput<'review/decide'>;
export type Decided = CommandResult<'review/decide'>;

/** Files that were left, told one by one. */
const LEFT_MAX_NAMED = 5;

/** What follows from a decision; gives what could not be done, in words. `before` is from before the decision. */
export interface FollowUp {
  run(before: Loaded, done: Done): Promise<string[]>;
}

export interface DecisionCommandsOptions {
  readonly records: ReviewRecords;
  readonly decider: DecisionWriter;
  /** Does what follows from a decision beside the target's files. */
  readonly after: FollowUp;
  readonly log: (outcomes: readonly Outcome[]) => Promise<void>;
  /** Gives a command its turn. */
  readonly serial: (work: () => Promise<Result<void>>) => Promise<Result<void>>;
  /** The suggestion, if it can be decided on. */
  readonly open: (id: string) => Result<Loaded>;
  readonly remember: (loaded: Loaded) => void;
}

export class DecisionCommands {
  readonly #options: DecisionCommandsOptions;
  /** Takes decisions in; all of one happens, or nothing. */
  readonly queue: DecisionQueue<Decided>;

  constructor(options: DecisionCommandsOptions) {
    this.#options = options;
    this.queue = new DecisionQueue(options.serial, (inputs) => this.#decideBatch(inputs));
  }

  async #decideEach(inputs: readonly Decide[]): Promise<Result<Decided>[]> {
    const answers: Result<Decided>[] = [];
    for (const input of inputs) answers.push(await this.#decideOne(input));
    return answers;
  }

  async #decideOne(input: Decide): Promise<Result<Decided>> {
    const loaded = this.#options.open(input.suggestion);
    if (!loaded.ok) return loaded;
    const { stored } = loaded.value;
    if (input.revision !== null && input.revision !== stored.revision) {
      return fail(
        'refused',
        'Someone decided on this suggestion since you looked; nothing was done.',
        'Look at it again.',
      );
    }
    const changes = isMany(input.hunk) ? decideAll(loaded.value, input) : decideHunk(loaded.value, input);
    if (!changes.ok) return changes;
    const decided = await this.inPhases(loaded.value, changes.value, input);
    const isSplit =
      !decided.ok && decided.error.code === 'refused' && isMany(input.hunk) && input.onlyFitting;
    const done = isSplit ? await this.#fitting(loaded.value, changes.value, input) : decided;
    return done.ok ? this.answer(loaded.value, done.value) : done;
  }

  /** Neighbours about one file by one write; where that fails, each tells of its own. */
  async #decideBatch(inputs: readonly Decide[]): Promise<Result<Decided>[]> {
    const [first] = inputs;
    const loaded = first === undefined || inputs.length === 1 ? null : this.#options.open(first.suggestion);
    if (loaded === null || !loaded.ok) return this.#decideEach(inputs);
    const answers: Result<Decided>[] = [];
    for (const some of byFile(inputs, (hunk) => positionOf(loaded.value, hunk)))
      answers.push(...((await this.#decideTogether(some)) ?? (await this.#decideEach(some))));
    return answers;
  }

  async #decideTogether(inputs: readonly Decide[]): Promise<Result<Decided>[] | null> {
    const loaded = inputs.length < 2 ? null : this.#options.open(inputs[0]?.suggestion ?? '');
    if (loaded === null || !loaded.ok) return null;
    const all = together(loaded.value, inputs);
    if (all === null) return null;
    const decided = await this.inPhases(loaded.value, [all.change], all);
    if (!decided.ok) return null;
    const answer = await this.answer(loaded.value, decided.value);
    return all.became.map((ids): Result<Decided> => {
      if (!ids.ok || !answer.ok) return ids.ok ? answer : ids;
      const own = new Set(ids.value);
      return ok({ ...answer.value, hunks: answer.value.hunks.filter(({ id }) => own.has(id)) });
    });
  }

  /** What makes room for other files goes first. When a later phase is refused, the earlier ones are undone. */
  async inPhases(loaded: Loaded, changes: readonly Change[], about: About): Promise<Result<Done>> {
    let done: Done = { loaded, outcomes: [], touched: [] };
    for (const phase of inOrder(loaded.subjects, changes, about.action)) {
      const next = await this.#more(done, phase, about);
      if (next.ok) {
        done = next.value;
        continue;
      }
      await this.#takeBack(done);
      return next;
    }
    return ok(done);
  }

  async #takeBack({ loaded, outcomes }: Done): Promise<void> {
    const undo = takeBack(loaded, outcomes);
    let current = loaded;
    for (const phase of inOrder(loaded.subjects, undo, 'undo')) {
      const back = await this.#options.decider.run(current, phase, { action: null, comment: null });
      if (back.ok) current = back.value.loaded;
    }
    this.#options.remember(current);
  }

  /** The same file by file, when all at once was refused: those that cannot be written keep none of the others back. */
  async #fitting(loaded: Loaded, changes: readonly Change[], about: About): Promise<Result<Done>> {
    let done: Done = { loaded, outcomes: [], touched: [] };
    const left: Failure[] = [];
    for (const change of inOrder(loaded.subjects, changes, about.action).flat()) {
      const next = await this.#more(done, [change], about);
      if (next.ok) done = next.value;
      else if (next.error.code === 'refused') left.push(next.error);
      else return next;
    }
    const [first] = left;
    if (first !== undefined && done.outcomes.length === 0) return { ok: false, error: first };
    return ok({ ...done, left: left.map(({ message }) => message) });
  }

  async #more(done: Done, changes: readonly Change[], about: About): Promise<Result<Done>> {
    const next = await this.#options.decider.run(done.loaded, changes, about);
    if (!next.ok) return next;
    this.#options.remember(next.value.loaded);
    const { outcomes, touched } = done;
    return ok({
      loaded: next.value.loaded,
      outcomes: [...outcomes, ...next.value.outcomes],
      touched: [...touched, ...next.value.touched],
    });
  }

  /** Tells what was done, and does what follows from it. `before` is from before the decision. */
  async answer(before: Loaded, done: Done): Promise<Result<Decided>> {
    const { loaded, outcomes, touched } = done;
    this.#options.remember(loaded);
    if (outcomes.length > 0) await this.#options.log(outcomes);
    const notes = [...leftNotes(done.left ?? []), ...(await this.#options.after.run(before, done))];
    const hunks = describeHunks(
      loaded,
      touched.map(({ review, ids }) => ({ review, views: review.viewOf(new Set(ids)) })),
    );
    const stored = this.#options.records.suggestion(loaded.stored.id) ?? loaded.stored;
    return ok({ suggestion: summarize(stored), hunks, notes });
  }
}

/** What was left as it is, and why; many of them as a number. */
function leftNotes(left: readonly string[]): string[] {
  const shown = left.slice(0, LEFT_MAX_NAMED).map((reason) => `Left as it is: ${reason}`);
  const more = left.length - shown.length;
  return more === 0 ? shown : [...shown, `${more} more were left as they were.`];
}
