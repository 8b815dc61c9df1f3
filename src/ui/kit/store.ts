/** A value that is replaced as a whole, with subscribers. Setting the same value notifies nobody. */

/** A value to read and subscribe to. */
export interface Source<T> {
  readonly get: () => T;
  /** Returns the function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
}

export interface Store<T> extends Source<T> {
  readonly set: (next: T) => void;
}

/** Makes a store. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
