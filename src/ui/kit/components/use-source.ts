/** Connects a source to React. */
import { useSyncExternalStore } from 'react';
import type { Source } from '../store.ts';

/**
 * What `select` reads from the present value. The component is drawn again when it reads something else, so it should be
 * a string, a number or a truth, or a part that keeps its identity.
 */
export function useSource<T, S>(source: Source<T>, select: (value: T) => S): S {
  const read = () => select(source.get());
  return useSyncExternalStore(source.subscribe, read, read);
}
