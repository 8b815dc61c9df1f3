/** Ties child processes to the request they serve: when it is aborted, they are ended. */
import { AsyncLocalStorage } from 'node:async_hooks';

const wanted = new AsyncLocalStorage<AbortSignal>();

/** Runs `work`; when `signal` aborts, ends every program that it has started. Without a signal it runs to its end. */
export function whileWanted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  return signal === undefined ? work() : wanted.run(signal, work);
}

/** The signal of the work that calls this. */
export const wantedSignal = (): AbortSignal | undefined => wanted.getStore();
