/** Long-polls the text that a model is writing, until the job ends. */
import { errorMessage } from '../../lib/result.ts';
import type { Client } from '../../protocol/client.ts';

/** How long one request waits for more text. */
const WAIT_MS = 2_000;

export interface StreamReaderOptions {
  readonly client: Client;
  /** Gets the whole current message so far; '' once it is complete. */
  readonly onText: (job: string, text: string) => void;
  readonly onProblem: (message: string) => void;
}

export class StreamReader {
  readonly #options: StreamReaderOptions;
  #following: { readonly job: string; readonly ended: AbortController } | null = null;

  constructor(options: StreamReaderOptions) {
    this.#options = options;
  }

  follow(job: string): void {
    if (this.#following?.job === job) return;
    this.stop();
    const ended = new AbortController();
    this.#following = { job, ended };
    void this.#read(job, ended.signal)
      .catch((thrown: unknown) => this.#options.onProblem(errorMessage(thrown)))
      .finally(() => {
        if (this.#following?.ended === ended) this.#following = null;
      });
  }

  stop(): void {
    this.#following?.ended.abort();
    this.#following = null;
  }

  async #read(job: string, signal: AbortSignal): Promise<void> {
    const { client, onText } = this.#options;
    let text = '';
    let from = 0;
    while (!signal.aborted) {
      const answer = await client.request(
        'agent/stream',
        { job_id: job, from, wait_ms: WAIT_MS },
        { signal },
      );
      if (signal.aborted) return;
      if (!answer.ok) return this.#options.onProblem(answer.error.message);
      const { text: piece, next, live } = answer.value;
      const isNewMessage = next - piece.length !== from;
      const before = text;
      text = isNewMessage ? piece : text + piece;
      from = next;
      if (text !== before) onText(job, text);
      if (!live) return;
    }
  }
}
