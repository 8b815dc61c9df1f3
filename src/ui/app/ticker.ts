/** One timer, set only while something on the screen ages: a running AI, a toast, work under way. */

import type { ClockPort } from '../kit/ports.ts';
import type { ResponsesView } from '../responses/port.ts';
import type { AppState } from './state.ts';

export interface Ticker {
  /** Looks when the picture next changes by itself, and wakes then. */
  readonly arm: (state: AppState, view: ResponsesView) => void;
  readonly stop: () => void;
}

/** Makes the ticker. */
export function createTicker(clock: ClockPort, wake: () => void): Ticker {
  let handle: unknown = null;
  const stop = (): void => {
    if (handle !== null) clock.clear(handle);
    handle = null;
  };
  return {
    stop,
    arm: (state, view) => {
      stop();
      const delayMs = nextChangeMs(state, view, clock.now());
      if (delayMs === null) return;
      handle = clock.set(() => {
        handle = null;
        wake();
      }, delayMs);
    },
  };
}

const SECOND_MS = 1000;
/** Work under way is looked at so soon the first time: it shows when it takes longer than a moment. */
const FIRST_LOOK_MS = 250;

/** When the picture next changes by itself; null while nothing ages. */
function nextChangeMs({ busy, toast }: AppState, { status }: ResponsesView, now: number): number | null {
  const waits: number[] = [];
  if (busy !== null) waits.push(now - busy.since < SECOND_MS ? FIRST_LOOK_MS : SECOND_MS);
  if (toast?.until != null) waits.push(Math.max(1, toast.until - now));
  if (status.since !== null && status.state === 'working') {
    waits.push(SECOND_MS - ((now - status.since) % SECOND_MS));
  }
  return waits.length === 0 ? null : Math.min(...waits);
}

/** The state without what has had its time. */
export function withoutExpired(state: AppState, now: number): AppState {
  return state.toast?.until != null && state.toast.until <= now ? { ...state, toast: null } : state;
}
