/** Live notices beside the screens: the port's state, the leader's problems, and authors' messages about their work. */
import type { Timers } from '../../lib/scheduler.ts';
import type { Client } from '../../protocol/client.ts';
import type { Report } from '../../protocol/report.ts';
import type { NoticePort, NoticeView } from '../../ui/app/ports.ts';
import { LiveView } from '../live-view.ts';

/** The pause before asking the leader again doubles from the first to the second while there is no notice. */
const LOOK_MIN_MS = 3_000;
const LOOK_MAX_MS = 10_000;
/** How long an author's message is shown, unless a newer one replaces it. */
const PROGRESS_MS = 120_000;

export interface LiveNoticesOptions {
  readonly client: Client;
  readonly timers: Timers;
  readonly showProgress: boolean;
}

const EMPTY: NoticeView = { openToAll: false, notices: [], progress: null, error: null };

export class LiveNotices extends LiveView<NoticeView> implements NoticePort {
  readonly #options: LiveNoticesOptions;
  #look: unknown = null;
  #pauseMs = LOOK_MIN_MS;
  #expiry: unknown = null;

  constructor(options: LiveNoticesOptions) {
    super(EMPTY);
    this.#options = options;
  }

  start(): void {
    const { client, timers } = this.#options;
    this.listen(client, (body) => {
      if (body.type === 'review/reported') this.#hear(body.report);
    });
    this.onClose(
      // A new leader has another port and other problems.
      client.onStateChange(({ kind }) => {
        if (kind !== 'connected') return;
        this.#pauseMs = LOOK_MIN_MS;
        void this.#ask();
      }),
      () => timers.clear(this.#look),
      () => timers.clear(this.#expiry),
    );
    void this.#ask();
  }

  async #ask(): Promise<void> {
    const { client, timers } = this.#options;
    timers.clear(this.#look);
    const status = await client.request('host/status', {});
    if (this.isClosed) return;
    timers.clear(this.#look);
    const hasNews = !status.ok || status.value.notices.length > 0;
    if (hasNews) this.#pauseMs = LOOK_MIN_MS;
    this.#look = timers.set(() => void this.#ask(), this.#pauseMs);
    this.#pauseMs = Math.min(LOOK_MAX_MS, this.#pauseMs * 2);
    if (!status.ok) return;
    const { server, notices } = status.value;
    const isSame = notices.join('\n') === this.view.notices.join('\n');
    this.publish({ openToAll: server?.openToAll === true, ...(isSame ? {} : { notices }) });
  }

  #hear({ message, error, author }: Report): void {
    const { timers, showProgress } = this.#options;
    const notice = { author, message };
    if (error !== null) this.publish({ error: notice });
    if (error !== null || !showProgress) return;
    timers.clear(this.#expiry);
    this.#expiry = timers.set(() => this.publish({ progress: null }), PROGRESS_MS);
    this.publish({ progress: notice });
  }
}
