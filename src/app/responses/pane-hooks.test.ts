import { appendFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import type { ProcessInfo, ProcessSource } from '../../platform/process-tree.ts';
import { hookFolderOf } from '../../responses/hooks/folder.ts';
import { openPaneHooks, type PaneHooks, prepareHookFolder } from './pane-hooks.ts';

let stateDir = '';
let hooks: PaneHooks;
/** Processes that exist during the whole test: the spool drops events of others. */
const CLI = process.pid;
const OTHER = process.ppid;
let table: ProcessInfo[] = [];

const source: ProcessSource = {
  snapshot: async () => ({ below: (root) => table.filter(({ pid, ppid }) => pid === root || ppid === root) }),
  above: async () => [],
  words: async () => null,
  cwd: async () => null,
  environ: async () => null,
  startedAt: async () => null,
  openFiles: async () => [],
};

function running(pid: number, ppid: number, argv: readonly string[]): ProcessInfo {
  return { pid, ppid, argv, foreground: true, stopped: false };
}

beforeEach(() => {
  stateDir = path.join(mkdtempSync(path.join(os.tmpdir(), 'copane-pane-hooks-')), 'copane');
  mkdirSync(stateDir);
  prepareHookFolder(stateDir);
  hooks = openPaneHooks({ stateDir, processes: source });
  table = [];
});

afterEach(() => removeTree(path.dirname(stateDir)));

function tell(cli: string, pid: number, sessionId: string, name: string, prompt?: string): void {
  const event = { session_id: sessionId, transcript_path: `/${sessionId}`, hook_event_name: name, prompt };
  appendFileSync(
    path.join(hookFolderOf(stateDir), `${cli}-${pid}.jsonl`),
    `${JSON.stringify({ cli, pid, event })}\n`,
  );
}

const claude = { cli: 'claude', cliPid: CLI } as const;

describe('the session of a pane', () => {
  it('is unknown without a report', async () => {
    expect(await hooks.sessionOf(claude)).toBeNull();
    expect(await hooks.stateOf(claude, 'x')).toBeNull();
    expect(await hooks.promptOf(claude, 'x')).toBeNull();
    expect(await hooks.sessionOf({ cli: 'claude', cliPid: null })).toBeNull();
  });

  it('is the last one reported by the process of the CLI', async () => {
    tell('claude', CLI, 's1', 'SessionStart');
    tell('claude', CLI, 's2', 'SessionStart');
    expect(await hooks.sessionOf(claude)).toEqual({ sessionId: 's2', path: '/s2' });
  });

  it('is not that of a CLI which the CLI started', async () => {
    tell('claude', CLI, 'own', 'UserPromptSubmit', 'mine');
    tell('claude', OTHER, 'nested', 'UserPromptSubmit', 'its');
    table = [running(CLI, 1, ['claude']), running(OTHER, CLI, ['claude', '-p'])];
    expect((await hooks.sessionOf(claude))?.sessionId).toBe('own');
    expect((await hooks.promptOf(claude, null))?.text).toBe('mine');
  });

  it('is not that of another CLI', async () => {
    tell('gemini', CLI, 'g', 'BeforeAgent');
    expect(await hooks.sessionOf(claude)).toBeNull();
  });

  it('is that of the program inside a wrapper', async () => {
    tell('codex', OTHER, 's1', 'SessionStart');
    table = [running(CLI, 1, ['node', 'codex.js']), running(OTHER, CLI, ['codex'])];
    expect((await hooks.sessionOf({ cli: 'codex', cliPid: CLI }))?.sessionId).toBe('s1');
  });

  it('is not taken from a server for all panes, whose reports count only for a session known otherwise', async () => {
    tell('codex', OTHER, 's1', 'UserPromptSubmit', 'hello');
    tell('codex', OTHER, 's2', 'Stop');
    table = [running(CLI, 1, ['codex']), running(OTHER, CLI, ['codex', 'app-server', '--listen', 'unix://'])];
    const pane = { cli: 'codex', cliPid: CLI } as const;
    expect(await hooks.sessionOf(pane)).toBeNull();
    expect(await hooks.stateOf(pane, null)).toBeNull();
    expect((await hooks.stateOf(pane, 's1'))?.state).toBe('working');
    expect((await hooks.stateOf(pane, 's2'))?.state).toBe('idle');
  });
});

describe('an accepted prompt', () => {
  it('is proof once, and only of itself', async () => {
    tell('claude', CLI, 's1', 'UserPromptSubmit', 'go on');
    const watch = await hooks.watchPrompt(claude, 'go on');
    expect(await watch.poll()).toBe(false);
    tell('claude', CLI, 's1', 'UserPromptSubmit', 'something else');
    expect(await watch.poll()).toBe(false);
    tell('claude', CLI, 's1', 'UserPromptSubmit', ' go  on\r\n');
    expect(await watch.poll()).toBe(true);
  });

  it('in another pane does not count', async () => {
    const watch = await hooks.watchPrompt(claude, 'go on');
    tell('claude', CLI, 's1', 'SessionStart');
    tell('claude', OTHER, 's2', 'UserPromptSubmit', 'go on');
    expect(await watch.poll()).toBe(false);
  });
});
