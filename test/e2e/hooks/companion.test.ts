/** A companion and `copane status` beside a program that reports its state by a hook. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COPANE, CompanionPane, copaneEnv } from '../../helpers/companion-pane.ts';
import { rowsOf } from '../../helpers/full-run.ts';
import { PrivateTmux } from '../../helpers/private-tmux.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import type { Json } from '../../helpers/suggestion-server.ts';
import { until } from '../../helpers/until.ts';

const HOOK = path.resolve(import.meta.dirname, '../../../integrations/hooks/copane-hook');

let root = '';
let tmux: PrivateTmux;

/** A program called claude that does nothing, and calls a hook when it is sent a line. */
beforeEach(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-told-'));
  mkdirSync(path.join(root, 'bin'));
  mkdirSync(path.join(root, 'project'));
  const program = path.join(root, 'bin/claude');
  copyFileSync('/bin/sh', program);
  tmux = new PrivateTmux();
  const script = `echo ready; while read -r line; do printf '%s' "$line" | ${HOOK} claude ${folder()}; done`;
  await tmux.start({
    argv: [program, '-c', script],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: path.join(root, 'home'), TERM: 'tmux-256color' },
    cwd: path.join(root, 'project'),
    size: { columns: 90, rows: 24 },
  });
  await tmux.until('the program', (screen) => screen.includes('ready'));
});

afterEach(async () => {
  await tmux.kill();
  removeTree(root);
});

function folder(): string {
  const hooks = path.join(root, 'state/copane/hooks');
  mkdirSync(hooks, { recursive: true, mode: 0o700 });
  return hooks;
}

/** A line that the program passes to its hook. The pipe has its own shell, as with some AI CLIs. */
async function tell(name: string, more: Record<string, unknown> = {}): Promise<void> {
  await tmux.type(JSON.stringify({ session_id: 's1', hook_event_name: name, ...more }));
  await tmux.keys('Enter');
}

async function status(): Promise<Json> {
  const shown = await tmux.run(['display-message', '-p', '#{socket_path},#{pid},0']);
  const env = { ...copaneEnv({ root, project: root }), TMUX: shown.stdout.toString().trim() };
  const run = spawnSync(COPANE, ['status', '--json'], { env, encoding: 'utf8' });
  return JSON.parse(run.stdout).panes[0];
}

describe('what a hook reports', () => {
  it('is the state in copane status, which names the hook as its source', async () => {
    expect((await status()).trust).not.toBe('hook');
    for (const [name, state] of [
      ['UserPromptSubmit', 'working'],
      ['PermissionRequest', 'waiting'],
      ['Stop', 'idle'],
    ] as const) {
      await tell(name);
      let seen: Json = null;
      const isIt = async () => {
        seen = await status();
        return seen.state === state;
      };
      await until(name, isIt, { timeoutMs: 10_000, show: () => JSON.stringify(seen) });
      expect(seen).toMatchObject({ cli: 'claude', state, trust: 'hook' });
    }
  });

  it('reaches an open companion at once', async () => {
    const companion = await CompanionPane.open(tmux, { root, project: path.join(root, 'project') });
    await tell('UserPromptSubmit', { prompt: 'x' });
    await companion.until('working', (screen) => /working/i.test(screen), 5_000);
    await tell('PermissionRequest');
    await companion.until('waiting', (screen) => /waiting/i.test(screen), 5_000);
    await tell('Stop');
    await companion.until('idle', (screen) => /idle/i.test(screen), 5_000);
  });

  it('is known to a companion opened later', async () => {
    await tell('PermissionRequest');
    const companion = await CompanionPane.open(tmux, { root, project: path.join(root, 'project') });
    await companion.until('waiting', (screen) => /waiting/i.test(screen), 5_000);
  });
});

describe('a notification to the user', () => {
  const lines = (name: string): readonly string[] => {
    const file = path.join(root, name);
    return existsSync(file) ? readFileSync(file, 'utf8').split(/ *\n/).slice(0, -1) : [];
  };
  const told = (name: string, count: number, timeoutMs = 10_000) =>
    until(`${count} lines of ${name}`, () => lines(name).length >= count, {
      timeoutMs,
      show: () => JSON.stringify({ states: lines('states'), calls: lines('calls') }),
    });
  const project = () => path.join(root, 'project');
  const ask = async (companion: CompanionPane) => {
    await tell('UserPromptSubmit', { prompt: 'x' });
    await companion.until('working', (screen) => /working/i.test(screen), 5_000);
    // Another companion may be the one that notifies: a state that it has not seen yet is no news.
    await told('states', 1);
    await tell('PermissionRequest');
    await companion.until('waiting', (screen) => /waiting/i.test(screen), 5_000);
  };

  /** The companion's commands; `after` follows in the one for every state. */
  const configure = (after = '') => {
    const append = (file: string, then = '') => [
      'sh',
      '-c',
      `echo "$COPANE_STATE $COPANE_CALL" >> ${path.join(root, file)}; ${then}`,
    ];
    const config = {
      notify: ['bell', 'message'],
      notify_command: append('calls'),
      on_state: append('states', after),
    };
    const folder = path.join(copaneEnv({ root, project: root }).XDG_CONFIG_HOME ?? '', 'copane');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'config.jsonc'), JSON.stringify(config));
  };
  beforeEach(() => configure());

  it('comes from one of two companions, once for each change', async () => {
    const first = await CompanionPane.open(tmux, { root, project: project() });
    const companion = await CompanionPane.open(tmux, { root, project: project() });
    await tell('Stop');
    for (const each of [first, companion]) await each.until('idle', (screen) => /idle/i.test(screen), 5_000);
    await ask(companion);
    await told('states', 2);
    await tell('Stop');
    await companion.until('idle', (screen) => /idle/i.test(screen), 5_000);
    await told('states', 3);
    expect(lines('states')).toEqual(['working', 'waiting waits for you', 'idle']);
    expect(lines('calls')).toEqual(['waiting waits for you']);
    const bells = await tmux.run(['list-windows', '-a', '-F', '#{window_bell_flag}']);
    expect(bells.stdout.toString()).toContain('1');
  });

  const COMMANDS: readonly (readonly [how: string, after: string])[] = [
    ['hangs', 'sleep 40'],
    ['leaves a program behind', 'sleep 40 &'],
    ['prints without end', 'yes'],
    ['fails', 'exit 3'],
  ];
  it.each(rowsOf(2, COMMANDS))('waits for no command that %s', async (_how, after) => {
    configure(after);
    const companion = await CompanionPane.open(tmux, { root, project: project() });
    await tell('Stop');
    await companion.until('idle', (screen) => /idle/i.test(screen));
    await ask(companion);
    await told('calls', 1, 5_000);
    expect(lines('calls')).toEqual(['waiting waits for you']);
  });

  it('is a state, too, when the pane is closed, even without its folder', async () => {
    const companion = await CompanionPane.open(tmux, { root, project: root });
    await tell('Stop');
    await companion.until('idle', (screen) => /idle/i.test(screen));
    await tell('UserPromptSubmit', { prompt: 'x' });
    await companion.until('working', (screen) => /working/i.test(screen));
    await told('states', 1);
    removeTree(project());
    await tmux.run(['kill-pane', '-t', tmux.pane]);
    await told('states', 2);
    expect(lines('states')).toEqual(['working', 'gone']);
  });

  it('does not come while the AI is in view, and comes as a message when another window is', async () => {
    const companion = await CompanionPane.open(tmux, { root, project: project() });
    const socket = await tmux.run(['display-message', '-p', '#{socket_path}']);
    const terminal = new PrivateTmux();
    try {
      await terminal.start({
        argv: ['env', '-u', 'TMUX', 'tmux', '-S', socket.stdout.toString().trim(), 'attach'],
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', TERM: 'xterm-256color', LANG: 'C.UTF-8' },
        cwd: root,
        size: { columns: 100, rows: 30 },
      });
      await terminal.until('the AI', (screen) => screen.includes('ready'));
      await tell('Stop');
      await companion.until('idle', (screen) => /idle/i.test(screen), 5_000);
      await ask(companion);
      await told('states', 2);
      expect(lines('calls')).toEqual([]);
      await tmux.run(['select-window', '-t', companion.pane]);
      await tell('UserPromptSubmit', { prompt: 'x' });
      await companion.until('working', (screen) => /working/i.test(screen), 5_000);
      await tell('Stop');
      await terminal.until('the message', (screen) => /claude in project \(\S+:0\.0\) is done/.test(screen));
      await told('calls', 1);
      expect(lines('calls')).toEqual(['idle is done']);
    } finally {
      await terminal.kill();
    }
  });
});
