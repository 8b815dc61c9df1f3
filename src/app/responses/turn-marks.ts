/** Has the files looked at when a turn of the followed pane begins, while it goes on, and when it ends, one look after the other. */
import { type TurnFacts, type TurnMoment, UNWATCHED, watchTurn } from '../../changes/core/turn-watch.ts';
import { Scheduler, type Timers } from '../../lib/scheduler.ts';
import type { Client } from '../../protocol/client.ts';
import type { SessionRef } from '../../protocol/turn-range.ts';

/** While a turn goes on its files are looked at no more often. */
const LIVE_GAP_MS = 1_000;

export interface TurnMarksOptions {
  readonly client: Pick<Client, 'request'>;
  readonly timers: Timers;
  /** What a turn has changed so far, or in all, can be told. */
  readonly onLooked: () => void;
  readonly onProblem: (message: string) => void;
}

/** Where the turns go on. */
export interface TurnPlace {
  /** Null while there is none. */
  readonly session: SessionRef | null;
  readonly folder: string;
}

export class TurnMarks {
  readonly #options: TurnMarksOptions;
  readonly #live: Scheduler;
  #watch = UNWATCHED;
  #place: TurnPlace | null = null;
  #startedAt: number | null = null;
  /** The look with which a turn began that had no name yet. */
  #since: number | null = null;
  #queue: Promise<void> = Promise.resolve();

  constructor(options: TurnMarksOptions) {
    this.#options = options;
    const { timers, onProblem } = options;
    const onError = (error: unknown) => onProblem(String(error));
    this.#live = new Scheduler({ minGapMs: LIVE_GAP_MS, run: () => this.#lookAgain(), onError, timers });
  }

  /** Takes one look at the pane in. */
  see({ newest, busy }: Pick<TurnFacts, 'newest' | 'busy'>, place: TurnPlace): void {
    const { session, folder } = place;
    const before = this.#place?.folder === folder ? this.#watch : UNWATCHED;
    const { watch, moments } = watchTurn(before, {
      newest,
      busy,
      session: session === null ? null : `${session.cli}:${session.sessionId}`,
      now: this.#options.timers.now(),
    });
    this.#watch = watch;
    this.#place = place;
    this.#startedAt = newest?.startedAt ?? null;
    for (const moment of moments) this.#enqueue(moment);
  }

  /** The session file was written: the turn that goes on may have changed something. */
  hear(): void {
    if (this.#watch.open?.turn != null) this.#live.request();
  }

  close(): void {
    this.#live.stop();
  }

  async #lookAgain(): Promise<void> {
    const turn = this.#watch.open?.turn ?? null;
    if (turn === null) return;
    this.#enqueue({ turn, moment: 'begin', late: false, isNamed: false });
    await this.#queue;
  }

  #enqueue(moment: TurnMoment): void {
    const [place, startedAt] = [this.#place, this.#startedAt];
    if (place !== null) this.#queue = this.#queue.then(() => this.#mark(moment, place, startedAt));
  }

  async #mark(
    { turn, moment, late, isNamed }: TurnMoment,
    { session, folder }: TurnPlace,
    startedAt: number | null,
  ): Promise<void> {
    const since = isNamed ? this.#since : null;
    const marked = await this.#options.client.request('changes/mark', {
      folder,
      session,
      turn,
      moment,
      since,
      late,
      startedAt,
    });
    if (!marked.ok) return this.#options.onProblem(marked.error.message);
    this.#since = turn === null ? marked.value.look : null;
    if (turn !== null) this.#options.onLooked();
  }
}
