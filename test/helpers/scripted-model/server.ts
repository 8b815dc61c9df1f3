/**
 * A model for tests: answers the wire formats of the real AI CLIs from a script, on 127.0.0.1 only, and records each
 * request. It understands nothing: all its answers are in the script.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect, ReplyContext } from './dialect.ts';
import { chat } from './dialect-chat.ts';
import { gemini } from './dialect-gemini.ts';
import { messages } from './dialect-messages.ts';
import { responses } from './dialect-responses.ts';
import {
  type Choice,
  type Conversation,
  callId,
  lastPromptIndex,
  type Script,
  ScriptCursor,
  type ScriptedReply,
  type StreamFault,
  withTold,
} from './script.ts';

/** One request of a client, as received. */
interface RecordedRequest {
  readonly at: number;
  readonly dialect: Dialect['name'];
  readonly path: string;
  readonly body: unknown;
  readonly conversation: Conversation;
  /** The human's last words in it. */
  readonly prompt: string;
  readonly choice: Choice;
}

export interface ScriptedModel {
  readonly port: number;
  /** Every model request so far, side calls included. */
  readonly requests: readonly RecordedRequest[];
  /** Distinct human prompts that reached the model in scripted or unscripted calls, in order. */
  prompts(): readonly string[];
  /** Replaces the script; forgets which prompt used which turn, but keeps the requests. */
  setScript(script: Script): void;
  /** Lets every held reply end, now and later. */
  release(): void;
  close(): Promise<void>;
}

/** The reply to a side call; it must differ from anything in a script. */
const SIDE_REPLY: ScriptedReply = { text: 'side call' };
const UNSCRIPTED_REPLY: ScriptedReply = { text: 'UNSCRIPTED: the script has no turn for this prompt.' };
const MAX_BODY_BYTES = 64 * 1024 * 1024;

function dialectOf(pathname: string): Dialect | null {
  if (pathname.endsWith('/chat/completions')) return chat;
  if (pathname.endsWith('/responses')) return responses;
  if (pathname.endsWith('/messages')) return messages;
  if (/:(stream)?generateContent$/i.test(pathname)) return gemini;
  return null;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('request body too large');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? null : JSON.parse(text);
}

function sendError(
  response: ServerResponse,
  dialect: Dialect,
  error: NonNullable<ScriptedReply['error']>,
): void {
  const value = error.body ?? dialect.error(error.status, error.message);
  response.writeHead(error.status, { 'content-type': 'application/json', ...error.headers });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

async function stream(
  response: ServerResponse,
  dialect: Dialect,
  context: ReplyContext,
  { fault, released }: { readonly fault: StreamFault | null; readonly released: Promise<void> },
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  if (fault?.kind === 'reset') {
    response.destroy();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  const frames = dialect.frames(context);
  const end = context.reply.held === true ? frames.findLastIndex(({ delayMs }) => delayMs > 0) : -1;
  for (const [index, frame] of frames.entries()) {
    if (index === end) await Promise.race([released, once(response, 'close')]);
    if (fault !== null && index === fault.afterFrames) {
      await breakStream(response, fault);
      if (fault.kind !== 'garbage') return;
    }
    if (frame.delayMs > 0) await sleep(frame.delayMs, undefined, { signal: gone.signal });
    if (gone.signal.aborted) return;
    const data = typeof frame.data === 'string' ? frame.data : JSON.stringify(frame.data);
    response.write(`${frame.event === undefined ? '' : `event: ${frame.event}\n`}data: ${data}\n\n`);
  }
  response.end();
}

async function breakStream(response: ServerResponse, fault: StreamFault): Promise<void> {
  if (fault.kind === 'garbage') response.write('data: {"this is": no JSON\n\n');
  if (fault.kind === 'end') response.end();
  if (fault.kind !== 'cut') return;
  // Flushes what was written first; otherwise the client sees a reset and nothing else.
  await sleep(20);
  response.destroy();
}

/** The small calls around a conversation: token counts, model lists, the reachability probe. */
function answerSmallCall(request: IncomingMessage, response: ServerResponse, url: URL): void {
  if (request.method === 'HEAD') response.writeHead(200).end();
  else if (url.pathname.endsWith('/count_tokens')) sendJson(response, 200, { input_tokens: 100 });
  else if (url.pathname.endsWith(':countTokens')) sendJson(response, 200, { totalTokens: 100 });
  else if (url.pathname.endsWith('/models')) {
    sendJson(response, 200, { object: 'list', data: [{ id: 'mock', object: 'model' }] });
  } else sendJson(response, 404, { error: { message: `not scripted: ${request.method} ${url.pathname}` } });
}

class Server {
  readonly requests: RecordedRequest[] = [];
  readonly #faultsGiven = new Map<object, number>();
  readonly #released = Promise.withResolvers<void>();
  #script: Script;
  #cursor: ScriptCursor;

  constructor(script: Script) {
    this.#script = script;
    this.#cursor = new ScriptCursor(script);
  }

  setScript(script: Script): void {
    this.#script = script;
    this.#cursor = new ScriptCursor(script);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/_requests') return sendJson(response, 200, this.requests);
    if (url.pathname === '/_script' && request.method === 'PUT') {
      this.setScript((await bodyOf(request)) as Script);
      return sendJson(response, 200, {});
    }
    const dialect = request.method === 'POST' ? dialectOf(url.pathname) : null;
    if (dialect === null) return answerSmallCall(request, response, url);
    const body = await bodyOf(request);
    const conversation = dialect.parse(body, url);
    const choice = this.#cursor.choose(conversation);
    const prompt = conversation.messages[lastPromptIndex(conversation)]?.text ?? '';
    const path = url.pathname + url.search;
    this.requests.push({ at: Date.now(), dialect: dialect.name, path, body, conversation, prompt, choice });
    const scripted = this.#replyFor(choice);
    const reply = scripted.told === undefined ? scripted : withTold(scripted, JSON.stringify(body));
    if (reply.error !== undefined && this.#isDue(reply.error))
      return sendError(response, dialect, reply.error);
    const fault = reply.fault !== undefined && this.#isDue(reply.fault) ? reply.fault : null;
    const context: ReplyContext = {
      reply,
      model: conversation.model,
      id: `scripted_${this.requests.length}`,
      callId: (tool) => (choice.kind === 'reply' ? callId(choice.turn, choice.reply, tool) : `call_${tool}`),
    };
    const { promise: released } = this.#released;
    if (conversation.stream) await stream(response, dialect, context, { fault, released });
    else sendJson(response, 200, dialect.whole(context));
  }

  release(): void {
    this.#released.resolve();
  }

  #replyFor(choice: Choice): ScriptedReply {
    if (choice.kind === 'side') return SIDE_REPLY;
    if (choice.kind === 'unscripted') return UNSCRIPTED_REPLY;
    return this.#script.turns[choice.turn]?.replies[choice.reply] ?? UNSCRIPTED_REPLY;
  }

  #isDue(fault: { readonly times?: number }): boolean {
    const given = this.#faultsGiven.get(fault) ?? 0;
    this.#faultsGiven.set(fault, given + 1);
    return given < (fault.times ?? Number.POSITIVE_INFINITY);
  }
}

/** Starts the model; `port` 0 picks a free one. Close it in `afterAll`. */
export async function startScriptedModel(script: Script, port = 0): Promise<ScriptedModel> {
  const state = new Server(script);
  const server = createServer((request, response) => {
    state.handle(request, response).catch((thrown: unknown) => {
      // A client that left mid-stream (interrupted turn) ends here; other errors are shown to the client.
      if (!response.headersSent) sendJson(response, 500, { error: { message: String(thrown) } });
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    requests: state.requests,
    prompts: () => [
      ...new Set(
        state.requests.filter((request) => request.choice.kind !== 'side').map((request) => request.prompt),
      ),
    ],
    setScript: (next) => state.setScript(next),
    release: () => state.release(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
