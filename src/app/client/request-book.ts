/** The pending requests of a client, across leaders. Repeatable ones are resent; others fail: they may have run. */
import { type Failure, fail, type Result } from '../../lib/result.ts';
import type { RequestOptions } from '../../protocol/client.ts';
import type { CommandName } from '../../protocol/command.ts';
import { type CommandTraits, commandTable } from '../../protocol/command-table.ts';
import type { AnswerMessage, EarlyMessage, RequestMessage } from '../../protocol/wire.ts';

interface Waiting {
  readonly message: RequestMessage;
  readonly repeatable: boolean;
  readonly settle: (result: Result<unknown>) => void;
  readonly onEarly: ((value: unknown) => void) | undefined;
  /** When it was sent on the current pipe; null if not sent. */
  sentAt: number | null;
}

export interface RequestBookOptions {
  readonly clientId: string;
  readonly now: () => number;
}

export class RequestBook {
  readonly #options: RequestBookOptions;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #send: ((message: RequestMessage) => void) | null = null;

  constructor(options: RequestBookOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Sends a request; the promise settles with the answer, or with a failure if there will be none. */
  ask(
    command: CommandName,
    params: unknown,
    { signal, onEarly }: RequestOptions = {},
  ): Promise<Result<unknown>> {
    if (signal?.aborted)
      return Promise.resolve(fail('refused', `${command} was cancelled before it was sent.`));
    return new Promise((resolve) => {
      this.#lastId += 1;
      const id = this.#lastId;
      const { repeat }: CommandTraits = commandTable[command];
      const once = repeat === 'by_name' ? { once: `${this.#options.clientId}/${id}` } : {};
      const message: RequestMessage = { id, command, params, ...once };
      const onAbort = () => this.#settle(id, fail('refused', `${command} was cancelled.`));
      const settle = (result: Result<unknown>) => {
        signal?.removeEventListener('abort', onAbort);
        resolve(result);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const waiting: Waiting = { message, settle, onEarly, sentAt: null, repeatable: repeat !== undefined };
      this.#waiting.set(id, waiting);
      this.#transmit(waiting);
    });
  }

  /** A pipe opened: sends everything that waits, in order. */
  open(send: (message: RequestMessage) => void): void {
    this.#send = send;
    for (const waiting of this.#waiting.values()) this.#transmit(waiting);
  }

  /** The leader started none of the waiting requests: send all of them on the next pipe. */
  unsend(): void {
    for (const waiting of this.#waiting.values()) waiting.sentAt = null;
  }

  /** The pipe closed. */
  interrupt(): void {
    this.#send = null;
    for (const [id, waiting] of this.#waiting) {
      if (waiting.sentAt === null) continue;
      waiting.sentAt = null;
      if (!waiting.repeatable) this.#settle(id, lostAnswer(waiting.message.command));
    }
  }

  /** Handles the early part of an answer; the full answer follows. */
  early({ id, early }: EarlyMessage): void {
    if (typeof id === 'number') this.#waiting.get(id)?.onEarly?.(early);
  }

  /** Handles an answer; drops one that nobody waits for. */
  answer(message: AnswerMessage): void {
    if (typeof message.id !== 'number') return;
    this.#settle(message.id, message.ok ? { ok: true, value: message.value } : message);
  }

  failAll(failure: Failure): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, { ok: false, error: failure });
  }

  /** How long the oldest request on the current pipe has waited, in ms; null if none waits. */
  oldestWaitMs(): number | null {
    let oldest: number | null = null;
    for (const { sentAt } of this.#waiting.values()) {
      if (sentAt !== null && (oldest === null || sentAt < oldest)) oldest = sentAt;
    }
    return oldest === null ? null : this.#options.now() - oldest;
  }

  #transmit(waiting: Waiting): void {
    if (this.#send === null) return;
    waiting.sentAt = this.#options.now();
    this.#send(waiting.message);
  }

  #settle(id: number, result: Result<unknown>): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    waiting.settle(result);
  }
}

function lostAnswer(command: string): Result<never> {
  return fail(
    'internal',
    `The leading copane went away before it answered ${command}; it may or may not have been done.`,
    'Check the current state, then retry.',
  );
}
