/**
 * A completion daemon whose answers a test decides: it keeps every request and answers on command, in either format.
 * Speaks as ours does, or as the first published daemon did (JSON only, one request per connection).
 */
import { mkdtempSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { removeTree } from './remove-tree.ts';
import { PATIENCE } from './until.ts';

export interface SeenRequest {
  readonly request_id: number;
  readonly input: string;
  readonly cursor_pos: number;
  readonly cwd: string;
  readonly session_id: string;
  readonly max_candidates: number;
  readonly format?: string;
  readonly delay_ms?: number;
}

interface ScriptedCandidate {
  readonly completion: string;
  readonly confidence?: number;
  readonly cursor_pos?: number;
}

type Answer = readonly (string | ScriptedCandidate)[];

export interface ScriptedOptions {
  /** JSON only, closes after each answer, as the first daemon did. */
  readonly foreign?: boolean;
  /** Answers at once; null leaves the request open. */
  readonly answer?: (request: SeenRequest) => Answer | null;
}

export class ScriptedDaemon {
  readonly socket: string;
  readonly requests: SeenRequest[] = [];
  readonly messages: Record<string, unknown>[] = [];
  readonly #dir: string;
  readonly #options: ScriptedOptions;
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  readonly #origin = new Map<SeenRequest, net.Socket>();
  connections = 0;

  constructor(options: ScriptedOptions = {}) {
    this.#options = options;
    this.#dir = mkdtempSync(path.join(os.tmpdir(), 'copane-sock-'));
    this.socket = path.join(this.#dir, 'a.sock');
    this.#server = net.createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(this.socket, resolve));
    return this;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    removeTree(this.#dir);
  }

  get open(): number {
    return this.#sockets.size;
  }

  get last(): SeenRequest {
    const request = this.requests.at(-1);
    if (request === undefined) throw new Error('no request came');
    return request;
  }

  /** Waits for the request for a line. */
  async requestFor(input: string, timeoutMs = 5_000): Promise<SeenRequest> {
    const deadline = Date.now() + timeoutMs * PATIENCE;
    for (;;) {
      const found = this.requests.findLast((request) => request.input === input);
      if (found) return found;
      if (Date.now() > deadline)
        throw new Error(
          `no request for ${JSON.stringify(input)}; seen: ${this.requests.map((r) => r.input).join(' | ')}`,
        );
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  reply(request: SeenRequest, answer: Answer): void {
    const candidates = answer.map((one) => (typeof one === 'string' ? { completion: one } : one));
    this.sendRaw(
      request,
      request.format === 'sep1' && !this.#options.foreign
        ? `${[
            ['sep1', request.request_id, candidates.length, '', ''].join('\u001f'),
            ...candidates.map((one) =>
              [
                one.completion.replaceAll('\n', '\u001d'),
                one.cursor_pos ?? '',
                one.confidence ?? 0.5,
                'test',
                '',
                '',
              ].join('\u001f'),
            ),
          ].join('\u001e')}\n`
        : `${JSON.stringify({ request_id: request.request_id, candidates: candidates.map((one) => ({ confidence: 0.5, ...one })) })}\n`,
    );
  }

  sendRaw(request: SeenRequest, text: string): void {
    const socket = this.#origin.get(request);
    if (!socket?.writable) return;
    if (this.#options.foreign) socket.end(text);
    else socket.write(text);
  }

  #accept(socket: net.Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.end());
    let inbox = '';
    socket.on('data', (chunk) => {
      inbox += chunk.toString('utf8');
      for (let end = inbox.indexOf('\n'); end !== -1; end = inbox.indexOf('\n')) {
        this.#line(inbox.slice(0, end), socket);
        inbox = inbox.slice(end + 1);
      }
    });
  }

  #line(line: string, socket: net.Socket): void {
    const value = JSON.parse(line) as Record<string, unknown>;
    if ('type' in value) {
      this.messages.push(value);
      return;
    }
    const request = value as unknown as SeenRequest;
    this.requests.push(request);
    this.#origin.set(request, socket);
    const answer = this.#options.answer?.(request);
    if (answer) this.reply(request, answer);
  }
}
