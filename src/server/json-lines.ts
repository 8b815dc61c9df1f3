/** One JSON-lines client on a socket, within limits. Bad input gets an error; endless lines close the connection. */

import type { Socket } from 'node:net';
import type * as z from 'zod';
import { parseBoundedJson } from '../lib/bounded-json.ts';
import { type Line, LineSplitter } from '../lib/line-splitter.ts';
import { fail } from '../lib/result.ts';
import type { Slices } from '../platform/slices.ts';
import { describeIssue } from '../protocol/invalid.ts';
import { MESSAGE_JSON_LIMITS } from '../protocol/limits.ts';
import {
  type ClientMessage,
  helloMessageSchema,
  type RequestId,
  requestIdSchema,
  requestMessageSchema,
  type ServerMessage,
  subscribeMessageSchema,
} from '../protocol/wire.ts';
import type { ServerLimits } from './limits.ts';
import type { EncodedEvent, ServedHost, ServedSession, SessionSink } from './port.ts';

/** How long a client's requests may continue after it was killed. */
const PEER_WATCH_MS = 500;

export interface JsonLinesOptions {
  readonly host: ServedHost;
  readonly limits: ServerLimits;
  /** Shared by all clients: ten flooding clients delay others no longer than one. */
  readonly slices: Slices;
  /** Called once when the client is dropped for exceeding a limit. */
  readonly onDrop: (reason: string) => void;
}

class JsonLinesConnection implements SessionSink {
  readonly #socket: Socket;
  readonly #options: JsonLinesOptions;
  readonly #lines: LineSplitter;
  readonly #session: ServedSession;
  /** Lines that wait to be handled; while there are any, no more are read. */
  #waiting: Line[] = [];
  #ending = false;
  #inputEnded = false;

  constructor(socket: Socket, options: JsonLinesOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#lines = new LineSplitter(options.limits.maxLineBytes);
    this.#session = options.host.openSession(this, () => this.#endWhenDone());
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('end', () => this.#onInputEnd());
    socket.on('drain', () => this.#session.drained());
    socket.on('close', () => this.#session.close());
  }

  take(chunk: Buffer): void {
    if (this.#ending) return;
    const isBusy = this.#waiting.length > 0;
    this.#waiting = this.#waiting.concat(this.#lines.push(chunk));
    if (!isBusy) this.#takeLines();
  }

  /** Thousands of lines may arrive at once: other clients are served in between. */
  #takeLines(): void {
    const lines = this.#waiting;
    let taken = 0;
    this.#socket.cork();
    for (const line of lines) {
      if (line.kind === 'skipped') this.#refuseLine();
      else this.#takeLine(line.text);
      taken += 1;
      if (this.#options.slices.isOver) break;
    }
    this.#socket.uncork();
    this.#waiting = lines.slice(taken);
    if (this.#waiting.length > 0) {
      this.#socket.pause();
      void this.#options.slices.pause().then(() => this.#takeLines());
      return;
    }
    if (this.#lines.isTooLong) this.#refuseLine();
    this.#socket.resume();
  }

  send(message: ServerMessage): void {
    if (this.#ending) return;
    const line = JSON.stringify(message);
    const { maxLineBytes } = this.#options.limits;
    const fits = Buffer.byteLength(line) <= maxLineBytes;
    this.#write(fits || !('ok' in message) ? line : JSON.stringify(tooLong(message.id, maxLineBytes)));
  }

  sendEvent(event: EncodedEvent): void {
    if (!this.#ending) {
      this.#write(`{"type":"event","seq":${event.seq},"ts":${event.ts},"body":${event.json}}`);
    }
  }

  unsentBytes(): number {
    return this.#socket.writableLength;
  }

  end(reason: string, settled = false): void {
    if (this.#ending) return;
    this.#ending = true;
    const bye: ServerMessage = { type: 'bye', reason, ...(settled ? { settled } : {}) };
    this.#socket.end(`${JSON.stringify(bye)}\n`);
    const { dropGraceMs } = this.#options.limits;
    setTimeout(() => this.#socket.destroy(), dropGraceMs).unref();
  }

  #takeLine(text: string): void {
    if (this.#ending || text.trim() === '') return;
    const read = parseBoundedJson(text, MESSAGE_JSON_LIMITS);
    if (!read.ok) {
      this.#session.reject(null, `A line must be one JSON object. ${read.error.message}`);
      return;
    }
    const parsed = parseClientMessage(read.value);
    if (parsed.ok) this.#session.receive(parsed.message);
    else this.#session.reject(parsed.id, parsed.problem);
  }

  /** Nothing after an overlong line can be trusted. */
  #refuseLine(): void {
    if (this.#ending) return;
    const { maxLineBytes } = this.#options.limits;
    this.#session.reject(null, `A line may have at most ${maxLineBytes} bytes.`);
    this.#drop('line too long');
  }

  /** A client that closed its half after its requests (`nc`, `socat`) still gets its answers. */
  #onInputEnd(): void {
    const rest = this.#lines.pendingText();
    if (rest !== null) this.#takeLine(rest);
    this.#inputEnded = true;
    this.#endWhenDone();
    if (!this.#ending) this.#watchPeer();
  }

  /** A client that is gone looks like one that closed its half: only a write, even an empty one, shows which. */
  #watchPeer(): void {
    const look = () => this.#ending || this.#socket.write('');
    const timer = setInterval(look, PEER_WATCH_MS).unref();
    this.#socket.once('close', () => clearInterval(timer));
  }

  #endWhenDone(): void {
    if (this.#inputEnded && this.#session.isIdle && !this.#ending) {
      this.#ending = true;
      this.#socket.end();
    }
  }

  #write(line: string): void {
    this.#socket.write(`${line}\n`);
    if (this.#socket.writableLength > this.#options.limits.maxUnsentBytes) {
      this.#drop(`you left unread ${this.#options.limits.maxUnsentBytes} bytes of answers`);
    }
  }

  #drop(reason: string): void {
    if (this.#ending) return;
    this.#options.onDrop(reason);
    this.end(reason);
  }
}

function tooLong(id: RequestId | null, maxLineBytes: number): ServerMessage {
  const message = `The answer is longer than ${maxLineBytes} bytes.`;
  return { id, ...fail('refused', message, 'Ask for less at a time.') };
}

/** Serves JSON lines on `socket`, whose first bytes have been read. */
export function serveJsonLines(socket: Socket, firstChunk: Buffer, options: JsonLinesOptions): void {
  new JsonLinesConnection(socket, options).take(firstChunk);
}

type ParsedMessage =
  | { readonly ok: true; readonly message: ClientMessage }
  | { readonly ok: false; readonly id: RequestId | null; readonly problem: string };

/** One field names the kind of message and so selects its schema. */
function parseClientMessage(raw: unknown): ParsedMessage {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { ok: false, id: null, problem: 'A line must be one JSON object.' };
  }
  const schema = schemaFor(raw);
  const id = requestIdSchema.safeParse('id' in raw ? raw.id : undefined);
  const answerTo = id.success ? id.data : null;
  if (schema === null) {
    const problem = 'A message has "command" and "id", or "subscribe", or "hello".';
    return { ok: false, id: answerTo, problem };
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { ok: true, message: parsed.data };
  const [issue] = parsed.error.issues;
  const what = issue === undefined ? 'bad message' : describeIssue(issue);
  return { ok: false, id: answerTo, problem: `Message not understood: ${what}.` };
}

function schemaFor(raw: object): z.ZodType<ClientMessage> | null {
  if ('command' in raw) return requestMessageSchema;
  if ('subscribe' in raw) return subscribeMessageSchema;
  if ('hello' in raw) return helloMessageSchema;
  return null;
}
