/**
 * One conversation with an agent that speaks the Agent Client Protocol (agentclientprotocol.com, version 1) on its
 * standard streams. Offers it neither our files nor terminals: it works in the folder that it is started in. What it
 * asks and does goes to the caller; its process ends with the session.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as acp from '@agentclientprotocol/sdk';
import { errorMessage, ok, type Result } from '../../lib/result.ts';
import { VERSION } from '../../lib/version.ts';
import { findOnPath } from '../../platform/exec.ts';
import type { Env } from '../../platform/paths.ts';
import type { JobError } from '../../protocol/agent.ts';
import type { AskedCall } from './permission.ts';

/** How long an agent may take until it answers for the first time. */
const START_TIMEOUT_MS = 60_000;
/** What it writes to stderr is kept for the words of a failure. */
const STDERR_MAX_CHARS = 2_000;
/** From the polite request to end to the other one. */
const END_GRACE_MS = 2_000;
/** A broken connection is mostly the end of the process, which is told a moment later. */
const EXIT_WAIT_MS = 500;
/** JSON-RPC code by which an agent says that its user must log in. */
const AUTH_REQUIRED = -32000;

export interface AcpEvents {
  readonly text: (piece: string) => void;
  /** A call with an id that is known already is said once more. */
  readonly toolBegan: (id: string, call: AskedCall, input: unknown) => void;
  readonly toolEnded: (id: string, worked: boolean) => void;
  /** Whether the agent may go on with the call. */
  readonly allow: (call: AskedCall) => Promise<boolean>;
}

export interface AcpOptions {
  readonly argv: readonly string[];
  readonly env: Env;
  readonly folder: string;
  readonly events: AcpEvents;
  /** Ends everything at once. */
  readonly signal: AbortSignal;
}

export interface AcpSession {
  /** Name and version of the agent. */
  readonly agent: string;
  /** Says something to the agent and waits until it has done its turn. */
  prompt(text: string): Promise<Result<acp.StopReason, JobError>>;
  close(): void;
}

/** Starts the agent and opens a session in the folder. */
export async function openAcpSession(options: AcpOptions): Promise<Result<AcpSession, JobError>> {
  const { argv, env, folder, signal } = options;
  const [program = '', ...args] = argv;
  const file = findOnPath(program, env);
  if (file === null) {
    return problem(
      'not_configured',
      `There is no program "${program}" on the PATH.`,
      'Check agent_acp_command.',
    );
  }
  const library = await import('@agentclientprotocol/sdk');
  const child = spawn(file, args, { cwd: folder, env, stdio: 'pipe', detached: true });
  const stderr = keepLast(child);
  const close = endOnce(child);
  signal.addEventListener('abort', close, { once: true });
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, by) => resolve(`it ended with ${by ?? `exit code ${code}`}`));
  });
  const stream = library.ndJsonStream(
    Writable.toWeb(child.stdin),
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );
  const { agent: peer } = clientApp(library, options).connect(stream);
  /** Runs a request; tells why it came to nothing. */
  const ask = async <T>(what: string, request: () => Promise<T>): Promise<Result<T, JobError>> => {
    try {
      return ok(await request());
    } catch (thrown) {
      if (signal.aborted) return problem('cancelled', 'The job was cancelled.');
      if (codeOf(thrown) === AUTH_REQUIRED) {
        return problem(
          'unauthorized',
          `${program} wants a login: ${errorMessage(thrown)}`,
          `Run ${program} once by itself.`,
        );
      }
      const ended = await Promise.race([gone, sleep(EXIT_WAIT_MS, null)]);
      const why = [ended ?? errorMessage(thrown), stderr()].filter(Boolean).join(': ');
      return problem('provider', `${program} failed to ${what}: ${why}`);
    }
  };
  const begun = await ask('start', async () => {
    const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
    const cancellation = {
      cancellationSignal: AbortSignal.any([timeout, signal]),
      stopWaitingOnCancel: true,
    };
    const hello = await peer.request(
      library.methods.agent.initialize,
      {
        protocolVersion: library.PROTOCOL_VERSION,
        clientInfo: { name: 'copane', version: VERSION },
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      },
      cancellation,
    );
    const session = await peer.request(
      library.methods.agent.session.new,
      { cwd: folder, mcpServers: [] },
      cancellation,
    );
    return { hello, sessionId: session.sessionId };
  });
  if (!begun.ok) {
    close();
    return begun;
  }
  const { hello, sessionId } = begun.value;
  const { name = program, version = '' } = hello.agentInfo ?? {};
  return ok({
    agent: `${name} ${version}`.trim(),
    prompt: (text) =>
      ask('answer', async () => {
        const prompt: acp.ContentBlock[] = [{ type: 'text', text }];
        const turn = await peer.request(
          library.methods.agent.session.prompt,
          { sessionId, prompt },
          { cancellationSignal: signal, stopWaitingOnCancel: true },
        );
        return turn.stopReason;
      }),
    close,
  });
}

function clientApp(library: typeof acp, { events }: AcpOptions): acp.ClientApp {
  const { requestPermission, update } = library.methods.client.session;
  return library
    .client({ name: 'copane' })
    .onRequest(requestPermission, async ({ params }) => {
      const { toolCallId, rawInput } = params.toolCall;
      const call = askedCall(params.toolCall);
      // Some agents name a call for the first time by asking for it.
      events.toolBegan(toolCallId, call, rawInput);
      const allowed = await events.allow(call);
      const wanted = allowed ? 'allow_once' : 'reject_once';
      const option = params.options.find(({ kind }) => kind === wanted);
      return option === undefined
        ? { outcome: { outcome: 'cancelled' } }
        : { outcome: { outcome: 'selected', optionId: option.optionId } };
    })
    .onNotification(update, ({ params }) => tell(params.update, events));
}

function tell(update: acp.SessionUpdate, events: AcpEvents): void {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      if (update.content.type === 'text') events.text(update.content.text);
      return;
    case 'tool_call':
      events.toolBegan(update.toolCallId, askedCall(update), update.rawInput);
      if (isOver(update.status)) events.toolEnded(update.toolCallId, update.status === 'completed');
      return;
    case 'tool_call_update':
      if (isOver(update.status)) events.toolEnded(update.toolCallId, update.status === 'completed');
      return;
    default:
    // Plans, modes, thoughts and what later versions add: nothing of it changes what is proposed.
  }
}

const isOver = (status: acp.ToolCallStatus | null | undefined) =>
  status === 'completed' || status === 'failed';

function askedCall({ kind, title, locations }: acp.ToolCallUpdate | acp.ToolCall): AskedCall {
  return { kind: kind ?? null, title: title ?? '', locations: (locations ?? []).map((one) => one.path) };
}

function problem(
  code: JobError['code'],
  message: string,
  hint: string | null = null,
): { readonly ok: false; readonly error: JobError } {
  return { ok: false, error: { code, message, hint } };
}

function codeOf(thrown: unknown): unknown {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : null;
}

/** Keeps the end of what the child says on stderr. */
function keepLast(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-STDERR_MAX_CHARS);
  });
  return () => text.trim();
}

/** Ends the child and all that it started. */
function endOnce(child: ChildProcess): () => void {
  let isEnding = false;
  const end = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch (thrown) {
      // The whole group is gone.
      if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
    }
  };
  return () => {
    if (isEnding) return;
    isEnding = true;
    end('SIGTERM');
    setTimeout(() => end('SIGKILL'), END_GRACE_MS).unref();
  };
}
