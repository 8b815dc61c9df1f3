/** The event listeners of a client and their positions in the log. Each gets every event once and in order. */
import type { SubscribeOptions } from '../../protocol/client.ts';
import type { CopaneEvent } from '../../protocol/event.ts';
import type { ServerMessage, SubscribeMessage } from '../../protocol/wire.ts';

interface Listener {
  readonly take: (event: CopaneEvent) => void;
  readonly onGap: ((seq: number) => void) | undefined;
  /** `seq` of its last event; null to start at the head of the next stream. */
  cursor: number | null;
}

export class EventFeed {
  readonly #listeners = new Set<Listener>();
  /** The newest `seq` this client knows of. */
  #head = 0;
  /** `asked`: the subscription was sent and not yet answered. */
  #stream: 'none' | 'asked' | 'running' = 'none';
  #askedFrom: number | null = null;
  #send: ((message: SubscribeMessage) => void) | null = null;

  /** Adds a listener; returns a function that removes it. */
  add(take: (event: CopaneEvent) => void, options: SubscribeOptions): () => void {
    const listener: Listener = { take, onGap: options.onGap, cursor: options.since ?? null };
    this.#listeners.add(listener);
    if (listener.cursor === null && this.#stream === 'running') listener.cursor = this.#head;
    const served = this.#stream === 'running' && listener.cursor === this.#head;
    const coming = this.#stream === 'asked' && listener.cursor === null;
    if (!served && !coming) this.#ask();
    return () => this.#listeners.delete(listener);
  }

  /** A pipe opened: resumes from the slowest listener. */
  open(send: (message: SubscribeMessage) => void): void {
    this.#send = send;
    this.#ask();
  }

  /** The pipe closed. */
  interrupt(): void {
    this.#send = null;
    this.#stream = 'none';
  }

  take(message: Extract<ServerMessage, { type: 'event' | 'subscribed' | 'gap' }>): void {
    switch (message.type) {
      case 'event':
        this.#deliver(message);
        break;
      case 'subscribed':
        this.#stream = 'running';
        this.#head = Math.max(this.#head, message.head);
        this.#startAt(message.head);
        break;
      case 'gap':
        this.#stream = 'running';
        this.#skipTo(message.seq);
        this.#head = Math.max(this.#head, message.head);
        this.#startAt(message.head);
        break;
    }
  }

  #ask(): void {
    if (this.#send === null || this.#listeners.size === 0) return;
    const cursors = [...this.#listeners].flatMap(({ cursor }) => (cursor === null ? [] : [cursor]));
    this.#askedFrom = cursors.length === 0 ? null : Math.min(...cursors);
    this.#stream = 'asked';
    this.#send({ subscribe: this.#askedFrom });
  }

  #deliver({ seq, ts, body }: CopaneEvent): void {
    this.#head = Math.max(this.#head, seq);
    for (const listener of [...this.#listeners]) {
      // Events of an earlier stream may still arrive: only the next one is accepted.
      if (listener.cursor !== seq - 1) continue;
      listener.cursor = seq;
      listener.take({ seq, ts, body });
    }
  }

  /** Sets the position of listeners that want only new events. */
  #startAt(head: number): void {
    for (const listener of this.#listeners) listener.cursor ??= head;
  }

  /** A lower `seq` means that the log started over: all earlier numbers are void. */
  #skipTo(seq: number): void {
    const anew = this.#askedFrom !== null && seq < this.#askedFrom;
    this.#head = anew ? seq : Math.max(this.#head, seq);
    for (const listener of [...this.#listeners]) {
      if (listener.cursor === null || (listener.cursor >= seq && !anew)) continue;
      listener.cursor = seq;
      listener.onGap?.(seq);
    }
  }
}
