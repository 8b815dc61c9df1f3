/** A host with the suggestion server in this process, on a free port, and small clients for it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { WebSocket } from 'ws';
import { connectHost } from '../../src/app/client/connect.ts';
import type { HostConnection } from '../../src/app/client/host-connection.ts';
import type { LeaderService } from '../../src/app/host/leader.ts';
import { createMcpEndpoint } from '../../src/server/mcp/http.ts';
import { SUGGESTION_LIMITS, type SuggestionLimits } from '../../src/server/suggestions/port.ts';
import { SuggestionServer } from '../../src/server/suggestions/server.ts';
import { Tokens } from '../../src/server/suggestions/tokens.ts';
import { REVIEWER } from '../../src/server/suggestions/who.ts';
import { must, temporaryHome } from './host-fakes.ts';
import { until } from './until.ts';
import { checkAnswer, checkMessage, checkResponse } from './wire-contract.ts';

export interface TestServerOptions {
  readonly auth?: 'token' | 'none';
  readonly limits?: Partial<SuggestionLimits>;
  /** The user's configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** The content of a message or an answer; tests look at single fields. */
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, read field by field in assertions.
export type Json = any;

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export class TestServer {
  readonly home = temporaryHome();
  readonly warnings: string[] = [];
  readonly notices: string[] = [];
  readonly target: string;
  client: HostConnection | null = null;
  server: SuggestionServer | null = null;
  readonly tokens: Tokens;

  readonly #options: TestServerOptions;

  private constructor(options: TestServerOptions) {
    this.#options = options;
    this.tokens = new Tokens(this.home.paths.stateDir);
    this.target = path.join(this.home.home, 'work');
    mkdirSync(this.target);
  }

  static async start(options: TestServerOptions = {}): Promise<TestServer> {
    const test = new TestServer(options);
    test.#configure(options.config);
    await test.#connect();
    return test;
  }

  /** The host ends and another one leads, on another port. */
  async reopen(): Promise<void> {
    await this.client?.close();
    await this.#connect();
  }

  async #connect(): Promise<void> {
    const options = this.#options;
    this.server = null;
    const service: LeaderService = {
      name: 'suggestions',
      start: async (host) => {
        this.server = must(
          await SuggestionServer.start({
            host,
            tokens: this.tokens,
            auth: options.auth ?? 'token',
            tcp: { host: '127.0.0.1', port: 0 },
            project: null,
            home: this.home.home,
            openMcp: async (services) => createMcpEndpoint(services),
            limits: { ...SUGGESTION_LIMITS, ...options.limits },
            onWarning: (message) => this.warnings.push(message),
            onPort: ({ words }) => this.notices.push(words),
          }),
        );
      },
      stop: () => this.server?.stop(),
    };
    this.client = must(
      await connectHost({
        paths: this.home.paths,
        version: 'test',
        services: [service],
        onOther: (socket, chunk) => this.server?.accept(socket, chunk),
      }),
    );
    await until('the server', () => this.server);
  }

  #configure(config: TestServerOptions['config']): void {
    if (config === undefined) return;
    const { configFile } = this.home.paths;
    mkdirSync(path.dirname(configFile), { recursive: true });
    writeFileSync(configFile, JSON.stringify(config));
    writeFileSync(path.join(path.dirname(configFile), 'keys.json'), '{"TEST_KEY":"k"}', { mode: 0o600 });
  }

  get port(): number {
    return this.server?.port ?? 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    await this.client?.close();
    this.home.remove();
  }

  /** The token of the reviewer, or of the author with that name. */
  token(role: string = 'reviewer'): string {
    return must(this.tokens.read(role === 'reviewer' ? REVIEWER : { role: 'author', name: role }));
  }

  /** One request with the token of `role`; null sends none. */
  async ask(
    method: string,
    route: string,
    { body, role = 'reviewer', headers = {} }: AskOptions = {},
  ): Promise<Answered> {
    const response = await fetch(this.url + route, {
      method,
      headers: {
        ...(role === null ? {} : { Authorization: `Bearer ${this.token(role)}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'object' ? JSON.stringify(body) : String(body) }),
    });
    const answer = { status: response.status, headers: response.headers, body: await response.json() };
    // Without a token, where none is needed, the server speaks to an original client.
    const isOriginal = role === null && this.#options.auth === 'none';
    if (!isOriginal) checkAnswer(method, route, answer.status, answer.body);
    return answer;
  }

  /** A file of twenty lines in the target, and a patch that changes two of them. */
  writeFile(name = 'f'): string {
    writeFileSync(path.join(this.target, name), BASE);
    return patchOf(name);
  }

  /** Publishes a suggestion of two hunks. */
  async publish(description = 'Two edits', role = 'reviewer'): Promise<Json> {
    const patch = this.writeFile();
    const body = { description, workingDirectory: this.target, patch };
    const answer = await this.ask('POST', '/suggestions', { body, role });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body.suggestion;
  }

  socket(options: SocketOptions = {}): Promise<TestSocket> {
    return TestSocket.open(`ws://127.0.0.1:${this.port}/ws`, this.token(options.role), options);
  }

  /** Sends raw bytes, and returns everything until the server closes or falls silent. */
  raw(bytes: string | Buffer, quietMs = 300): Promise<string> {
    return rawExchange(net.connect(this.port, '127.0.0.1'), bytes, quietMs);
  }
}

interface AskOptions {
  readonly body?: unknown;
  /** `reviewer`, or the name of an author. */
  readonly role?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SocketOptions {
  readonly role?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The headers that ask for a WebSocket. */
export const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version': '13',
};

export const BASE = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join('');

/** Changes lines 4 and 16 of `BASE`. */
export function patchOf(name: string): string {
  const hunk = (line: number, word: string) =>
    `@@ -${line - 1},3 +${line - 1},3 @@\n line ${line - 1}\n-line ${line}\n+${word}\n line ${line + 1}\n`;
  return `--- a/${name}\n+++ b/${name}\n${hunk(4, 'four')}${hunk(16, 'sixteen')}`;
}

const FIRST_BYTE_MS = 10_000;

/** The server's answer to these bytes. */
export function rawExchange(socket: net.Socket, bytes: string | Buffer, quietMs: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    // A busy machine may be slow with the first byte, but not between the bytes of an answer.
    socket.setTimeout(FIRST_BYTE_MS, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += String(chunk);
      socket.setTimeout(quietMs);
    });
    socket.on('close', () => resolve(text));
    socket.write(bytes);
  });
}

/** A WebSocket that keeps its messages. */
export class TestSocket {
  readonly said: Json[] = [];
  readonly raw: WebSocket;
  closed: { readonly code: number; readonly reason: string } | null = null;
  #lastId = 0;
  /** The first message that did not match the documents. */
  #fault: Error | null = null;

  private constructor(raw: WebSocket) {
    this.raw = raw;
    raw.on('message', (data: Buffer) => this.#take(JSON.parse(String(data))));
    raw.on('close', (code: number, reason: Buffer) => {
      this.closed = { code, reason: String(reason) };
    });
    raw.on('error', () => undefined);
  }

  /** Open, and the greeting has arrived. */
  static async open(url: string, token: string | null, options: SocketOptions = {}): Promise<TestSocket> {
    const headers = { ...(token === null ? {} : { Authorization: `Bearer ${token}` }), ...options.headers };
    const socket = new TestSocket(new WebSocket(`${url}${options.query ?? ''}`, { headers }));
    await socket.until('the greeting', () => socket.closed !== null || socket.said[0]?.type === 'connected');
    if (socket.said.length === 0) throw new Error('the server did not let it in');
    return socket;
  }

  get greeting(): Json {
    return this.said[0];
  }

  /** Events of the suggestion protocol, in the order of arrival. */
  get events(): Json[] {
    return this.said.filter(({ type }) => type.startsWith('suggestion.'));
  }

  async ask(message: Readonly<Record<string, unknown>>): Promise<Json> {
    this.#lastId += 1;
    const id = String(this.#lastId);
    this.raw.send(JSON.stringify({ ...message, id }));
    const answer = await this.until(`an answer to ${message.type}`, () =>
      this.said.find((one) => one.type === 'response' && one.id === id),
    );
    if (answer.success) checkResponse(String(message.type), answer.data);
    return answer;
  }

  #take(message: Json): void {
    try {
      checkMessage(message);
    } catch (thrown) {
      this.#fault ??= thrown as Error;
    }
    this.said.push(message);
  }

  eventOf(type: string, matching: (event: Json) => boolean = () => true): Promise<Json> {
    return this.until(type, () => this.events.find((event) => event.type === type && matching(event)));
  }

  until<T>(what: string, look: () => T | null | undefined | false, timeoutMs = 20_000): Promise<T> {
    const show = () => JSON.stringify([this.closed, ...this.said.slice(-5)]).slice(0, 3000);
    const sound = () => {
      if (this.#fault !== null) throw this.#fault;
      return look();
    };
    return until(what, sound, { show, timeoutMs });
  }

  close(): void {
    this.raw.terminate();
  }
}
