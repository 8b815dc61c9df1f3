/** A reader of the SSE stream that keeps the events. */
import http from 'node:http';
import type { Json } from './suggestion-server.ts';
import { until } from './until.ts';
import { checkMessage } from './wire-contract.ts';

export interface EventsSource {
  readonly port: number;
  token(): string;
}

export class TestEvents {
  readonly said: Json[] = [];
  lastId = '';
  ended = false;
  readonly #request: http.ClientRequest;
  #text = '';
  /** The first message that did not match the documents. */
  #fault: Error | null = null;

  private constructor(request: http.ClientRequest) {
    this.#request = request;
    request.on('response', (response) => {
      response.on('data', (chunk: Buffer) => this.#take(String(chunk)));
      response.on('close', () => {
        this.ended = true;
      });
    });
    request.on('error', () => {
      this.ended = true;
    });
  }

  /** Open, and the greeting has arrived. */
  static async open(source: EventsSource, { since }: { readonly since?: number } = {}): Promise<TestEvents> {
    const request = http.get({
      host: '127.0.0.1',
      port: source.port,
      path: '/events',
      headers: {
        Authorization: `Bearer ${source.token()}`,
        ...(since === undefined ? {} : { 'Last-Event-ID': String(since) }),
      },
    });
    const events = new TestEvents(request);
    await events.until('the greeting', () => events.said[0]?.type === 'connected');
    return events;
  }

  get events(): Json[] {
    return this.said.filter(({ type }) => type.startsWith('suggestion.'));
  }

  until<T>(what: string, look: () => T | null | undefined | false): Promise<T> {
    const sound = () => {
      if (this.#fault !== null) throw this.#fault;
      return look();
    };
    return until(what, sound, { show: () => JSON.stringify(this.said.slice(-5)) });
  }

  close(): void {
    this.#request.destroy();
  }

  #take(chunk: string): void {
    this.#text += chunk;
    const blocks = this.#text.split('\n\n');
    this.#text = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      this.lastId = field('id') ?? this.lastId;
      const data = field('data');
      if (data === undefined) continue;
      const message = JSON.parse(data);
      try {
        checkMessage(message);
      } catch (thrown) {
        this.#fault ??= thrown as Error;
      }
      this.said.push(message);
    }
  }
}
