/**
 * What the live stores behind the screens share: a view that a screen subscribes to, the events of the host, and one
 * end for all that runs. A store reads and tells; it decides nothing.
 */
import type { Client } from '../protocol/client.ts';
import type { EventBody } from '../protocol/event.ts';

export class LiveView<View extends object> {
  #view: View;
  #isClosed = false;
  readonly #listeners = new Set<() => void>();
  readonly #ends: (() => void)[] = [];

  constructor(view: View) {
    this.#view = view;
  }

  readonly getSnapshot = (): View => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Ends all that was started, the newest first; nothing is shown any more. */
  close(): void {
    this.#isClosed = true;
    for (const end of this.#ends.splice(0).toReversed()) end();
  }

  protected get view(): View {
    return this.#view;
  }

  protected get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Shows what changed; unchanged parts keep their identity, and a change of nothing wakes nobody. */
  protected publish(change: Partial<View>): void {
    const before = this.#view;
    const isNews = (Object.keys(change) as (keyof View)[]).some((key) => change[key] !== before[key]);
    if (!isNews || this.#isClosed) return;
    this.#view = { ...before, ...change };
    for (const listener of [...this.#listeners]) listener();
  }

  /** Called once, at the end. */
  protected onClose(...ends: readonly (() => void)[]): void {
    this.#ends.push(...ends);
  }

  /** Hears the host's events; `resync` loads everything anew after a gap. */
  protected listen(
    client: Pick<Client, 'subscribe'>,
    hear: (body: EventBody) => void,
    resync?: () => void,
  ): void {
    this.onClose(client.subscribe(({ body }) => hear(body), resync === undefined ? {} : { onGap: resync }));
  }
}
