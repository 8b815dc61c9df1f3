/** Ties child processes to the request that they serve, and ends them when it is aborted. */
import { AsyncLocalStorage } from 'node:async_hooks';

const wanted = new AsyncLocalStorage<AbortSignal>();

/** Runs `work`. If `signal` aborts, ends every program that it has started; without a signal, it runs to the end. */
export function whileWanted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  return signal === undefined ? work() : wanted.run(signal, work);
}

/** The signal of the work that makes this call. */
export const wantedSignal = (): AbortSignal | undefined => wanted.getStore();
