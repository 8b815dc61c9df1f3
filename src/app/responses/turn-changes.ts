/** The file changes of the followed session's turns: marks where a turn starts and ends, counts, opens reviews. */

import { type TurnFacts, type TurnMoment, UNWATCHED, watchTurn } from '../../changes/core/turn-watch.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import { Scheduler, type Timers } from '../../lib/scheduler.ts';
import type { Client } from '../../protocol/client.ts';
import type { Turn } from '../../protocol/turn.ts';
import type { SessionRef } from '../../protocol/turn-range.ts';
import { turnTitle } from '../../responses/core/turn.ts';
import type { ResponsesView, TurnChangesView } from '../../ui/responses/port.ts';
import { markLooked, readFigures } from './turn-figures.ts';

/** Limit of the first prompt line when it names a review. */
const TITLE_MAX_CHARACTERS = 200;

export interface TurnChangesOptions {
  readonly client: Client;
  readonly timers: Timers;
  /** The followed session; null if the screen is read. */
  readonly session: () => SessionRef | null;
  readonly onChange: (changes: TurnChangesView) => void;
  readonly onProblem: (message: string) => void;
}

export class TurnChanges {
  readonly #options: TurnChangesOptions;
  readonly #marks: TurnMarks;
  /** The turns with known figures, oldest first. */
  #counted: readonly string[] = [];
  /** All turns in view, newest first. */
  #turns: readonly Turn[] = [];

  constructor(options: TurnChangesOptions) {
    this.#options = options;
    const { client, timers, onProblem } = options;
    this.#marks = new TurnMarks({ client, timers, onLooked: () => void this.count(), onProblem });
  }

  async count(): Promise<void> {
    const ref = this.#options.session();
    if (ref === null) return;
    const changes = await readFigures(this.#options.client, sessionOf(ref));
    const isStill = this.#options.session()?.sessionId === ref.sessionId;
    if (changes === null || !isStill) return;
    this.#counted = [...changes.figures.keys()];
    this.#options.onChange(changes);
  }

  /** Processes the current view: a turn may have begun or ended. Looks at the files before the first turn. */
  see({ status, turns, markers, isLooking }: ResponsesView, folder: string): void {
    this.#turns = turns;
    const ref = this.#options.session();
    if (ref === null && (isLooking || !markers.hasTranscript)) return;
    const [newest, previous = null] = ref === null ? [] : turns;
    const facts = {
      newest:
        newest === undefined
          ? null
          : {
              id: newest.id,
              isOver: newest.progress !== 'streaming',
              startedAt: newest.startedAt,
              previous,
            },
      busy: status.state === 'working' || status.state === 'waiting',
    };
    this.#marks.see(facts, { session: ref === null ? null : sessionOf(ref), folder });
  }

  /** The session file was written. */
  hear(): void {
    this.#marks.hear();
  }

  close(): void {
    this.#marks.close();
  }

  /** Opens a review of a turn's changes in this folder, with `onward` including all later ones; returns its id. */
  async review(turn: Turn, onward: boolean, folder: string): Promise<Result<string>> {
    const ref = this.#options.session();
    if (ref === null)
      return fail('not_found', 'What this answer changed is not known: it was read from the screen');
    const session = sessionOf(ref);
    // An edit is in the session file before the snapshot at the end of its turn.
    await this.#marks.lookNow();
    const title = turnTitle(turn).slice(0, TITLE_MAX_CHARACTERS) || 'an answer';
    const published = await this.#options.client.request('review/publish', {
      target: folder,
      description: onward ? `Since before: ${title}` : title,
      source: { kind: 'turn', session, from: turn.id, to: onward ? null : turn.id },
    });
    if (!published.ok) return published;
    const at = this.#turns.findIndex(({ id }) => id === turn.id);
    const newer = new Set(this.#turns.slice(0, Math.max(0, at)).map(({ id }) => id));
    const later = onward ? this.#counted.filter((id) => newer.has(id)) : [];
    await markLooked(this.#options.client, session, [turn.id, ...later]);
    void this.count();
    return ok(published.value.id);
  }
}

const sessionOf = ({ cli, path, sessionId }: SessionRef): SessionRef => ({ cli, path, sessionId });

/** The least time between two snapshots during a turn. */
const LIVE_GAP_MS = 1_000;

interface TurnMarksOptions {
  readonly client: Pick<Client, 'request'>;
  readonly timers: Timers;
  /** The changes of a turn are known, so far or completely. */
  readonly onLooked: () => void;
  readonly onProblem: (message: string) => void;
}

interface TurnPlace {
  /** Null if there is none. */
  readonly session: SessionRef | null;
  readonly folder: string;
}

class TurnMarks {
  readonly #options: TurnMarksOptions;
  readonly #live: Scheduler;
  #watch = UNWATCHED;
  #place: TurnPlace | null = null;
  #startedAt: number | null = null;
  /** The snapshot at the beginning of a turn that has no name yet. */
  #since: number | null = null;
  #queue: Promise<void> = Promise.resolve();

  constructor(options: TurnMarksOptions) {
    this.#options = options;
    const { timers, onProblem } = options;
    const onError = (error: unknown) => onProblem(String(error));
    this.#live = new Scheduler({ minGapMs: LIVE_GAP_MS, run: () => this.lookNow(), onError, timers });
  }

  /** Processes one reading of the pane. */
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

  /** The session file was written: the current turn may have changed files. */
  hear(): void {
    if (this.#watch.open?.turn != null) this.#live.request();
  }

  close(): void {
    this.#live.stop();
  }

  /** Takes a snapshot for the current turn, and waits for all pending ones. */
  async lookNow(): Promise<void> {
    const turn = this.#watch.open?.turn ?? null;
    if (turn !== null) this.#enqueue({ turn, moment: 'begin', late: false, isNamed: false });
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
