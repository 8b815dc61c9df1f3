/** Stores the undo lists: after each action, only what changed, so that they outlive the host. */
import type { IntentResult } from '../protocol/intent.ts';
import type { Desk, DeskStep } from './desk/desk.ts';

export interface StoredStep extends DeskStep {
  /** Position in its list. */
  readonly seq: number;
  readonly isUndone: boolean;
}

/** The part of the store. */
export interface StepRecords {
  /** By `seq`. */
  steps(suggestion: string): readonly StoredStep[];
  write(
    suggestion: string,
    put: readonly StoredStep[],
    drop: readonly string[],
    answer: NamedAnswer | null,
  ): void;
  /** The answer given to the request of this name; null if it has not run. */
  answered(name: string): IntentResult | null;
}

/** The answer to a request that may be sent again. */
export interface NamedAnswer {
  readonly name: string;
  readonly result: IntentResult;
}

interface Kept {
  readonly step: DeskStep;
  readonly isUndone: boolean;
  readonly seq: number;
}

export class StepBook {
  readonly #records: StepRecords;
  /** The stored decisions by suggestion and step. */
  readonly #kept = new Map<string, Map<string, Kept>>();

  constructor(records: StepRecords) {
    this.#records = records;
  }

  /** The lists as stored. */
  load(suggestion: string): Pick<Desk, 'done' | 'undone'> {
    const kept = new Map<string, Kept>();
    for (const { seq, isUndone, ...step } of this.#records.steps(suggestion))
      kept.set(step.id, { step, isUndone, seq });
    this.#kept.set(suggestion, kept);
    const listed = [...kept.values()];
    return {
      done: listed.filter(({ isUndone }) => !isUndone).map(({ step }) => step),
      undone: listed.filter(({ isUndone }) => isUndone).map(({ step }) => step),
    };
  }

  /** Stores what has changed. A step new in a list goes to its end. */
  keep({ suggestion, done, undone }: Desk, answer: NamedAnswer | null = null): void {
    const before = this.#kept.get(suggestion) ?? new Map<string, Kept>();
    const after = new Map<string, Kept>();
    const put: StoredStep[] = [];
    let last = 0;
    for (const { seq } of before.values()) last = Math.max(last, seq);
    for (const [list, isUndone] of [
      [done, false],
      [undone, true],
    ] as const) {
      for (const step of list) {
        const known = before.get(step.id);
        const isSame = known !== undefined && known.isUndone === isUndone;
        if (!isSame) last += 1;
        const seq = isSame ? known.seq : last;
        if (!isSame || known.step !== step) put.push({ ...step, seq, isUndone });
        after.set(step.id, { step, isUndone, seq });
      }
    }
    const drop = [...before.keys()].filter((id) => !after.has(id));
    this.#kept.set(suggestion, after);
    if (put.length > 0 || drop.length > 0 || answer !== null)
      this.#records.write(suggestion, put, drop, answer);
  }

  /** Drops the suggestion's data from memory. */
  forget(suggestion: string): void {
    this.#kept.delete(suggestion);
  }
}
