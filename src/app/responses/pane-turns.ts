/** The turns of one followed pane. Reads when its session file changes or its screen prints, one reading at a time. */
import { errorMessage, type Failure } from '../../lib/result.ts';
import { Scheduler, type Timers } from '../../lib/scheduler.ts';
import type { AskedCall } from '../../protocol/dialog.ts';
import type { PaneResponses, ResponsesReading } from '../../responses/pane-responses.ts';
import type { TranscriptRef } from '../../responses/transcripts/port.ts';
import type { FileWatcher } from '../../responses/transcripts/watch.ts';

/** How many of the newest turns the list keeps. */
const TURNS_SHOWN = 500;
/** A growing answer is read at most this often. */
const READ_GAP_MS = 100;
/** The pause after the last output of a pane before it is read again: a new session has its file by then. */
const LATE_READ_MS = 1_000;
/** A pane quiet for this long is read no more often than this. */
const QUIET_MS = 60_000;

export interface PaneTurnsOptions {
  readonly responses: PaneResponses;
  readonly watcher: FileWatcher;
  readonly timers: Timers;
  /** `isOther`: the session differs from the last reading. */
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
  /** When the pane last printed, if known, and when it was last read. */
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

  /** The session that was read; null before the first reading, and if the screen was read. */
  get ref(): TranscriptRef | null {
    return this.#last?.ref ?? null;
  }

  /** The session if it is certain: the newest one of the folder is a guess. */
  get sureSession(): string | null {
    const { ref } = this;
    return ref === null || ref.tie === 'folder' ? null : ref.sessionId;
  }

  /** Calls without a result, according to the session file. */
  get asked(): readonly AskedCall[] {
    return this.#last?.asked ?? [];
  }

  request(): void {
    this.#reads.request();
  }

  /** A check without news: reads a pane that was quiet for a minute once a minute. */
  requestInCase(): void {
    const since = this.#options.timers.now() - QUIET_MS;
    if (this.#printedAt > since || this.#readAt <= since) this.request();
  }

  /** The pane printed: reads soon, and again when the session file contains the output. */
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

  #watch({ ref, sideFiles }: ResponsesReading): void {
    const watched = ref === null ? null : [ref.path, ...sideFiles].join('\n');
    if (watched === this.#watched) return;
    this.#unwatch();
    this.#watched = watched;
    const onChange = async () => {
      this.request();
      this.#options.onWritten();
    };
    this.#unwatch =
      ref === null ? () => undefined : this.#options.watcher.watch(ref.path, onChange, sideFiles);
  }
}
