/** What the commands say when something is wrong: an exit code, a sentence, a next step, and nothing typed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunOutcome, run } from '../../../src/platform/run.ts';
import { COPANE, copaneEnv, PLAIN_AI } from '../../helpers/companion-pane.ts';
import { PrivateTmux } from '../../helpers/private-tmux.ts';
import { PRODUCT } from '../../helpers/product.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { until } from '../../helpers/until.ts';

const SIZE = { columns: 80, rows: 24 };

let root = '';
let project = '';
let tmux: PrivateTmux;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-cli-'));
  project = path.join(root, 'project');
  mkdirSync(project);
  tmux = new PrivateTmux();
});

afterEach(async () => {
  await tmux.kill();
  removeTree(root);
});

/** Starts a program in the AI pane and waits until its screen shows `ready`. */
async function start(argv: readonly string[], ready: RegExp): Promise<void> {
  const env = { ...copaneEnv({ root, project }), TERM: 'tmux-256color', PS1: '$ ' };
  await tmux.start({ argv, env, cwd: project, size: SIZE });
  await tmux.until(String(ready), (screen) => ready.test(screen));
}

/** Runs a command as if from another pane of the same server. */
async function copane(
  args: readonly string[],
  options: { input?: string; env?: Record<string, string> } = {},
): Promise<RunOutcome> {
  const socket = await tmux.run(['display-message', '-p', '#{socket_path},#{pid},0']);
  const env = {
    ...copaneEnv({ root, project }),
    TMUX: socket.stdout.toString('utf8').trim(),
    ...options.env,
  };
  return run(COPANE, args, {
    env,
    cwd: project,
    timeoutMs: 50_000,
    ...(options.input === undefined ? {} : { input: options.input }),
  });
}

const ECHO = ['sh', '-c', 'echo ready; exec cat'];

describe('send refuses, and types nothing', () => {
  interface Case {
    readonly name: string;
    readonly argv?: readonly string[];
    readonly ready?: RegExp;
    /** The program exits by itself; tmux does not always show that in the pane. */
    readonly dies?: boolean;
    readonly args?: readonly string[];
    readonly input?: string;
    readonly env?: (root: string) => Record<string, string>;
    readonly code: number;
    readonly says: RegExp;
  }

  const CASES: readonly Case[] = [
    { name: 'an empty prompt', input: '  \n\n', code: 2, says: /nothing to send/ },
    { name: 'a pane that does not exist', args: ['--pane', '%99'], code: 4, says: /no pane %99/ },
    { name: 'a shell', argv: ['sh', '-i'], ready: /\$/, code: 3, says: /shell/ },
    {
      name: 'a dead pane',
      argv: ['sh', '-c', 'echo ready'],
      ready: /ready|dead/,
      dies: true,
      code: 4,
      says: /dead|closed|ended/,
    },
    {
      name: 'a file that is not there',
      args: ['/nonexistent/prompt.md'],
      code: 2,
      says: /There is no file \/nonexistent\/prompt.md/,
    },
    {
      name: 'a line longer than a canonical terminal takes',
      input: 'x'.repeat(5000),
      code: 3,
      says: /4,?095|line/,
    },
    {
      name: 'a state folder that is a file',
      env: (dir) => {
        writeFileSync(path.join(dir, 'not-a-folder'), '');
        return { XDG_STATE_HOME: path.join(dir, 'not-a-folder') };
      },
      code: 3,
      says: /Nothing was sent, because the prompt cannot be recorded/,
    },
    { name: 'two pieces of work at once', args: ['--bogus'], code: 2, says: /Unknown option/ },
  ];

  test.each(CASES)(
    '$name',
    async ({
      argv = ECHO,
      ready = /ready/,
      dies = false,
      args = [],
      input = 'a prompt',
      env,
      code,
      says,
    }) => {
      await start(argv, ready);
      if (dies) await until('the end of the program', async () => (await tmux.facts()).dead);
      const before = await tmux.settled();
      const wantsPane = !args.includes('--pane');
      const file = args.some((arg) => arg.startsWith('/')) ? [] : ['-'];
      const outcome = await copane(['send', ...file, ...args, ...(wantsPane ? ['--pane', tmux.pane] : [])], {
        input,
        ...(env === undefined ? {} : { env: env(root) }),
      });
      expect(outcome.stderr).toMatch(says);
      expect(outcome.code).toBe(code);
      expect(await tmux.settled()).toBe(before);
    },
  );
});

describe('without tmux', () => {
  test('not installed', async () => {
    const env = { ...copaneEnv({ root, project }), PATH: path.dirname(process.execPath) };
    const outcome = await run('/bin/sh', [COPANE, 'send', '-'], { env, cwd: project, input: 'x' });
    expect(outcome.stderr).toMatch(/tmux is not installed[\s\S]*Install tmux/);
    expect(outcome.code).toBe(4);
  });

  test('no server', async () => {
    const env = { ...copaneEnv({ root, project }), TMUX_TMPDIR: root };
    const send = await run(COPANE, ['send', '-'], { env, cwd: project, input: 'x' });
    expect([send.code, send.stderr]).toEqual([4, expect.stringMatching(/No (tmux )?server/)]);
    const status = await run(COPANE, ['status'], { env, cwd: project });
    expect([status.code, status.stdout.toString('utf8')]).toEqual([0, expect.stringContaining('No AI pane')]);
  });
});

describe('a pane of a plain program', () => {
  beforeEach(() => start(PLAIN_AI, /SCRIPTED AI/));

  const arrived = () => tmux.until('the answer', (screen) => screen.includes('Answer 1 of the script'));

  test('pull without a marker says so; after a send it prints the answer', async () => {
    const nothing = await copane(['pull', '--pane', tmux.pane]);
    expect([nothing.code, nothing.stdout.length]).toEqual([4, 0]);
    expect(nothing.stderr).toMatch(/END PROMPT/);
    const sent = await copane(['send', '-', '--pane', tmux.pane, '--json'], { input: 'hello;\n' });
    expect(sent.stderr).toBe('');
    expect(JSON.parse(sent.stdout.toString('utf8'))).toMatchObject({ state: 'delivered', proof: 'marker' });
    await arrived();
    await tmux.settled();
    const pulled = await copane(['pull', '--pane', tmux.pane, '--json']);
    const { turns } = JSON.parse(pulled.stdout.toString('utf8'));
    expect(turns).toMatchObject([{ prompt: 'hello;', source: 'screen' }]);
    expect(turns[0].response).toMatch(/^The parser loses the last line/);
    expect(turns[0].response).not.toContain('### ');
    const beyond = await copane(['pull', '-n', '2', '--pane', tmux.pane]);
    expect([beyond.code, beyond.stderr]).toEqual([4, expect.stringContaining('there is 1 turn')]);
  });

  test('in a C locale, in copy mode, with escape sequences in the text', async () => {
    await tmux.run(['copy-mode', '-t', tmux.pane]);
    const input = 'a\u001b[201~\rb 漢字 🙂\u001b[31m';
    const sent = await copane(['send', '-', '--pane', tmux.pane], { input, env: { LC_ALL: 'C', LANG: 'C' } });
    expect([sent.code, sent.stderr]).toEqual([0, '']);
    await arrived();
    expect(await tmux.history()).toMatch(/a(\[201~)?\n\s+b 漢字 🙂/);
  });

  test('the names of existing set-ups', async () => {
    const sent = await run(path.join(PRODUCT, '../.bin/llm-send'), ['-', '--pane', tmux.pane], {
      env: {
        ...copaneEnv({ root, project }),
        TMUX: (await tmux.run(['display-message', '-p', '#{socket_path},1,0'])).stdout
          .toString('utf8')
          .trim(),
      },
      input: 'by its old name',
    });
    expect([sent.code, sent.stderr]).toEqual([0, '']);
    await arrived();
  });

  test('a config with a typo still applies, and doctor names the typo', async () => {
    const config = path.join(root, 'config/copane');
    mkdirSync(config, { recursive: true });
    writeFileSync(path.join(config, 'config.jsonc'), '{\n  // mine\n  "marker": "never",\n  "theme": 7\n}\n');
    const sent = await copane(['send', '-', '--pane', tmux.pane], { input: 'still works' });
    expect([sent.code, sent.stderr]).toEqual([0, '']);
    const doctor = await copane(['doctor']);
    const said = doctor.stdout.toString('utf8');
    expect(said).toMatch(/config\.jsonc:3:\d+: unknown key "marker"/);
    expect(said).toMatch(/markers/);
    expect(said).toMatch(/config\.jsonc:4:\d+: "theme"/);
  });
});

describe('append', () => {
  test('adds notes to the draft of the pane', async () => {
    await start(PLAIN_AI, /SCRIPTED AI/);
    const first = await copane(['append', 'one', 'thought', '--pane', tmux.pane, '--json']);
    expect(JSON.parse(first.stdout.toString('utf8'))).toMatchObject({ revision: 1, lines: 1 });
    // tmux does so by itself when another program comes to the foreground.
    await tmux.run(['rename-window', '-t', tmux.pane, 'another-name']);
    const second = await copane(['append', '--pane', tmux.pane, '--json'], { input: 'two\nlines\n' });
    expect(JSON.parse(second.stdout.toString('utf8'))).toMatchObject({ revision: 2, lines: 3 });
    const empty = await copane(['append', ' ', '--pane', tmux.pane]);
    expect(empty.code).toBe(2);
  });
});

test('a stopped companion is named, and nothing waits for it', async () => {
  await start(PLAIN_AI, /SCRIPTED AI/);
  const env = copaneEnv({ root, project });
  const leader = spawn(COPANE, ['serve'], { env, cwd: project, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    await once(leader.stderr, 'data');
    process.kill(leader.pid ?? 0, 'SIGSTOP');
    const sent = await copane(['send', '-', '--pane', tmux.pane], { input: 'hello' });
    expect([sent.code, sent.stderr]).toEqual([
      3,
      expect.stringContaining(`the leader is suspended (pid ${leader.pid})`),
    ]);
    const status = await copane(['status']);
    expect(status.stdout.toString('utf8')).toContain(`(pid ${leader.pid}) is stopped`);
  } finally {
    leader.kill('SIGKILL');
  }
});

test.each([
  [['puul'], 'copane: There is no command "puul". Did you mean "pull"?'],
  [['nonsense'], 'copane: There is no command "nonsense". "copane --help" lists them.'],
  [['pull', '-n', 'x'], 'It must be a whole number of at least 1.'],
  [
    ['send', 'hello'],
    'copane: There is no file hello\n  To pass the text itself, write - instead of the file and pipe it in.',
  ],
])('copane %j says what is wrong with it', async (args, words) => {
  const { code, stderr } = await run(COPANE, args, { env: copaneEnv({ root, project }), cwd: project });
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test('a companion that cannot store anything gives the terminal back and says why', async () => {
  const inTheWay = path.join(root, 'file');
  writeFileSync(inTheWay, '');
  const env = { ...copaneEnv({ root, project }), TERM: 'tmux-256color', XDG_STATE_HOME: inTheWay };
  await tmux.start({
    argv: ['sh', '-c', '"$0" tui; echo "left with $?"; sleep 60', COPANE],
    env,
    cwd: project,
    size: SIZE,
  });
  const screen = await tmux.until('the end', (shown) => shown.includes('left with'));
  // The pane wraps the sentence anywhere.
  expect(screen.replace(/\s/g, '')).toContain('cannotbeafolder:afilestandsinitsplace');
  expect(screen).toContain('left with 1');
  expect((await tmux.facts()).alternate).toBe(false);
});

test('a folder that was deleted below us is named, without a stack trace', async () => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" status';
  const env = copaneEnv({ root, project });
  const { code, stderr } = await run('sh', ['-c', script, COPANE], { env, cwd: project });
  expect([code, stderr]).toEqual([2, expect.stringContaining('copane: The current folder is gone.')]);
  expect(stderr).not.toContain('    at ');
});
