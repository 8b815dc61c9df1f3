/** The live data of the Shell screen: asks the leader once a second, only while the screen is shown. */
import { isDeepStrictEqual } from 'node:util';
import { ok, type Result } from '../../lib/result.ts';
import type { Timers } from '../../lib/scheduler.ts';
import type { Client } from '../../protocol/client.ts';
import type { ShellStatus } from '../../protocol/shell.ts';
import type { ShellPort, ShellView } from '../../ui/shell/port.ts';
import { LiveView } from '../live-view.ts';

/** Nobody can read faster. */
const LOOK_EVERY_MS = 1_000;

export interface LiveShellOptions {
  readonly client: Client;
  readonly timers: Timers;
}

export class LiveShell extends LiveView<ShellView> implements ShellPort {
  readonly #options: LiveShellOptions;
  #isWatched = false;
  #timer: unknown = null;

  constructor(options: LiveShellOptions) {
    super({ shell: null, problem: null });
    this.#options = options;
    this.onClose(() => this.watch(false));
  }

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

  async #look(): Promise<void> {
    const { client, timers } = this.#options;
    this.#take(await client.request('shell/status', {}));
    if (this.#isWatched) this.#timer = timers.set(() => void this.#look(), LOOK_EVERY_MS);
  }

  #take(answer: Result<ShellStatus>): Result<void> {
    const view: ShellView = answer.ok
      ? { shell: answer.value, problem: null }
      : { ...this.view, problem: answer.error };
    if (!isDeepStrictEqual(view, this.view)) this.publish(view);
    return answer.ok ? ok(undefined) : answer;
  }
}
