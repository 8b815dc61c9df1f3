/** Has the files looked at when a turn of the followed pane begins and ends, one look after the other. */
import { type TurnFacts, type TurnMoment, UNWATCHED, watchTurn } from '../../changes/core/turn-watch.ts';
import type { Client } from '../../protocol/client.ts';
import type { SessionRef } from '../../protocol/turn-range.ts';

export interface TurnMarksOptions {
  readonly client: Pick<Client, 'request'>;
  /** A turn has ended, and what it changed is known. */
  readonly onEnd: () => void;
  readonly onProblem: (message: string) => void;
}

/** Where the turns go on. */
export interface TurnPlace {
  readonly session: SessionRef;
  readonly folder: string;
  /** When the newest turn began; null when that is not known. */
  readonly startedAt: number | null;
}

export class TurnMarks {
  readonly #options: TurnMarksOptions;
  #watch = UNWATCHED;
  /** The look with which a turn began that had no name yet. */
  #since: number | null = null;
  #queue: Promise<void> = Promise.resolve();

  constructor(options: TurnMarksOptions) {
    this.#options = options;
  }

  /** Takes one look at the pane in. */
  see(facts: Omit<TurnFacts, 'session'>, place: TurnPlace): void {
    const { session } = place;
    const { watch, moments } = watchTurn(this.#watch, {
      ...facts,
      session: `${session.cli}:${session.sessionId}`,
    });
    this.#watch = watch;
    for (const moment of moments) this.#queue = this.#queue.then(() => this.#mark(moment, place));
  }

  async #mark(
    { turn, moment, late, isNamed }: TurnMoment,
    { session, folder, startedAt }: TurnPlace,
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
    if (moment === 'end') this.#options.onEnd();
  }
}
