/** The bridge from a store to React. */
import { useSyncExternalStore } from 'react';
import type { Store } from './store.ts';

/** The present value; the component draws again when it changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}
