/** Connects a source to React. */
import { useSyncExternalStore } from 'react';
import type { Source } from '../store.ts';

/** What `select` reads from the value. Redraws when it differs, so it should be a primitive or a stable object. */
export function useSource<T, S>(source: Source<T>, select: (value: T) => S): S {
  const read = () => select(source.get());
  return useSyncExternalStore(source.subscribe, read, read);
}
