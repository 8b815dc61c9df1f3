/** Work that somebody waits for: when nobody does any more, the programs that it has started are ended. */
import { AsyncLocalStorage } from 'node:async_hooks';

const wanted = new AsyncLocalStorage<AbortSignal>();

/** Runs `work`, and ends every program that it runs when `signal` aborts. Left out: it goes to its end. */
export function whileWanted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  return signal === undefined ? work() : wanted.run(signal, work);
}

/** The signal of the work that this is called in. */
export const wantedSignal = (): AbortSignal | undefined => wanted.getStore();
