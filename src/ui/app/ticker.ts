/** One timer, set only while something visible ages. Not for hidden panes: tmux would mark their windows active. */

import type { Timers } from '../../lib/scheduler.ts';
import type { ResponsesView } from '../responses/port.ts';
import type { AppState } from './state.ts';

export interface Ticker {
  /** Finds when the picture next changes by itself, and wakes then. */
  readonly arm: (state: AppState, view: ResponsesView) => void;
  readonly stop: () => void;
}

export interface TickerOptions {
  readonly clock: Timers;
  /** Resolves when the pane is visible; undefined: it counts as visible. */
  readonly whenSeen: (() => Promise<void>) | undefined;
  readonly wake: () => void;
}

/** Makes the ticker. */
export function createTicker({ clock, whenSeen, wake }: TickerOptions): Ticker {
  let handle: unknown = null;
  const stop = (): void => {
    if (handle !== null) clock.clear(handle);
    handle = null;
  };
  const look = async (mine: unknown): Promise<void> => {
    if (whenSeen !== undefined) await whenSeen();
    if (handle !== mine) return;
    stop();
    wake();
  };
  return {
    stop,
    arm: (state, view) => {
      stop();
      const delayMs = nextChangeMs(state, view, clock.now());
      if (delayMs === null) return;
      const mine = clock.set(() => void look(mine), delayMs);
      handle = mine;
    },
  };
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** How stale the age of a resting AI may be in its first minute: exact seconds would cost a wake-up each. */
const REST_STEP_MS = 5 * SECOND_MS;
/** First check of work in progress, which is shown only if it takes longer. */
const FIRST_LOOK_MS = 250;

/** When the frame next changes without input; null if nothing on it ages. */
function nextChangeMs({ busy, toast }: AppState, { status }: ResponsesView, now: number): number | null {
  const waits: number[] = [];
  if (busy !== null) waits.push(now - busy.since < SECOND_MS ? FIRST_LOOK_MS : SECOND_MS);
  if (toast?.until != null) waits.push(Math.max(1, toast.until - now));
  if (status.since !== null && status.state !== 'unknown') {
    const ageMs = now - status.since;
    const stepMs = status.state === 'working' ? SECOND_MS : ageMs < MINUTE_MS ? REST_STEP_MS : MINUTE_MS;
    waits.push(stepMs - (ageMs % stepMs));
  }
  return waits.length === 0 ? null : Math.min(...waits);
}

/** The state without expired messages. */
export function withoutExpired(state: AppState, now: number): AppState {
  return state.toast?.until != null && state.toast.until <= now ? { ...state, toast: null } : state;
}
