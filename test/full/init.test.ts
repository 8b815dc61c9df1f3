/**
 * Each real AI CLI, set up by `copane init` beside the user's own hooks: what the companion learns about its pane by
 * hook, a change that it publishes, and the decision that comes back. `--remove` leaves nothing behind.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openResponses } from '../../src/app/responses/ai-pane.ts';
import { openPaneHooks, type PaneHooks } from '../../src/app/responses/pane-hooks.ts';
import { openTmux } from '../../src/app/tmux.ts';
import { run as runAsync } from '../../src/platform/run.ts';
import type { PaneListing } from '../../src/tmux/panes.ts';
import { type ClientName, clientSpec, isInstalled } from '../helpers/client-catalog.ts';
import { COPANE, CompanionPane } from '../helpers/companion-pane.ts';
import { git } from '../helpers/git-fixture.ts';
import { type StartedClient, startClient } from '../helpers/real-clients.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import type { ScriptedTool } from '../helpers/scripted-model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../helpers/scripted-model/server.ts';
import type { Json } from '../helpers/suggestion-server.ts';
import { until } from '../helpers/until.ts';

const FIRST = 'Say something first.';
const PUBLISH = 'Now offer the change for review.';
const LAST = 'And what did the user say?';
const COMMENT = 'Not so loud.';
const STOPPED = 'Talk until I stop you.';
/** Words that no client mistakes for a loop of the model. */
const LONG = Array.from({ length: 400 }, (_, index) => `word${index * 7919}`).join(' ');
/** More than any client needs on a loaded machine. */
const PATIENCE_MS = 90_000;

interface Client {
  readonly name: Extract<ClientName, 'claude' | 'claude-old' | 'codex' | 'gemini' | 'opencode' | 'pi'>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The user's own configuration, by path below the home folder; `$RAN` is a file that a user's hook creates. */
  readonly own: Readonly<Record<string, (before: string | null, ran: string) => string>>;
  /** Files that this client itself rewrites as it runs. */
  readonly rewrites: readonly string[];
  readonly tool: (name: string, input: ScriptedTool['input']) => ScriptedTool;
  /** The prompt of a tool that waits for approval, where this client asks for it. */
  readonly asks: RegExp | null;
  /** Keys that stop it, if not a single Escape. */
  readonly stop?: readonly string[];
  /** The decision comes as the plugin's message; otherwise the model asks for it. */
  readonly tells: boolean;
}

const json = (change: (value: Record<string, Json>) => Json) => (before: string | null) =>
  `${JSON.stringify(change(before === null ? {} : JSON.parse(before)), null, 4)}\n`;
const ownHook = (event: string) => (before: string | null, ran: string) =>
  json((value) => ({
    ...value,
    hooks: { [event]: [{ hooks: [{ type: 'command', command: `echo ran >> ${ran}` }] }] },
  }))(before);

const CLAUDE: Omit<Client, 'name'> = {
  env: { ENABLE_TOOL_SEARCH: 'false' },
  own: { '.claude/settings.json': ownHook('Stop') },
  rewrites: ['.claude.json'],
  tool: (name, input) => ({ name: `mcp__copane__${name}`, input }),
  asks: /Do you want to proceed\?/,
  tells: false,
};

const CLIENTS: readonly Client[] = [
  { name: 'claude', ...CLAUDE },
  { name: 'claude-old', ...CLAUDE },
  {
    name: 'codex',
    args: ['--ask-for-approval', 'never'],
    own: {
      '.codex/config.toml': (before, ran) =>
        `# mine\nnotify = ["sh", "-c", "echo \\"$1\\" >> ${ran}", "sh"] # keep\n${before ?? ''}`,
    },
    rewrites: ['.codex/config.toml'],
    tool: (name, input) => ({ name, namespace: 'mcp__copane', input }),
    asks: null,
    tells: false,
  },
  {
    name: 'gemini',
    own: { '.gemini/settings.json': ownHook('AfterAgent') },
    // It renames settings of older versions.
    rewrites: ['.gemini/settings.json'],
    tool: (name, input) => ({ name: `mcp_copane_${name}`, input }),
    asks: /Allow execution of MCP tool/,
    tells: false,
  },
  {
    name: 'opencode',
    stop: ['Escape', 'Escape'],
    own: {
      '.config/opencode/plugins/mine.js': (_before, ran) =>
        `import { appendFileSync } from 'node:fs';\nexport const Mine = async () => ({ 'chat.message': async () => appendFileSync('${ran}', 'ran') });\n`,
    },
    rewrites: [],
    tool: (name, input) => ({ name: `copane_${name}`, input }),
    asks: null,
    tells: true,
  },
  {
    name: 'pi',
    own: {
      '.pi/agent/extensions/mine.ts': (_before, ran) =>
        `import { appendFileSync } from 'node:fs';\nexport default (pi) => pi.on('agent_end', () => appendFileSync('${ran}', 'ran'));\n`,
    },
    rewrites: [],
    tool: (name, input) => ({ name, input }),
    asks: null,
    tells: true,
  },
];

let root = '';
let model: ScriptedModel | null = null;
let started: StartedClient | null = null;

afterEach(async () => {
  await started?.tmux.kill();
  await model?.close();
  removeTree(root);
});

const home = () => path.join(root, 'home');
const project = () => path.join(root, 'project');
const ran = () => path.join(root, 'own-hook-ran');
const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : null);

/** A command in one of the user's shells, outside every AI pane. */
function copane(...args: string[]): { readonly out: string; readonly status: number | null } {
  const { PATH = '' } = process.env;
  const run = spawnSync(COPANE, args, { env: { PATH, HOME: home() }, cwd: root, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`copane ${args.join(' ')}: ${run.stdout}${run.stderr}`);
  return { out: run.stdout, status: run.status };
}

/** `copane send` from outside the pane. */
async function send({ tmux }: StartedClient, text: string): Promise<Json> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: home(), TMUX: await serverOf(tmux), LANG: 'C.UTF-8' };
  const args = ['send', '-', '--pane', tmux.pane, '--json'];
  const run = await runAsync(COPANE, args, { env, input: text, timeoutMs: PATIENCE_MS });
  return JSON.parse(run.stdout.toString() || '{}');
}

/** The value of `$TMUX` in a pane of this server. */
async function serverOf(tmux: StartedClient['tmux']): Promise<string> {
  const shown = await tmux.run(['display-message', '-p', '#{socket_path},#{pid},0']);
  return shown.stdout.toString().trim();
}

/** The content of every file that `init` may touch. */
function configuration(client: Client): Readonly<Record<string, string | null>> {
  const files = [
    ...Object.keys(client.own),
    '.claude/settings.json',
    '.claude.json',
    '.codex/config.toml',
    '.codex/hooks.json',
    '.gemini/settings.json',
    '.config/opencode/plugins/copane.js',
    '.pi/agent/extensions/copane.ts',
  ];
  return Object.fromEntries(files.map((file) => [file, read(path.join(home(), file))]));
}

function makeProject(): void {
  mkdirSync(project(), { recursive: true });
  git(project(), 'init', '-q');
  writeFileSync(path.join(project(), 'f.txt'), 'one\ntwo\nthree\n');
  git(project(), 'add', '.');
  git(project(), 'commit', '-qm', 'base');
  writeFileSync(path.join(project(), 'f.txt'), 'one\nTWO\nthree\n');
}

async function start(client: Client): Promise<Readonly<Record<string, string | null>>> {
  let before: Readonly<Record<string, string | null>> = {};
  const publish = client.tool('publish_suggestion', { description: 'Louder', files: ['f.txt'] });
  const hear = client.tells ? [] : [{ tools: [client.tool('await_review', { wait_s: 30 })] }];
  model = await startScriptedModel({
    turns: [
      { when: FIRST, replies: [{ text: 'Something.' }] },
      { when: STOPPED, replies: [{ text: LONG, chunkSize: 10, chunkDelayMs: 200 }] },
      { when: PUBLISH, replies: [{ text: 'Here it is.', tools: [publish] }, { text: 'Offered.' }] },
      // A message of pi's extension follows the prompt that it arrives with.
      { when: 'Suggestion Feedback', replies: [{ text: 'I see.' }] },
      { when: LAST, replies: [...hear, { text: client.name === 'pi' ? 'Nothing yet.' : 'I see.' }] },
    ],
  });
  started = await startClient(client.name, {
    home: home(),
    project: project(),
    modelPort: model.port,
    size: { columns: 100, rows: 40 },
    args: client.args ?? [],
    env: client.env ?? {},
    patienceMs: PATIENCE_MS,
    beforeStart: async () => {
      for (const [file, make] of Object.entries(client.own)) {
        const full = path.join(home(), file);
        mkdirSync(path.dirname(full), { recursive: true });
        writeFileSync(full, make(read(full), ran()));
      }
      before = configuration(client);
      copane('init', clientSpec(client.name).cli, '--yes');
    },
  });
  if (client.name === 'codex') await trustHooks(started);
  return before;
}

/** Codex runs no hook before the user approves it. */
async function trustHooks({ tmux }: StartedClient): Promise<void> {
  await tmux.until('the question', (screen) => screen.includes('Trust all and continue'));
  await tmux.keys('Down');
  await tmux.until('the second answer', (screen) => /› 2\. Trust all/.test(screen));
  await tmux.keys('Enter');
  await tmux.until('the composer', (screen) => screen.includes('Ask Codex to do anything'));
  await tmux.settled();
}

interface Pane {
  readonly listing: PaneListing;
  readonly hooks: PaneHooks;
  readonly tmux: ReturnType<typeof openTmux>;
}

/** The pane as this user's companion sees it. */
async function paneOf({ tmux }: StartedClient): Promise<Pane> {
  const access = openTmux({ HOME: home(), TMUX: await serverOf(tmux) });
  const listed = await access.panes.listAi();
  const [listing] = listed.ok ? listed.value : [];
  if (listing === undefined) throw new Error('no AI pane');
  const stateDir = path.join(home(), '.local/state/copane');
  return { listing, tmux: access, hooks: openPaneHooks({ stateDir, processes: access.processes }) };
}

async function untilState({ hooks, listing }: Pane, wanted: string): Promise<void> {
  let seen: unknown = null;
  const isIt = async () => {
    seen = await hooks.stateOf(listing, null);
    return (seen as { state?: string } | null)?.state === wanted;
  };
  await until(`${wanted} by hook`, isIt, { timeoutMs: PATIENCE_MS, show: () => JSON.stringify(seen) });
}

async function checkPrompt(client: StartedClient, pane: Pane): Promise<void> {
  expect(await send(client, FIRST)).toMatchObject({ state: 'delivered', proof: 'hook' });
  await untilState(pane, 'idle');
  const { tmux, panes } = pane.tmux;
  const responses = openResponses({ tmux, panes, hooks: pane.hooks, sent: async () => [] }, pane.listing);
  const seen = await until(
    'the answer',
    async () => {
      const reading = await responses.read('transcript', 5);
      return reading.ok && reading.value.turns[0]?.response !== '' && reading.value.turns.length > 0
        ? reading.value
        : null;
    },
    { timeoutMs: PATIENCE_MS, show: () => '' },
  );
  expect([seen.ref?.tie, seen.turns[0]?.prompt, seen.turns[0]?.response.trim()]).toEqual([
    'hook',
    FIRST,
    'Something.',
  ]);
}

/** A dialog ignores keys at first. */
async function answerYes(tmux: StartedClient['tmux']): Promise<void> {
  await tmux.settled(1_000);
  await tmux.keys('Enter');
}

const answersTo = (screen: string) => screen.split(/I see\.|Nothing yet\./).length - 1;

async function checkReview(client: Client, { tmux, submit }: StartedClient, pane: Pane): Promise<void> {
  const { requests } = model as ScriptedModel;
  await submit(PUBLISH);
  if (client.asks !== null) {
    const question = client.asks;
    await tmux.until('the question', (screen) => question.test(screen), PATIENCE_MS);
    await untilState(pane, 'waiting');
    await answerYes(tmux);
  }
  await tmux.until('the end of the turn', (screen) => screen.includes('Offered.'), PATIENCE_MS);
  await untilState(pane, 'idle');
  const [suggestion] = JSON.parse(copane('suggestions', '--json').out) as Json[];
  expect(suggestion).toMatchObject({
    author: clientSpec(client.name).cli,
    description: 'Louder',
    hunk_count: 1,
  });
  const id = String(suggestion.suggestion_id);
  const [hunk] = (JSON.parse(copane('show', id, '--json').out) as { hunks: { id: string }[] }).hunks;
  copane('decide', id, hunk?.id ?? '', 'reject', '--comment', COMMENT);
  if (client.name === 'opencode') {
    await tmux.until('the message', (screen) => screen.includes(COMMENT), PATIENCE_MS);
    // It is not a prompt: nothing works on it, and the newest turn is the human's.
    expect((await pane.hooks.stateOf(pane.listing, null))?.state).toBe('idle');
    const { tmux: server, panes } = pane.tmux;
    const access = { tmux: server, panes, hooks: pane.hooks, sent: async () => [] };
    const reading = await openResponses(access, pane.listing).read('transcript', 5);
    expect(reading).toMatchObject({
      ok: true,
      value: { state: 'idle', turns: [{ prompt: PUBLISH }, { prompt: FIRST }] },
    });
  }
  await submit(LAST);
  if (client.asks !== null) {
    const question = client.asks;
    await tmux.until('the second question', (screen) => question.test(screen), PATIENCE_MS);
    await answerYes(tmux);
  }
  // pi holds a message until the next prompt and does not show it: the first prompt may have been too early.
  const deadline = Date.now() + PATIENCE_MS;
  for (let asked = 1; ; asked += 1) {
    const seen = await tmux.until('an answer', (screen) => answersTo(screen) >= asked, PATIENCE_MS);
    if (seen.includes('I see.') || Date.now() > deadline) break;
    await tmux.settled();
    await submit(LAST);
  }
  await tmux.until('the last answer', (screen) => screen.includes('I see.'), PATIENCE_MS);
  const asked = JSON.stringify(requests.findLast(({ choice }) => choice.kind === 'reply')?.body);
  expect(asked).toContain('User rejected hunk in f.txt. 0 hunks remaining.');
  expect(asked).toContain(COMMENT);
}

function checkRemoval(client: Client, before: Readonly<Record<string, string | null>>): void {
  expect(read(ran())).not.toBeNull();
  copane('init', clientSpec(client.name).cli, '--remove', '--yes');
  for (const [file, text] of Object.entries(configuration(client))) {
    if (!client.rewrites.includes(file)) {
      expect([file, text]).toEqual([file, before[file]]);
      continue;
    }
    // The client itself wrote to it; all of our entries are gone, and all of the user's remain.
    expect(text).not.toMatch(/copane-hook|"copane"|mcp_servers\.copane|copane init/);
    expect(text?.includes(ran())).toBe(before[file]?.includes(ran()));
  }
  if (client.name === 'codex') {
    const notify = (text = '') => text?.split('\n').find((line) => line.startsWith('notify'));
    expect(notify(read(path.join(home(), '.codex/config.toml')) ?? '')).toBe(
      notify(before['.codex/config.toml'] ?? ''),
    );
  }
}

/** This user's companion, beside the client. */
function companionOf({ tmux }: StartedClient): Promise<CompanionPane> {
  const env = { HOME: home(), XDG_STATE_HOME: path.join(home(), '.local/state'), XDG_RUNTIME_DIR: '' };
  return CompanionPane.open(tmux, { root, project: project(), env });
}

describe.each(CLIENTS.map((client) => [client.name, client] as const))('%s', (name, client) => {
  it.skipIf(!isInstalled(name))(
    'is set up, reports, publishes, gets decisions, and is restored (npm run setup:clients)',
    async () => {
      root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-init-')));
      makeProject();
      const before = await start(client);
      const running = started as unknown as StartedClient;
      const pane = await paneOf(running);
      await checkPrompt(running, pane);
      await checkReview(client, running, pane);
      await running.tmux.kill();
      checkRemoval(client, before);
    },
  );

  it.skipIf(!isInstalled(name))('is idle after its turn was stopped, which no hook reports', async () => {
    root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-init-')));
    makeProject();
    await start(client);
    const running = started as unknown as StartedClient;
    const companion = await companionOf(running);
    await running.submit(STOPPED);
    await running.tmux.until('the answer', (screen) => screen.includes('word7919'), PATIENCE_MS);
    await companion.until('working', (screen) => /working/.test(screen), PATIENCE_MS);
    for (const key of client.stop ?? ['Escape']) {
      await running.tmux.keys(key);
      await sleep(500);
    }
    await companion.until('idle', (screen) => /idle/.test(screen) && !/working/.test(screen), PATIENCE_MS);
  });
});
