/** Maps on request: cached while the file is unchanged, otherwise made anew; and the changes since the last map. */
import { stat } from 'node:fs/promises';
import { ok, type Result } from '../lib/result.ts';
import type { FileMap, RenderedMap } from '../protocol/file-map.ts';
import { type FitOptions, fitMap } from './core/fit-map.ts';
import { diffMaps, type MapChange } from './core/map-diff.ts';
import type { MapCache } from './map-cache.ts';

export type MakeMap = (file: string) => Promise<Result<FileMap>>;

export interface FoundMap {
  readonly map: FileMap;
  /** Changes since the last map of this file; null if this is the first, or the file is unchanged. */
  readonly changes: readonly MapChange[] | null;
}

export class FileMaps {
  readonly #make: MakeMap;
  readonly #cache: MapCache;
  /** Simultaneous requests for one file share the work. */
  readonly #pending = new Map<string, Promise<Result<FoundMap>>>();

  constructor(make: MakeMap, cache: MapCache) {
    this.#make = make;
    this.#cache = cache;
  }

  get(file: string): Promise<Result<FoundMap>> {
    const pending = this.#pending.get(file);
    if (pending !== undefined) return pending;
    const made = this.#find(file).finally(() => this.#pending.delete(file));
    this.#pending.set(file, made);
    return made;
  }

  /** The map as text within a limit. */
  async render(file: string, options: FitOptions = {}): Promise<Result<RenderedMap>> {
    const found = await this.get(file);
    return found.ok ? ok(fitMap(found.value.map, options)) : found;
  }

  async #find(file: string): Promise<Result<FoundMap>> {
    const stats = await stat(file).catch(() => null);
    const cached = stats === null ? null : await this.#cache.get(file);
    // Taken before the file is read: a change meanwhile makes the entry stale, not wrong.
    const stamp = { size: stats?.size ?? 0, mtimeMs: stats?.mtimeMs ?? 0 };
    if (cached !== null && cached.stamp.size === stamp.size && cached.stamp.mtimeMs === stamp.mtimeMs) {
      return ok({ map: cached.map, changes: null });
    }
    const made = await this.#make(file);
    if (!made.ok) return made;
    await this.#cache.put(file, { stamp, map: made.value });
    return ok({ map: made.value, changes: cached === null ? null : diffMaps(cached.map, made.value) });
  }
}
