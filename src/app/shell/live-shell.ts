/**
 * The Shell screen's data, alive: asks the leader how the completions fare, once a second and only while the
 * screen is shown. Decides nothing.
 */
import { ok, type Result } from '../../lib/result.ts';
import type { Timers } from '../../lib/scheduler.ts';
import type { Client } from '../../protocol/client.ts';
import type { ShellStatus } from '../../protocol/shell.ts';
import type { ShellPort, ShellView } from '../../ui/shell/port.ts';

/** Nobody reads faster. */
const LOOK_EVERY_MS = 1_000;

export interface LiveShellOptions {
  readonly client: Client;
  readonly timers: Timers;
}

export class LiveShell implements ShellPort {
  readonly #options: LiveShellOptions;
  readonly #listeners = new Set<() => void>();
  #view: ShellView = { shell: null, problem: null };
  /** What `#view` was made of: the same again is no change. */
  #seen = '';
  #isWatched = false;
  #timer: unknown = null;

  constructor(options: LiveShellOptions) {
    this.#options = options;
  }

  readonly getSnapshot = (): ShellView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly watch = (isShown: boolean): void => {
    if (isShown === this.#isWatched) return;
    this.#isWatched = isShown;
    this.#options.timers.clear(this.#timer);
    if (isShown) void this.#look();
  };

  readonly setPrivate = async (on: boolean): Promise<Result<void>> =>
    this.#take(await this.#options.client.request('shell/private', { on }));

  readonly forget = async (line: string): Promise<Result<void>> =>
    this.#take(await this.#options.client.request('shell/forget', { line }));

  close(): void {
    this.watch(false);
  }

  async #look(): Promise<void> {
    const { client, timers } = this.#options;
    this.#take(await client.request('shell/status', {}));
    if (this.#isWatched) this.#timer = timers.set(() => void this.#look(), LOOK_EVERY_MS);
  }

  #take(answer: Result<ShellStatus>): Result<void> {
    const view: ShellView = answer.ok
      ? { shell: answer.value, problem: null }
      : { ...this.#view, problem: answer.error };
    const seen = JSON.stringify(view);
    if (seen !== this.#seen) {
      this.#seen = seen;
      this.#view = view;
      for (const listener of this.#listeners) listener();
    }
    return answer.ok ? ok(undefined) : answer;
  }
}
