/**
 * One conversation with an agent that speaks the Agent Client Protocol (agentclientprotocol.com, version 1) on its
 * standard streams. Offers it neither our files nor terminals: it works in the folder that it is started in. What it
 * asks and does goes to the caller; its process ends with the session.
 */
import { Readable, Writable } from 'node:stream';
import type * as acp from '@agentclientprotocol/sdk';
import { errorMessage, ok, type Result } from '../../lib/result.ts';
import { VERSION } from '../../lib/version.ts';
import { findOnPath } from '../../platform/exec.ts';
import type { Env } from '../../platform/paths.ts';
import type { JobError } from '../../protocol/agent.ts';
import { type AgentProcess, startAgentProcess } from './agent-process.ts';
import type { AskedCall } from './permission.ts';

/** How long an agent may take until it answers for the first time. */
const START_TIMEOUT_MS = 60_000;
/** JSON-RPC code of an agent whose user must log in. */
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
    const message = `There is no program "${program}" on the PATH.`;
    return problem('not_configured', message, 'Check agent_acp_command.');
  }
  const library = await import('@agentclientprotocol/sdk');
  const agent = startAgentProcess(file, args, { cwd: folder, env });
  signal.addEventListener('abort', agent.close, { once: true });
  const input = Writable.toWeb(agent.stdin);
  const output = Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>;
  const { agent: peer } = clientApp(library, options).connect(library.ndJsonStream(input, output));
  const ask: Ask = async (what, request) => {
    try {
      return ok(await request());
    } catch (thrown) {
      return signal.aborted
        ? problem('cancelled', 'The job was cancelled.')
        : explain(thrown, program, what, agent);
    }
  };
  const begun = await ask('start', () => beginSession(library, peer, options));
  if (!begun.ok) {
    agent.close();
    return begun;
  }
  const { sessionId, info } = begun.value;
  const { name = program, version = '' } = info ?? {};
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
    close: agent.close,
  });
}

/** Runs a request; fails with the reason. */
type Ask = <T>(what: string, request: () => Promise<T>) => Promise<Result<T, JobError>>;

async function beginSession(library: typeof acp, peer: acp.ClientContext, { folder, signal }: AcpOptions) {
  const { initialize, session } = library.methods.agent;
  const cancellationSignal = AbortSignal.any([AbortSignal.timeout(START_TIMEOUT_MS), signal]);
  const cancellation = { cancellationSignal, stopWaitingOnCancel: true };
  const hello = await peer.request(
    initialize,
    {
      protocolVersion: library.PROTOCOL_VERSION,
      clientInfo: { name: 'copane', version: VERSION },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    },
    cancellation,
  );
  const { sessionId } = await peer.request(session.new, { cwd: folder, mcpServers: [] }, cancellation);
  return { sessionId, info: hello.agentInfo };
}

async function explain(
  thrown: unknown,
  program: string,
  what: string,
  agent: AgentProcess,
): Promise<Result<never, JobError>> {
  const words = errorMessage(thrown);
  if (codeOf(thrown) === AUTH_REQUIRED) {
    return problem('unauthorized', `${program} needs a login: ${words}`, `Run ${program} once by itself.`);
  }
  return problem('provider', `${program} failed to ${what}: ${await agent.whyFailed(words)}`);
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
