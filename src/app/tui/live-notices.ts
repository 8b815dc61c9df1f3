/**
 * What the user must know beside the screens, alive: how the leader's port fares and what it cannot do, whoever leads;
 * and what authors say about their work. Decides nothing.
 */
import type { Timers } from '../../lib/scheduler.ts';
import type { Client } from '../../protocol/client.ts';
import type { Report } from '../../protocol/report.ts';
import type { NoticePort, NoticeView } from '../../ui/app/ports.ts';

/** So often the leader is asked. */
const LOOK_MS = 3_000;
/** What an author said is shown for so long, unless it says something else. */
const PROGRESS_MS = 120_000;

export interface LiveNoticesOptions {
  readonly client: Client;
  readonly timers: Timers;
  /** Show the progress of authors, not only their errors. */
  readonly showProgress: boolean;
}

const EMPTY: NoticeView = { openToAll: false, notices: [], progress: null, error: null };

export class LiveNotices implements NoticePort {
  readonly #options: LiveNoticesOptions;
  readonly #listeners = new Set<() => void>();
  readonly #ends: (() => void)[] = [];
  #view: NoticeView = EMPTY;
  #look: unknown = null;
  #expiry: unknown = null;
  #closed = false;

  constructor(options: LiveNoticesOptions) {
    this.#options = options;
  }

  readonly getSnapshot = (): NoticeView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  start(): void {
    const { client } = this.#options;
    this.#ends.push(
      client.subscribe(({ body }) => {
        if (body.type === 'review/reported') this.#hear(body.report);
      }),
      // Another leader has another port, and other troubles.
      client.onStateChange(({ kind }) => {
        if (kind === 'connected') void this.#ask();
      }),
    );
    void this.#ask();
  }

  close(): void {
    this.#closed = true;
    for (const end of this.#ends.splice(0)) end();
    this.#options.timers.clear(this.#look);
    this.#options.timers.clear(this.#expiry);
  }

  async #ask(): Promise<void> {
    const { client, timers } = this.#options;
    timers.clear(this.#look);
    const status = await client.request('host/status', {});
    if (this.#closed) return;
    timers.clear(this.#look);
    this.#look = timers.set(() => void this.#ask(), LOOK_MS);
    if (!status.ok) return;
    const { server, notices } = status.value;
    const isSame = notices.join('\n') === this.#view.notices.join('\n');
    this.#publish({ openToAll: server?.openToAll === true, ...(isSame ? {} : { notices }) });
  }

  #hear({ message, error, author }: Report): void {
    const { timers, showProgress } = this.#options;
    const said = { author, message };
    if (error !== null) this.#publish({ error: said });
    if (error !== null || !showProgress) return;
    timers.clear(this.#expiry);
    this.#expiry = timers.set(() => this.#publish({ progress: null }), PROGRESS_MS);
    this.#publish({ progress: said });
  }

  #publish(change: Partial<NoticeView>): void {
    const next = { ...this.#view, ...change };
    const keys = Object.keys(next) as (keyof NoticeView)[];
    if (this.#closed || keys.every((key) => next[key] === this.#view[key])) return;
    this.#view = next;
    for (const listener of [...this.#listeners]) listener();
  }
}
