/**
 * A conversation with an agent over standard streams by the Agent Client Protocol (agentclientprotocol.com, version 1).
 * Offers neither files nor terminals: the agent works in its folder. Passes requests to the caller; ends with us.
 */

import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import type * as acp from '@agentclientprotocol/sdk';
import { isRecord } from '../../lib/is-record.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import { errorMessage, ok, type Result } from '../../lib/result.ts';
import { VERSION } from '../../lib/version.ts';
import { findOnPath } from '../../platform/exec.ts';
import type { Env } from '../../platform/paths.ts';
import type { JobError } from '../../protocol/agent.ts';
import { type AgentProcess, startAgentProcess } from './agent-process.ts';
import { type AskedCall, commandOf, LEFT_OUT, NOTHING_KNOWN } from './permission.ts';
import { checkPi } from './pi-version.ts';

/** How long an agent may take to answer for the first time; the default. */
const START_TIMEOUT_MS = 60_000;
/** The names of modes in which agents ask before they run a command: Claude Code and Gemini CLI, Codex. */
const ASKING_MODES = ['default', 'read-only'];
/** opencode has no such mode: it asks only if its configuration says so. */
const ASKING_ENV = {
  OPENCODE_PERMISSION: '{"edit":"allow","bash":"ask","webfetch":"ask","external_directory":"ask"}',
};
/** The largest message of an agent. */
const MESSAGE_MAX_MIB = 32;
/** JSON-RPC code of an agent whose user must log in. */
const AUTH_REQUIRED = -32000;

export interface AcpEvents {
  /** A piece of a message; null if the agent does not say of which one. */
  readonly text: (piece: string, messageId: string | null) => void;
  /** Called again for a call when more of it is known. */
  readonly toolBegan: (id: string, call: AskedCall) => void;
  readonly toolEnded: (id: string, worked: boolean) => void;
  /** Whether the agent may proceed with the call. */
  readonly allow: (call: AskedCall) => Promise<boolean>;
  /** All steps of its plan, on every change. */
  readonly plan: (steps: readonly PlanStep[]) => void;
}

export interface PlanStep {
  readonly text: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

export interface AcpOptions {
  readonly argv: readonly string[];
  readonly env: Env;
  readonly folder: string;
  readonly events: AcpEvents;
  /** Ends everything at once. */
  readonly signal: AbortSignal;
  readonly startTimeoutMs?: number;
}

export interface AcpSession {
  readonly agent: string;
  /** Sends a prompt to the agent and waits until its turn ends. */
  prompt(text: string): Promise<Result<acp.StopReason, JobError>>;
  close(): void;
}

/** Starts the agent and opens a session in the folder. */
export async function openAcpSession(options: AcpOptions): Promise<Result<AcpSession, JobError>> {
  const { argv, env, folder, signal, startTimeoutMs = START_TIMEOUT_MS } = options;
  const [program = '', ...args] = argv;
  const file = findOnPath(program, env);
  if (file === null) {
    const message = `There is no program "${program}" on the PATH.`;
    return problem('not_configured', message, 'Check agent_acp_command.');
  }
  const usable = await checkPi(program, env);
  if (!usable.ok) return problem('not_configured', usable.error.message, usable.error.hint);
  const library = await import('@agentclientprotocol/sdk');
  const agent = startAgentProcess(file, args, { cwd: folder, env: { ...ASKING_ENV, ...env } });
  signal.addEventListener('abort', agent.close, { once: true });
  const input = Writable.toWeb(agent.stdin);
  const output = Readable.toWeb(agent.messages) as ReadableStream<Uint8Array>;
  const stream = library.ndJsonStream(input, output, { maxMessageBytes: MESSAGE_MAX_MIB * 1024 * 1024 });
  const { agent: peer } = clientApp(library, options).connect(stream);
  const ask: Ask = async (what, request) => {
    try {
      return ok(await request());
    } catch (thrown) {
      return signal.aborted
        ? problem('cancelled', 'The job was cancelled.')
        : explain(thrown, { program, what, agent, startTimeoutMs });
    }
  };
  const begun = await ask('start', () => beginSession(library, peer, { ...options, startTimeoutMs }));
  if (!begun.ok || begun.value.sessionId === null) {
    agent.close();
    return begun.ok ? otherVersion(program, begun.value.hello, library.PROTOCOL_VERSION) : begun;
  }
  const { sessionId, hello } = begun.value;
  const { title, name = program, version = '' } = hello.agentInfo ?? {};
  return ok({
    agent: `${title || name} ${version}`.trim(),
    prompt: (text) =>
      ask('answer', async () => {
        const prompt: acp.ContentBlock[] = [{ type: 'text', text }];
        const turn = await peer.request(
          library.methods.agent.session.prompt,
          { sessionId, prompt },
          { cancellationSignal: signal, stopWaitingOnCancel: true },
        );
        // An agent that omits the reason has still ended its turn.
        return turn.stopReason ?? 'end_turn';
      }),
    close: agent.close,
  });
}

/** Runs a request; fails with the reason. */
type Ask = <T>(what: string, request: () => Promise<T>) => Promise<Result<T, JobError>>;

function otherVersion(program: string, { protocolVersion }: acp.InitializeResponse, wanted: number) {
  const message = `${program} speaks version ${JSON.stringify(protocolVersion)} of the Agent Client Protocol; copane speaks version ${wanted}.`;
  return problem('provider', message, `Update ${program}, or copane.`);
}

async function beginSession(
  library: typeof acp,
  peer: acp.ClientContext,
  { folder, signal, startTimeoutMs }: AcpOptions & { readonly startTimeoutMs: number },
) {
  const { initialize, session } = library.methods.agent;
  const cancellationSignal = AbortSignal.any([AbortSignal.timeout(startTimeoutMs), signal]);
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
  if (hello.protocolVersion !== library.PROTOCOL_VERSION) return { sessionId: null, hello };
  const made = await peer.request(session.new, { cwd: folder, mcpServers: [] }, cancellation);
  const { sessionId, modes } = made;
  if (typeof sessionId !== 'string') throw new Error('its session has no id');
  const asking = ASKING_MODES.find((mode) => modes?.availableModes.some(({ id }) => id === mode));
  if (asking !== undefined && modes?.currentModeId !== asking)
    await peer.request(session.setMode, { sessionId, modeId: asking }, cancellation);
  return { sessionId, hello };
}

interface FailedRequest {
  readonly program: string;
  readonly what: string;
  readonly agent: AgentProcess;
  readonly startTimeoutMs: number;
}

async function explain(
  thrown: unknown,
  { program, what, agent, startTimeoutMs }: FailedRequest,
): Promise<Result<never, JobError>> {
  const words = wordsOf(thrown);
  if (codeOf(thrown) === AUTH_REQUIRED) {
    const hint = `Log in with ${program} in a terminal, then run the job again.`;
    return problem('unauthorized', `${program} needs a login: ${words}`, hint);
  }
  const why = await agent.whyFailed(plainWords(words, startTimeoutMs));
  const hint = `Run "${program}" in a terminal to see whether it works by itself.`;
  return problem('provider', `${path.basename(program)} failed to ${what}: ${why}`, hint);
}

/** The library's message about a broken connection, reworded for users. */
function plainWords(words: string, startTimeoutMs: number): string {
  if (/aborted due to timeout/.test(words)) return `no answer in ${startTimeoutMs / 1000} s`;
  if (/exceeds the configured \d+ byte limit/.test(words)) {
    return `it sent a message of more than ${MESSAGE_MAX_MIB} MiB`;
  }
  return words === 'ACP connection closed' ? 'it closed its output' : words;
}

/** The message of an error, with the agent's details ("Internal error" alone says nothing). */
function wordsOf(thrown: unknown): string {
  const data = typeof thrown === 'object' && thrown !== null && 'data' in thrown ? thrown.data : undefined;
  const more = typeof data === 'string' ? data : isRecord(data) ? (data.details ?? data.message) : undefined;
  const words = errorMessage(thrown);
  return typeof more === 'string' && !words.includes(more) ? `${words}: ${more}` : words;
}

function clientApp(library: typeof acp, { events }: AcpOptions): acp.ClientApp {
  const { requestPermission, update } = library.methods.client.session;
  const calls = new AcpCalls();
  return library
    .client({ name: 'copane' })
    .onRequest(requestPermission, async ({ params }) => {
      const call = calls.hear(params.toolCall);
      // Some agents first name a call when they ask for it.
      events.toolBegan(params.toolCall.toolCallId, call);
      const allowed = await events.allow(call);
      // Never for always: an agent stores that in files of the project.
      const wanted = allowed ? 'allow_once' : 'reject_once';
      const option = params.options.find(({ kind }) => kind === wanted);
      return option === undefined
        ? { outcome: { outcome: 'cancelled' } }
        : { outcome: { outcome: 'selected', optionId: option.optionId } };
    })
    .onNotification(update, ({ params }) => tell(params.update, events, calls));
}

function tell(update: acp.SessionUpdate, events: AcpEvents, calls: AcpCalls): void {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      if (update.content.type === 'text') events.text(update.content.text, update.messageId ?? null);
      return;
    case 'tool_call':
    case 'tool_call_update': {
      const call = calls.hear(update);
      events.toolBegan(update.toolCallId, call);
      const steps = stepsOf(call.input);
      if (steps !== null && isOver(update.status)) events.plan(steps);
      if (isOver(update.status)) events.toolEnded(update.toolCallId, update.status === 'completed');
      return;
    }
    case 'plan':
      events.plan(update.entries.map(({ content, status }) => ({ text: content, status })));
      return;
    default:
    // Modes, thoughts and additions of later versions do not affect the proposal.
  }
}

const isOver = (status: acp.ToolCallStatus | null | undefined) =>
  status === 'completed' || status === 'failed';

/** The plan in the input of a to-do tool: not every agent reports it as a plan. */
function stepsOf(input: unknown): readonly PlanStep[] | null {
  if (!isRecord(input) || !Array.isArray(input.todos)) return null;
  const steps: PlanStep[] = [];
  for (const todo of input.todos) {
    const text = isRecord(todo) ? (todo.content ?? todo.description) : null;
    if (!isRecord(todo) || typeof text !== 'string') return null;
    const { status } = todo;
    steps.push({ text, status: status === 'completed' || status === 'in_progress' ? status : 'pending' });
  }
  return steps;
}

/** Why a job ends, as a failure. */
export function problem(
  code: JobError['code'],
  message: string,
  hint: string | null = null,
): { readonly ok: false; readonly error: JobError } {
  return { ok: false, error: { code, message, hint } };
}

function codeOf(thrown: unknown): unknown {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : null;
}

/** How many calls are remembered; `RecentMap` keeps between half of them and all. */
const CALLS_MAX = 1_000;

/** Deeper input would overflow the stack of recursive functions such as JSON.stringify. */
const INPUT_MAX_DEPTH = 100;
/** Limit of strings, numbers, lists and records in one input. */
const INPUT_MAX_PARTS = 10_000;

function isTooLarge(input: unknown): boolean {
  let parts = 0;
  const isOver = (value: unknown, depth: number): boolean => {
    parts += 1;
    if (parts > INPUT_MAX_PARTS) return true;
    if (typeof value !== 'object' || value === null) return false;
    return depth === 0 || Object.values(value).some((part) => isOver(part, depth - 1));
  };
  return isOver(input, INPUT_MAX_DEPTH);
}

/** Gemini CLI asks before it changes its list of steps, and says of such a call nothing but this. */
const TODO_CALL = /^write_todos__/;

/** Merges the parts of a call's input: an update may have only a part, or an empty record. */
function joined(before: unknown, more: unknown): unknown {
  if (before === LEFT_OUT) return LEFT_OUT;
  const input = isRecord(before) && isRecord(more) ? { ...before, ...more } : (more ?? before);
  return isTooLarge(input) ? LEFT_OUT : input;
}

/** The tool calls of an external agent, merged from several messages: a permission request may have only an id. */
class AcpCalls {
  readonly #known = new RecentMap<string, AskedCall>(CALLS_MAX);

  /** The call, updated with this message. */
  hear({ toolCallId, kind, title, locations, rawInput, content }: acp.ToolCallUpdate): AskedCall {
    const before = this.#known.get(toolCallId) ?? NOTHING_KNOWN;
    const call: AskedCall = {
      kind: TODO_CALL.test(toolCallId) ? 'think' : (kind ?? before.kind),
      title: title ?? before.title,
      locations: locations?.length ? locations.map((one) => one.path) : before.locations,
      input: joined(before.input, rawInput),
      command: commandOf(rawInput) ?? before.command,
      ...(content?.length ? shownOf(content) : { texts: before.texts, diffs: before.diffs }),
    };
    this.#known.set(toolCallId, call);
    return call;
  }
}

function shownOf(content: readonly acp.ToolCallContent[]): Pick<AskedCall, 'texts' | 'diffs'> {
  const texts = content.flatMap((one) =>
    one.type === 'content' && one.content.type === 'text' ? [one.content.text] : [],
  );
  const diffs = content.flatMap((one) =>
    one.type === 'diff' ? [{ path: one.path, before: one.oldText ?? '', after: one.newText }] : [],
  );
  return { texts, diffs };
}
