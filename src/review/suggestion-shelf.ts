/** Stored suggestions: loaded, the recent ones cached, and opened against the current target. */
import { RecentMap } from '../lib/recent-map.ts';
import { allOk, fail, ok, type Result } from '../lib/result.ts';
import { sideBySide } from '../lib/side-by-side.ts';
import type { FileReview } from './core/file-review.ts';
import { successorOf } from './publishing/replace.ts';
import { type Loaded, load, loadWithoutPatch, openFile } from './records/load-suggestion.ts';
import type { Blobs, ReviewRecords, StoredSuggestion } from './records/records.ts';
import { isTwin } from './sandboxes/source-follower.ts';
import { fileName } from './showing/describe-suggestion.ts';

/** Patches cached in memory; `RecentMap` keeps between half of them and all. */
const CACHE_MAX_SUGGESTIONS = 8;
/** Files read in parallel: most of the time is waiting. */
const READS_AT_ONCE = 8;

export class SuggestionShelf {
  readonly #records: ReviewRecords;
  readonly #blobs: Blobs;
  readonly #cache = new RecentMap<string, Loaded>(CACHE_MAX_SUGGESTIONS);

  constructor({ records, blobs }: { readonly records: ReviewRecords; readonly blobs: Blobs }) {
    this.#records = records;
    this.#blobs = blobs;
  }

  async load(id: string): Promise<Result<Loaded>> {
    if (isTwin(id)) return fail('not_found', `Suggestion not found: ${id}`);
    const loaded = await load(this.#records, this.#blobs, id, this.#cache.get(id) ?? null);
    if (loaded.ok) this.remember(loaded.value);
    return loaded;
  }

  /** The suggestion, if it can be decided on. */
  async open(id: string): Promise<Result<Loaded>> {
    const loaded = await this.load(id);
    if (!loaded.ok || loaded.value.stored.end === null) return loaded;
    return fail(
      'refused',
      `Suggestion ${id} is ${loaded.value.stored.end}; nothing can be decided on it.`,
      this.replacedWords(loaded.value.stored),
    );
  }

  /** Names the open review of the same changes that replaced it; undefined if none did. */
  replacedWords({ id, turns }: StoredSuggestion): string | undefined {
    const next = successorOf(id, this.#records.suggestions());
    // A review of other turns of the session may replace it too, but does not have these changes.
    if (next === undefined) return undefined;
    const isOfSame = turns === undefined || (next.turns?.from === turns.from && next.turns.to === turns.to);
    return isOfSame ? `A newer review took its place: ${next.id}` : undefined;
  }

  /** An unreadable suggestion can still be discarded. */
  async toBeEnded(id: string, how: 'finalize' | 'discard'): Promise<Result<Loaded>> {
    const loaded = await this.open(id);
    if (loaded.ok || loaded.error.code !== 'internal' || how !== 'discard') return loaded;
    const bare = loadWithoutPatch(this.#records, id);
    return bare?.stored.end === null ? ok(bare) : loaded;
  }

  remember(loaded: Loaded): void {
    this.#cache.set(loaded.stored.id, loaded);
  }

  /** The reviews of its files: all, one, or those with the first `hunks`. */
  async reviews(
    loaded: Loaded,
    file: string | null = null,
    hunks = Number.POSITIVE_INFINITY,
  ): Promise<Result<FileReview[]>> {
    let left = hunks;
    const positions = [...loaded.subjects.entries()].flatMap(([position, subject]) => {
      if (left <= 0 || (file !== null && fileName(subject) !== file)) return [];
      left -= subject.changes.length;
      return [position];
    });
    const opened = allOk(
      await sideBySide(positions, READS_AT_ONCE, (position) => openFile(loaded, position, this.#blobs)),
    );
    return opened.ok ? ok(opened.value.map(({ review }) => review)) : opened;
  }
}
