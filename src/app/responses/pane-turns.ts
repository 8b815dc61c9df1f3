/** The turns of one followed pane: read when its session file changes or its screen prints, one reading at a time. */
import { errorMessage, type Failure } from '../../lib/result.ts';
import { Scheduler, type Timers } from '../../lib/scheduler.ts';
import type { AskedCall } from '../../protocol/dialog.ts';
import type { PaneResponses, ResponsesReading } from '../../responses/pane-responses.ts';
import type { TranscriptRef } from '../../responses/transcripts/port.ts';
import type { FileWatcher } from '../../responses/transcripts/watch.ts';

/** Newest turns that are kept in the list. */
const TURNS_SHOWN = 500;
/** A growing answer is read at most this often. */
const READ_GAP_MS = 100;
/** The pause after the last output of a pane before it is read once more: a new session has its file by then. */
const LATE_READ_MS = 1_000;
/** A pane that has printed nothing for so long is read no more often than that. */
const QUIET_MS = 60_000;

export interface PaneTurnsOptions {
  readonly responses: PaneResponses;
  readonly watcher: FileWatcher;
  readonly timers: Timers;
  /** `isOther`: it is another session than at the last reading. */
  readonly onRead: (reading: ResponsesReading, isOther: boolean) => Promise<void>;
  /** The session file changed. */
  readonly onWritten: () => void;
  readonly onFailure: (problem: Failure) => void;
  readonly onProblem: (message: string) => void;
}

export class PaneTurns {
  readonly #options: PaneTurnsOptions;
  readonly #reads: Scheduler;
  #last: ResponsesReading | null = null;
  #late: unknown = null;
  /** When the pane printed last, as far as it is known, and when it was read last. */
  #printedAt: number;
  #readAt = Number.NEGATIVE_INFINITY;
  #watched: string | null = null;
  #unwatch: () => void = () => undefined;
  #isClosed = false;

  constructor(options: PaneTurnsOptions) {
    this.#options = options;
    this.#printedAt = options.timers.now();
    this.#reads = new Scheduler({
      minGapMs: READ_GAP_MS,
      run: () => this.read(),
      onError: (error) => options.onProblem(errorMessage(error)),
      timers: options.timers,
    });
  }

  get responses(): PaneResponses {
    return this.#options.responses;
  }

  /** The session that was read; null before, and where the screen was read. */
  get ref(): TranscriptRef | null {
    return this.#last?.ref ?? null;
  }

  /** The session that the pane is known to have: the newest of its folder is a guess. */
  get sureSession(): string | null {
    const { ref } = this;
    return ref === null || ref.tie === 'folder' ? null : ref.sessionId;
  }

  /** Calls without a result, as its session file says. */
  get asked(): readonly AskedCall[] {
    return this.#last?.asked ?? [];
  }

  request(): void {
    this.#reads.request();
  }

  /** A look without news: a pane that has been quiet for a minute is read once a minute. */
  requestInCase(): void {
    const since = this.#options.timers.now() - QUIET_MS;
    if (this.#printedAt > since || this.#readAt <= since) this.request();
  }

  /** The pane printed: reads soon, and once more when the session file has what was printed. */
  requestTwice(): void {
    const { timers } = this.#options;
    this.#printedAt = timers.now();
    this.request();
    timers.clear(this.#late);
    this.#late = timers.set(() => this.request(), LATE_READ_MS);
  }

  async read(): Promise<void> {
    this.#readAt = this.#options.timers.now();
    const reading = await this.#options.responses.read('auto', TURNS_SHOWN);
    if (this.#isClosed) return;
    if (!reading.ok) return this.#options.onFailure(reading.error);
    const isOther = reading.value.ref?.sessionId !== this.ref?.sessionId;
    this.#last = reading.value;
    this.#watch(reading.value);
    await this.#options.onRead(reading.value, isOther);
  }

  close(): void {
    this.#isClosed = true;
    this.#options.timers.clear(this.#late);
    this.#reads.stop();
    this.#unwatch();
  }

  #watch({ ref, beside }: ResponsesReading): void {
    const watched = ref === null ? null : [ref.path, ...beside].join('\n');
    if (watched === this.#watched) return;
    this.#unwatch();
    this.#watched = watched;
    const onChange = async () => {
      this.request();
      this.#options.onWritten();
    };
    this.#unwatch = ref === null ? () => undefined : this.#options.watcher.watch(ref.path, onChange, beside);
  }
}
