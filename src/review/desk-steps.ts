/** Keeps the lists of undo: after each action what has changed of them, so that they outlive the host. */
import type { IntentResult } from '../protocol/intent.ts';
import type { Desk, DeskStep } from './desk/desk.ts';

export interface StoredStep extends DeskStep {
  /** The order in its list. */
  readonly seq: number;
  readonly isUndone: boolean;
}

/** The store's part. */
export interface StepRecords {
  /** By `seq`. */
  steps(suggestion: string): readonly StoredStep[];
  write(
    suggestion: string,
    put: readonly StoredStep[],
    drop: readonly string[],
    answer: NamedAnswer | null,
  ): void;
  /** The answer that was given to the request of this name; null when it was not carried out. */
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
  /** The stored decisions, by suggestion and by step. */
  readonly #kept = new Map<string, Map<string, Kept>>();

  constructor(records: StepRecords) {
    this.#records = records;
  }

  /** The lists as they were kept. */
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

  /** Keeps what is not as it was kept. A step that came into a list stands at its end. */
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

  /** Nothing of it is needed in memory. */
  forget(suggestion: string): void {
    this.#kept.delete(suggestion);
  }
}
