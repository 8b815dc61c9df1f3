/** A map of two generations that drops entries long unused. (Deleting a Map's first key repeatedly is quadratic.) */
export class RecentMap<K, V> {
  readonly #generationMax: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  /** Once full, holds between half of `max` and `max` entries. */
  constructor(max: number) {
    this.#generationMax = Math.max(1, Math.floor(max / 2));
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** The value of `key`; marks it as used. */
  get(key: K): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) {
      this.#old.delete(key);
      this.set(key, older);
    }
    return older;
  }

  /** The value of `key`, without marking it as used. */
  peek(key: K): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  *keys(): Iterable<K> {
    yield* this.#young.keys();
    for (const key of this.#old.keys()) if (!this.#young.has(key)) yield key;
  }

  delete(key: K): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  set(key: K, value: V): void {
    this.#young.set(key, value);
    if (this.#young.size < this.#generationMax) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}
