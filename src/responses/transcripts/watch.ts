/** One watcher for many session files, by system notifications, or by polling size and time. */
import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Scheduler, type Timers } from '../../lib/scheduler.ts';

/** How often the files are checked while one of them changes without a notification. */
export const POLL_MS = 500;
/** How often they are checked while notifications come. */
const QUIET_POLL_MS = 15_000;
/** The pause doubles up to this while nothing changes. */
const CALM_POLL_MS = 60_000;
/** The least time between two calls for a file: a streaming CLI writes many times a second. */
export const MIN_GAP_MS = 50;
/** The most files watched; further ones are refused. */
export const MAX_WATCHED_FILES = 1_000;

export interface FileWatcherOptions {
  readonly timers: Timers;
  /** Called for an exception in a callback; the watcher continues. */
  readonly onError: (error: unknown) => void;
}

interface Watched {
  /** The file and others that change with it, such as a database's log. */
  readonly paths: readonly string[];
  readonly scheduler: Scheduler;
  seen: string | null;
  /** The system reported a change since the last poll. */
  noticed: boolean;
  /** Only polling found the last change. */
  isMissed: boolean;
}

interface WatchedFolder {
  /** Null if there are no notifications (missing folder, system limit). */
  watcher: FSWatcher | null;
  users: number;
}

export class FileWatcher {
  readonly #options: FileWatcherOptions;
  readonly #files = new Set<Watched>();
  readonly #folders = new Map<string, WatchedFolder>();
  #poll: unknown = null;
  #polling = false;
  #pauseMs = QUIET_POLL_MS;

  constructor(options: FileWatcherOptions) {
    this.#options = options;
  }

  /** Calls `onChange` after changes of the file or one beside it, coalesced. Returns the function that stops it. */
  watch(file: string, onChange: () => Promise<void>, sideFiles: readonly string[] = []): () => void {
    if (this.#files.size >= MAX_WATCHED_FILES) return () => undefined;
    const { timers, onError } = this.#options;
    const watched: Watched = {
      paths: [file, ...(file.endsWith('.db') ? [`${file}-wal`] : []), ...sideFiles],
      scheduler: new Scheduler({ minGapMs: MIN_GAP_MS, run: onChange, onError, timers }),
      seen: null,
      noticed: false,
      isMissed: false,
    };
    this.#files.add(watched);
    const folders = new Set(watched.paths.map((each) => path.dirname(each)));
    for (const folder of folders) this.#retain(folder);
    this.#disarm();
    this.#arm();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      watched.scheduler.stop();
      this.#files.delete(watched);
      for (const folder of folders) this.#release(folder);
    };
  }

  /** Ends all watching. */
  close(): void {
    for (const watched of this.#files) watched.scheduler.stop();
    this.#files.clear();
    for (const { watcher } of this.#folders.values()) watcher?.close();
    this.#folders.clear();
    this.#disarm();
  }

  #retain(folder: string): void {
    const known = this.#folders.get(folder);
    if (known !== undefined) {
      known.users += 1;
      return;
    }
    this.#folders.set(folder, { watcher: this.#listen(folder), users: 1 });
  }

  #listen(folder: string): FSWatcher | null {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => this.#notice(folder, name));
      // Deleting a folder ends its notifications; polling continues.
      watcher.on('error', () => {
        const known = this.#folders.get(folder);
        if (known?.watcher === watcher) known.watcher = null;
        watcher.close();
        this.#disarm();
        this.#arm();
      });
      return watcher;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return null;
    }
  }

  #release(folder: string): void {
    const known = this.#folders.get(folder);
    if (known === undefined) return;
    known.users -= 1;
    if (known.users > 0) return;
    known.watcher?.close();
    this.#folders.delete(folder);
  }

  /** A notification without a name may be for any file of the folder. */
  #notice(folder: string, name: string | null): void {
    for (const watched of this.#files) {
      const isConcerned = watched.paths.some((file) =>
        name === null ? path.dirname(file) === folder : file === path.join(folder, name),
      );
      if (!isConcerned) continue;
      watched.noticed = true;
      watched.isMissed = false;
      watched.scheduler.request();
    }
  }

  #arm(): void {
    if (this.#poll !== null || this.#polling || this.#files.size === 0) return;
    const isDeaf =
      [...this.#folders.values()].some(({ watcher }) => watcher === null) ||
      [...this.#files].some(({ seen, isMissed: unheard }) => seen === null || unheard);
    this.#poll = this.#options.timers.set(() => void this.#look(), isDeaf ? POLL_MS : this.#pauseMs);
  }

  #disarm(): void {
    if (this.#poll !== null) this.#options.timers.clear(this.#poll);
    this.#poll = null;
  }

  async #look(): Promise<void> {
    this.#poll = null;
    this.#polling = true;
    this.#pauseMs = Math.min(2 * this.#pauseMs, CALM_POLL_MS);
    for (const [folder, known] of this.#folders) known.watcher ??= this.#listen(folder);
    for (const watched of [...this.#files]) {
      const seen = await signature(watched.paths);
      if (watched.seen !== seen) {
        this.#pauseMs = QUIET_POLL_MS;
        watched.scheduler.request();
        watched.isMissed = watched.seen !== null && !watched.noticed;
      }
      watched.noticed = false;
      watched.seen = seen;
    }
    this.#polling = false;
    this.#arm();
  }
}

async function signature(paths: readonly string[]): Promise<string> {
  const all = await Promise.all(paths.map((file) => stat(file).catch(() => null)));
  return all.map((stats) => (stats === null ? '-' : `${stats.ino}:${stats.size}:${stats.mtimeMs}`)).join(' ');
}
