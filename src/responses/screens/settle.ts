/** Decides when a screen counts as idle: a thinking CLI may show nothing for a moment. Pure, without a clock. */
import type { AiState } from '../../protocol/pane.ts';
import type { ScreenReading } from '../../protocol/screen.ts';

/** Two looks this far apart must be equal before `idle` is reported. */
export const IDLE_SETTLE_MS = 1_500;

/** Whether two looks show the same work of the CLI, whatever the user types into its composer. */
export function isAlike(one: ScreenReading, other: ScreenReading): boolean {
  return one.state === other.state && one.dialog === other.dialog && one.queued === other.queued;
}

/**
 * The state after `reading`. `previous` is the first of the current run of equal looks, `elapsedMs` the time since it.
 * Working, waiting and unknown apply at once. Idle needs such a look at least `IDLE_SETTLE_MS` before; until then it is
 * still `working` if that was seen last, else `unknown`.
 */
export function settleState(
  previous: ScreenReading | null,
  reading: ScreenReading,
  elapsedMs: number,
): AiState {
  if (reading.state !== 'idle') return reading.state;
  if (previous === null) return 'unknown';
  if (isAlike(previous, reading)) return elapsedMs >= IDLE_SETTLE_MS ? 'idle' : 'unknown';
  return previous.state === 'working' ? 'working' : 'unknown';
}
