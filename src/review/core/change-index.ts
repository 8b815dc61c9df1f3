/** A file's changes by id, so that deciding on one of thousands does not iterate over them all. */
import type { Change } from './change.ts';

export class ChangeIndex {
  readonly changes: readonly Change[];
  #places: ReadonlyMap<string, number> | null = null;

  constructor(changes: readonly Change[]) {
    this.changes = changes;
  }

  find(id: string): Change | null {
    return this.changes[this.#placeOf(id)] ?? null;
  }

  /** The changes with these ids, in their order. */
  among(ids: ReadonlySet<string>): readonly Change[] {
    if (ids.size > 1) return this.changes.filter((change) => ids.has(change.id));
    const [id] = ids;
    const change = id === undefined ? null : this.find(id);
    return change === null ? [] : [change];
  }

  #placeOf(id: string): number {
    this.#places ??= new Map(this.changes.map((change, place) => [change.id, place]));
    return this.#places.get(id) ?? -1;
  }
}
