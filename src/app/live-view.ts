/** The base of the live stores behind the screens: a view to subscribe to, the host's events, and one `close`. */
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

  /** Runs the disposers, newest first; publishes nothing any more. */
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

  /** Publishes changed fields; unchanged ones keep their identity, and an empty change notifies nobody. */
  protected publish(change: Partial<View>): void {
    const before = this.#view;
    const isNews = (Object.keys(change) as (keyof View)[]).some((key) => change[key] !== before[key]);
    if (!isNews || this.#isClosed) return;
    this.#view = { ...before, ...change };
    for (const listener of [...this.#listeners]) listener();
  }

  /** Registers disposers that `close` calls once. */
  protected onClose(...ends: readonly (() => void)[]): void {
    this.#ends.push(...ends);
  }

  /** Subscribes to the host's events; `resync` reloads everything after a gap. */
  protected listen(
    client: Pick<Client, 'subscribe'>,
    hear: (body: EventBody) => void,
    resync?: () => void,
  ): void {
    this.onClose(client.subscribe(({ body }) => hear(body), resync === undefined ? {} : { onGap: resync }));
  }
}
