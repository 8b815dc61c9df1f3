/** Carries out waiting decisions together: those on one file cost one write. Each gets its own answer once durable. */
import { ok, type Result } from '../../lib/result.ts';
import type { CommandInput } from '../../protocol/command.ts';
import type { DecisionEntry } from '../../protocol/review.ts';
import type { Loaded } from '../records/load-suggestion.ts';
import type { About, FileEdit } from './decision-writer.ts';
import { decideHunk } from './plan-decision.ts';

type Decide = CommandInput<'review/decide'>;

/** More decisions are split into several batches, so that the first ones do not wait for the last. */
const BATCH_MAX_DECISIONS = 256;

interface Waiting<T> {
  readonly input: Decide;
  readonly settle: (result: Result<T>) => void;
}

/** Accepts decisions. `serial` queues each batch, `run` carries one out. */
export class DecisionQueue<T> {
  readonly #serial: (work: () => Promise<Result<void>>) => Promise<Result<void>>;
  readonly #run: (inputs: readonly Decide[]) => Promise<readonly Result<T>[]>;
  /** The batch at the end of the queue, until something else is requested after it. */
  #last: Waiting<T>[] | null = null;

  constructor(
    serial: (work: () => Promise<Result<void>>) => Promise<Result<void>>,
    run: (inputs: readonly Decide[]) => Promise<readonly Result<T>[]>,
  ) {
    this.#serial = serial;
    this.#run = run;
  }

  /** Later decisions queue behind the current request. */
  close(): void {
    this.#last = null;
  }

  decide(input: Decide): Promise<Result<T>> {
    return new Promise((resolve, reject) => {
      const waiting = { input, settle: resolve };
      if (this.#last !== null && joins(input, this.#last)) {
        this.#last.push(waiting);
        return;
      }
      const batch = [waiting];
      const turn = this.#serial(async () => {
        if (this.#last === batch) this.#last = null;
        const results = await this.#run(batch.map((one) => one.input));
        for (const [at, one] of batch.entries()) {
          const result = results[at];
          if (result !== undefined) one.settle(result);
        }
        return ok(undefined);
      });
      this.#last = isPlain(input) ? batch : null;
      turn.then((ended) => {
        if (!ended.ok) for (const one of batch) one.settle(ended);
      }, reject);
    });
  }
}

/** Whether it is about one whole hunk, independent of other decisions and without a comment. */
const isPlain = (input: Decide) =>
  input.hunk !== 'all' &&
  input.hunk !== 'every' &&
  input.action !== 'modify' &&
  input.lines === null &&
  input.comment === null &&
  input.revision === null &&
  !input.onlyUndecided;

/** A second decision on a hunk does not join the batch: it builds on the first. */
function joins<T>(input: Decide, batch: readonly Waiting<T>[]): boolean {
  return (
    isPlain(input) &&
    batch.length < BATCH_MAX_DECISIONS &&
    batch[0]?.input.suggestion === input.suggestion &&
    !batch.some((one) => one.input.hunk === input.hunk)
  );
}

/** Groups of adjacent decisions about the same file. */
export function byFile(inputs: readonly Decide[], positionOf: (hunk: string) => number): Decide[][] {
  const groups: Decide[][] = [];
  let last = -1;
  for (const input of inputs) {
    const position = positionOf(input.hunk);
    if (groups.length > 0 && position === last) groups.at(-1)?.push(input);
    else groups.push([input]);
    last = position;
  }
  return groups;
}

/** Decisions on one file's hunks as one change. */
export interface Together extends About {
  readonly change: FileEdit;
  /** Filled when the change is applied: for each decision, its hunks or the refusal. */
  readonly became: Result<readonly string[]>[];
}

/** Combines them; null if one of them names no hunk. */
export function together(loaded: Loaded, inputs: readonly Decide[]): Together | null {
  const changes = inputs.flatMap((input) => {
    const planned = decideHunk(loaded, input);
    return planned.ok ? planned.value : [];
  });
  const [first] = changes;
  if (first === undefined || changes.length < inputs.length) return null;
  const actions = new Map<string, DecisionEntry['action']>();
  const became: Result<readonly string[]>[] = [];
  const apply: FileEdit['apply'] = (review) => {
    let next = review;
    for (const [at, change] of changes.entries()) {
      const applied = change.apply(next);
      became.push(applied.ok ? ok(applied.value.ids) : applied);
      if (!applied.ok) continue;
      next = applied.value.review;
      for (const id of applied.value.ids) actions.set(id, inputs[at]?.action ?? 'accept');
    }
    return ok({ review: next, ids: [...actions.keys()] });
  };
  return { change: { position: first.position, apply }, action: 'accept', actions, comment: null, became };
}
