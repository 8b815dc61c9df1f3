/** Waits until a pane of tmux is visible: in front, in a window that a client shows. */
import type { Timers } from '../../lib/scheduler.ts';
import { PANE_SHOWN_FORMAT, printFor } from '../../tmux/core/formats.ts';
import type { TmuxPort } from '../../tmux/port.ts';

/** How often to ask tmux whether a pane is visible when no AI pane is followed, as then no notification comes. */
const ASK_AGAIN_MS = 30_000;

export interface ShownPaneOptions {
  readonly tmux: () => TmuxPort;
  readonly timers: Timers;
}

export class ShownPane {
  readonly #options: ShownPaneOptions;
  /** Settles when another window or pane comes to the front. */
  #switch = Promise.withResolvers<void>();
  #shown: Promise<void> | null = null;

  constructor(options: ShownPaneOptions) {
    this.#options = options;
  }

  /** Another window or pane came to the front. */
  onSwitch(): void {
    this.#switch.resolve();
  }

  /** Resolves when a pane is visible; at once if tmux cannot tell. */
  whenShown(paneId: string | undefined): Promise<void> {
    this.#shown ??= this.#waitUntilShown(paneId).finally(() => {
      this.#shown = null;
    });
    return this.#shown;
  }

  async #waitUntilShown(paneId: string | undefined): Promise<void> {
    if (paneId === undefined) return;
    const { tmux, timers } = this.#options;
    for (;;) {
      this.#switch = Promise.withResolvers();
      const answer = await tmux().run([printFor(paneId, PANE_SHOWN_FORMAT)]);
      if (!answer.ok || answer.value.trim() !== '0') return;
      const again = timers.set(this.#switch.resolve, ASK_AGAIN_MS);
      await this.#switch.promise;
      timers.clear(again);
    }
  }
}
