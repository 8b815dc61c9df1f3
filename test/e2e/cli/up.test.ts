/** `copane up`, `down` and the split, on a private tmux server. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunOutcome, run } from '../../../src/platform/run.ts';
import { COPANE, copaneEnv } from '../../helpers/companion-pane.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { startInPty } from '../../helpers/ui-pty.ts';
import { until } from '../../helpers/until.ts';

let root = '';
let project = '';
let env: Record<string, string> = {};

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-up-'));
  project = path.join(root, 'my.project');
  mkdirSync(project);
  mkdirSync(path.join(root, 'tmux'));
  // The default socket of this folder is our own server.
  env = { ...copaneEnv({ root, project }), TMUX_TMPDIR: path.join(root, 'tmux'), TERM: 'xterm-256color' };
});

afterEach(async () => {
  await tmux('kill-server');
  removeTree(root);
});

function tmux(...args: string[]): Promise<RunOutcome> {
  return run('tmux', ['-u', '-f', '/dev/null', ...args], { env });
}

async function said(...args: string[]): Promise<string> {
  return (await tmux(...args)).stdout.toString('utf8').trimEnd();
}

function copane(args: readonly string[], cwd = project): Promise<RunOutcome> {
  return run(COPANE, args, { env, cwd, timeoutMs: 40_000 });
}

interface Pane {
  readonly id: string;
  readonly columns: number;
  readonly top: number;
  readonly role: string;
}

async function panes(target = 'copane-my_project'): Promise<Pane[]> {
  const listed = await said(
    'list-panes',
    '-s',
    '-t',
    `=${target}`,
    '-F',
    '#{pane_id} #{pane_width} #{pane_top} #{@copane_made}',
  );
  return listed.split('\n').map((line) => {
    const [id = '', columns, top, role = ''] = line.split(' ');
    return { id, columns: Number(columns), top: Number(top), role };
  });
}

async function shows(pane: string, text: string): Promise<void> {
  let last = '';
  await until(
    `"${text}" in ${pane}`,
    async () => {
      last = await said('capture-pane', '-p', '-t', pane);
      return last.includes(text);
    },
    { timeoutMs: 30_000, intervalMs: 100, show: () => last },
  );
}

test('without a terminal: a session with the tour and the companion, and how to look at it', async () => {
  // Variables of a shell that outlived its tmux.
  const stale = { ...env, TMUX: `${root}/ended,1,0`, TMUX_PANE: '%7' };
  const up = await run(COPANE, ['up'], { env: stale, cwd: project, timeoutMs: 40_000 });
  expect([up.code, up.stderr]).toEqual([0, expect.stringContaining('tmux attach -t =copane-my_project')]);
  expect(up.stderr).toContain('No AI CLI is installed');
  const [ai, companion] = await panes();
  expect([ai?.role, companion?.role]).toEqual(['ai', 'companion']);
  await shows(ai?.id ?? '', 'SCRIPTED AI');
  await shows(companion?.id ?? '', 'Responses');
  // tmux itself started it: nobody could resume it.
  await tmux('send-keys', '-t', companion?.id ?? '', 'C-z');
  await shows(companion?.id ?? '', 'There is no shell to go back to');
});

test('Ctrl-Z in a shell returns to it, and fg to the companion', async () => {
  await copane(['up', '--', 'cat']);
  const [ai, companion] = await panes();
  const shell = await said('split-window', '-d', '-P', '-F', '#{pane_id}', '-t', ai?.id ?? '', 'bash --norc');
  const keys = (...names: string[]) => tmux('send-keys', '-t', shell, ...names);
  await tmux('kill-pane', '-t', companion?.id ?? '');
  await keys(`PS1='shell> '; ${COPANE} tui --pane ${ai?.id}`, 'Enter');
  await shows(shell, '? help');
  await keys('C-z');
  await shows(shell, 'Stopped');
  await keys('fg', 'Enter');
  await shows(shell, '? help');
  await keys('?');
  await shows(shell, 'Keys that work here');
  await keys('Escape');
  await shows(shell, '? help');
  expect(await said('capture-pane', '-p', '-t', shell)).not.toContain('There is no shell');
});

test('with a terminal: attached, the AI keeps 80 columns, or the companion goes below', async () => {
  for (const [columns, below] of [
    [160, false],
    [100, true],
  ] as const) {
    const program = startInPty([COPANE, 'up', '--', 'sh', '-c', 'echo the AI; exec cat'], {
      columns,
      rows: 40,
      env: { ...env, PWD: project },
      cwd: project,
    });
    try {
      await until('both panes', async () => (await panes()).length === 2, {
        timeoutMs: 30_000,
        show: () => program.screen().join('\n'),
      });
      const [ai, companion] = await panes();
      expect(ai?.columns).toBeGreaterThanOrEqual(80);
      expect((companion?.top ?? 0) > 0).toBe(below);
      await shows(companion?.id ?? '', 'Responses');
    } finally {
      await tmux('kill-server');
      program.kill();
    }
  }
});

test('in a terminal that tmux cannot draw on, it says so and how to look at the session elsewhere', async () => {
  const both = '"$0" tui; "$0" up -- sh -c "exec cat"';
  const program = startInPty(['env', 'TERM=dumb', 'sh', '-c', both, COPANE], {
    columns: 160,
    rows: 40,
    env: { ...env, PWD: project },
    cwd: project,
  });
  try {
    const screen = () => program.screen().join('\n');
    await until('the words', () => screen().includes('tmux attach -t =copane-my_project'), {
      timeoutMs: 30_000,
      show: screen,
    });
    expect(screen()).toContain('tmux cannot be shown here (TERM is "dumb")');
    expect(screen()).toContain('With --plain it writes line by line.');
    expect(await panes()).toHaveLength(2);
  } finally {
    program.kill();
  }
});

test('a second up finds the session; a folder of the same name gets another; down closes only what up made', async () => {
  writeFileSync(path.join(env.HOME ?? '', '.tmux.conf'), 'set -g destroy-unattached on\n');
  await copane(['up', '--', 'cat']);
  const again = await copane(['up', '--', 'cat']);
  expect([again.code, (await panes()).length]).toEqual([0, 2]);
  // tmux reads `#S` as the name of a session.
  for (const name of ['other/my.project', '#S', '#S']) {
    const other = path.join(root, name);
    mkdirSync(other, { recursive: true });
    await copane(['up', '--', 'cat'], other);
  }
  expect((await said('list-sessions', '-F', '#{session_name}')).split('\n')).toHaveLength(3);

  await tmux('split-window', '-d', '-t', '=copane-my_project:', 'cat');
  const down = await copane(['down']);
  expect([down.code, down.stderr]).toEqual([0, expect.stringContaining('Closed 2 panes')]);
  expect((await panes()).map(({ role }) => role)).toEqual(['']);
  const nothing = await copane(['down'], root);
  expect([nothing.code, nothing.stderr]).toEqual([4, expect.stringContaining('copane up')]);
});

test('up brings back what was closed: the companion after q, the AI CLI after its end, its pane after both', async () => {
  const ai = path.join(root, 'claude');
  writeFileSync(ai, '#!/bin/sh\necho "I am number $$"\nread -r line\n', { mode: 0o755 });
  await copane(['up', '--', ai]);
  const [first, companion] = await panes();
  await shows(companion?.id ?? '', 'Responses');
  await tmux('send-keys', '-t', companion?.id ?? '', 'q');
  await until('the AI alone', async () => (await panes()).length === 1);

  const back = await copane(['up', '--', ai]);
  expect([back.code, (await panes()).map(({ role }) => role)]).toEqual([0, ['ai', 'companion']]);

  await tmux('send-keys', '-t', first?.id ?? '', 'Enter');
  const ends = async () => said('display-message', '-p', '-t', first?.id ?? '', '#{pane_current_command}');
  await until('a shell in the place of the AI', async () => /^(?:ba|da|z)?sh$/.test(await ends()));
  await copane(['up', '--', 'sh', '-c', 'echo again; exec cat']);
  await shows(first?.id ?? '', 'again');

  await tmux('kill-pane', '-t', first?.id ?? '');
  await copane(['up', '--', 'sh', '-c', 'echo a third; exec cat']);
  const [third, stays] = await panes();
  expect([third?.role, stays?.role, (await panes()).length]).toEqual(['ai', 'companion', 2]);
  await shows(third?.id ?? '', 'a third');
  await shows(stays?.id ?? '', 'AI pane');
  await tmux('send-keys', '-t', stays?.id ?? '', 't');
  await shows(stays?.id ?? '', 'followed');
});

test('in 80×24 both panes are usable; in less the companion has a separate window', async () => {
  for (const [rows, heights] of [
    [24, [10, 12]],
    [18, [17, 17]],
  ] as const) {
    const program = startInPty([COPANE, 'up', '--', 'cat'], {
      columns: 80,
      rows,
      env: { ...env, PWD: project },
      cwd: project,
    });
    try {
      await until('both panes', async () => (await panes()).length === 2, {
        timeoutMs: 30_000,
        show: () => program.screen().join('\n'),
      });
      const listed = await said('list-panes', '-s', '-t', '=copane-my_project', '-F', '#{pane_height}');
      // A window that nobody has seen yet may have a row less or more: that of the status line.
      for (const [at, height] of listed.split('\n').entries())
        expect(Number(height)).toBeGreaterThanOrEqual(heights[at] ?? 0);
    } finally {
      await tmux('kill-server');
      program.kill();
    }
  }
});

test.each([
  [90, 'below the AI pane in a narrow terminal'],
  [160, 'beside it in a wide one'],
])('at %i columns, up makes room for a companion that became too narrow: %s', async (columns) => {
  await copane(['up', '--', 'cat']);
  const [, { id = '' } = {}] = await panes();
  await shows(id, 'Responses');
  await tmux('resize-pane', '-t', id, '-x', '27');
  const pid = await said('display-message', '-p', '-t', id, '#{pane_pid}');
  const program = startInPty([COPANE, 'up'], {
    columns,
    rows: 40,
    env: { ...env, PWD: project },
    cwd: project,
  });
  try {
    const clients = () => said('list-clients', '-F', '#{client_control_mode}');
    await until('an attached terminal', async () => (await clients()).includes('0'), {
      timeoutMs: 30_000,
      show: () => program.screen().join('\n'),
    });
    const [ai, companion] = await panes();
    expect(companion).toMatchObject({ id, role: 'companion' });
    expect(companion?.columns).toBeGreaterThanOrEqual(40);
    expect(ai?.columns).toBeGreaterThanOrEqual(80);
    expect((companion?.top ?? 0) > 0).toBe(columns === 90);
    expect(await said('display-message', '-p', '-t', id, '#{pane_pid}')).toBe(pid);
    await shows(id, 'Responses');
  } finally {
    await tmux('kill-server');
    program.kill();
  }
});

test('inside tmux: no nested session, this pane becomes the AI and the companion opens beside it', async () => {
  writeFileSync(path.join(root, 'ai'), '#!/bin/sh\necho "I am the AI"\nexec cat\n', { mode: 0o755 });
  await tmux('new-session', '-d', '-s', 'mine', '-x', '160', '-y', '40', '-c', project, 'sh');
  await tmux('send-keys', '-t', 'mine', `${COPANE} up -- ${path.join(root, 'ai')}`, 'Enter');
  await until('the companion', async () => (await panes('mine')).some(({ role }) => role === 'companion'), {
    timeoutMs: 30_000,
    intervalMs: 100,
  });
  const [ai, companion] = await panes('mine');
  await shows(ai?.id ?? '', 'I am the AI');
  await shows(companion?.id ?? '', 'Responses');
  // A program there reads its terminal as from a shell.
  await tmux('send-keys', '-t', ai?.id ?? '', 'hello', 'Enter');
  await shows(ai?.id ?? '', 'hello\nhello');
  expect((await said('list-sessions', '-F', '#{session_name}')).split('\n')).toEqual(['mine']);
});

test('the split opens beside the AI pane of this window', async () => {
  await tmux('new-session', '-d', '-s', 'mine', '-x', '160', '-y', '40', '-c', project, 'cat');
  const ai = await said('display-message', '-p', '-t', 'mine', '#{pane_id}');
  await tmux('set-option', '-p', '-t', ai, '@copane_role', 'ai');
  await tmux('split-window', '-t', 'mine', '-c', project, 'sh');
  await tmux('send-keys', '-t', 'mine', COPANE, 'Enter');
  await until('the companion', async () => (await panes('mine')).some(({ role }) => role === 'companion'), {
    timeoutMs: 30_000,
    intervalMs: 100,
  });
  const companion = (await panes('mine')).find(({ role }) => role === 'companion');
  expect(companion?.top).toBe(0);

  await tmux('new-window', '-t', 'mine', '-c', project, 'sh');
  await tmux('send-keys', '-t', 'mine', COPANE, 'Enter');
  const second = await until('a companion in the second window', async () => {
    const format = '#{pane_id} #{@copane_made}';
    const listed = await said('list-panes', '-t', 'mine', '-F', format);
    return /^(%\d+) companion$/m.exec(listed)?.[1];
  });
  await shows(second, 'AI pane');
  expect(await said('display-message', '-p', '-t', second, '#{pane_current_command}')).toBe('copane');
});

test('names a missing program before anything is opened', async () => {
  const up = await copane(['up', '--', 'no-such-ai']);
  expect([up.code, up.stderr]).toEqual([4, expect.stringContaining('no program "no-such-ai"')]);
  expect((await tmux('list-sessions')).code).toBe(1);
});

test('as a popup: the AI keeps the window; the companion is over it, closes with q, and a key reopens it', async () => {
  const ai = ['sh', '-c', 'echo I am the AI; exec cat'];
  const program = startInPty([COPANE, 'up', '--popup', '--', ...ai], {
    columns: 120,
    rows: 36,
    env: { ...env, PWD: project },
    cwd: project,
  });
  const isOver = (screen: string) => screen.includes('┌') && screen.includes('1 Responses');
  try {
    await program.until('the companion', isOver);
    expect((await panes()).map(({ columns, role }) => [columns, role])).toEqual([[120, 'ai']]);
    program.type('q');
    await program.until('the AI alone', (screen) => screen.includes('I am the AI') && !screen.includes('┌'));
    await tmux('bind-key', '-n', 'F5', 'run-shell', '-b', `${COPANE} split --popup`);
    program.type('\u001b[15~');
    await program.until('the companion again', isOver);
  } finally {
    await tmux('kill-server');
    program.kill();
  }
});

test('as a popup inside tmux: no second pane', async () => {
  const program = startInPty(
    ['tmux', '-u', '-f', '/dev/null', 'new-session', '-s', 'mine', '-c', project, 'sh'],
    {
      columns: 120,
      rows: 36,
      env,
      cwd: project,
    },
  );
  try {
    await until('the shell', async () => (await said('list-panes', '-t', 'mine')) !== '', {
      timeoutMs: 10_000,
    });
    program.type(`${COPANE} up --popup -- cat\r`);
    await program.until('the companion', (screen) => screen.includes('1 Responses'));
    const [here, ...others] = await panes('mine');
    expect([here?.columns, others]).toEqual([120, []]);
    await until(
      'the AI below it',
      async () => (await said('display-message', '-p', '-t', 'mine', '#{pane_current_command}')) === 'cat',
    );
  } finally {
    await tmux('kill-server');
    program.kill();
  }
});
