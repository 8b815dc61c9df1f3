/** The process's own clock and timers, in the form that schedulers and the surface expect. */
import type { Timers } from '../lib/scheduler.ts';

export const systemTimers: Timers = {
  now: Date.now,
  set: (run, delayMs) => setTimeout(run, delayMs),
  clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
};
