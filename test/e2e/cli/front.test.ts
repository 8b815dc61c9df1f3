/**
 * What a host runs for `bin/copane` gives the same bytes as a separate Node. COPANE_NODE names a program that fails:
 * any answer with it came from the host.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processState } from '../../../src/platform/process-state.ts';
import { run } from '../../../src/platform/run.ts';
import { COPANE, CompanionPane, copaneEnv } from '../../helpers/companion-pane.ts';
import { PrivateTmux } from '../../helpers/private-tmux.ts';
import { PRODUCT } from '../../helpers/product.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { freePort, ServeProcess } from '../../helpers/serve-process.ts';
import { until } from '../../helpers/until.ts';

const NODE_OF_OURS = path.join(PRODUCT, 'dist/copane.js');
const NO_NODE = { COPANE_NODE: '/bin/false' };

/** What could trip a shell: escapes, formats, our own marks, bytes that dash uses internally, a lone escape. */
const ANSWER = [
  String.raw`a \n \\ \c \0101 %s %d $HOME $(id) "'`,
  '  x0',
  'o e x200',
  '日本 \u2041\u2042\u2048 \u0081 é 😀',
  '',
  '*',
  'end',
];

let root = '';
let project = '';
let tmux: PrivateTmux;
let env: Record<string, string> = {};
let suggestion = '';
let hunk = '';

interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function say(
  program: string,
  argv: readonly string[],
  more: Record<string, string> = {},
): Promise<Said> {
  const { PWD: cwd = project, ...rest } = more;
  const { code, stdout, stderr } = await run(program, argv, { env: { ...env, ...rest }, cwd });
  return { code, out: stdout.toString('latin1'), err: stderr };
}

const byNode = (argv: readonly string[], more = {}) => say(process.execPath, [NODE_OF_OURS, ...argv], more);
const byHost = (argv: readonly string[], more = {}) => say(COPANE, argv, { ...more, ...NO_NODE });

beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-front-'));
  project = path.join(root, 'project');
  mkdirSync(project);
  const answered = path.join(root, 'answered');
  writeFileSync(
    answered,
    ['### PROMPT 2026-01-02 03:04:05', '', 'q', '', '### END PROMPT', ...ANSWER, ''].join('\n'),
  );
  writeFileSync(path.join(project, 'f'), 'one\ntwo\n');
  const patch = path.join(root, 'p.diff');
  writeFileSync(patch, '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-one\n+eins\n two\n');
  const place = { root, project };
  const base = copaneEnv(place);
  mkdirSync(path.join(root, 'config/copane'), { recursive: true });
  writeFileSync(path.join(root, 'config/copane/config.jsonc'), '{"tcp": false}');
  tmux = new PrivateTmux();
  await tmux.start({
    argv: ['sh', '-c', `cat ${answered}; exec cat`],
    env: base,
    cwd: project,
    size: { columns: 80, rows: 24 },
  });
  await tmux.run(['set-option', '-p', '-t', tmux.pane, '@copane_role', 'ai']);
  await CompanionPane.open(tmux, place);
  const shown = await tmux.run(['display-message', '-p', '#{socket_path},#{pid},0']);
  env = { ...base, TMUX: shown.stdout.toString('utf8').trim() };
  await until('a host', async () => JSON.parse((await byNode(['status', '--json'])).out).host);
  const published = await byNode(['publish', '--patch', patch, '--target', project, '--json']);
  const { suggestion_id: id, hunks } = JSON.parse(published.out);
  suggestion = id;
  hunk = hunks[0].hunk_id ?? hunks[0].id;
});
afterAll(async () => {
  await tmux.kill();
  removeTree(root);
});

describe('a host answers as a Node does', () => {
  it.each([
    ['status'],
    ['status --json'],
    ['status --tmux'],
    ['status --nothing'],
    ['pull'],
    ['pull --pane %0'],
    ['pull --pane %0 --json'],
    ['pull --pane %0 --all'],
    ['pull --pane %0 -r 1:4'],
    ['pull --pane %0 -n 7'],
    ['pull --pane %0 -n 0'],
    ['pull --pane %0 --source transcript'],
    ['pull --pane %0 --selection'],
    ['pull --pane %99'],
    ['pull --pane ../x'],
    ['pull --session nobody'],
    ['decide'],
    ['decide nothing all accept'],
    ['decide SUGGESTION nothing accept'],
    ['decide SUGGESTION nothing accept --json'],
    ['decide SUGGESTION HUNK perhaps'],
    ['decide SUGGESTION HUNK accept --lines x'],
    ['decide SUGGESTION HUNK accept --revision 99'],
  ])('copane %s', async (line) => {
    const argv = line.replace('SUGGESTION', suggestion).replace('HUNK', hunk).split(' ');
    expect(await byHost(argv)).toEqual(await byNode(argv));
  });

  it.each<Record<string, string>>([
    { NO_COLOR: '1' },
    { FORCE_COLOR: '3', TERM: 'xterm-256color' },
    { COLUMNS: '20' },
    { LANG: 'C', LC_ALL: 'C' },
    { PWD: '/' },
    { AI_PANE: '%0' },
    { AI_PANE: '%7' },
    { TMUX: '' },
    { TMUX: '/nowhere/tmux,1,0' },
    { XDG_STATE_HOME: '/tmp/nowhere' },
    { BASH_ENV: '/dev/null', IFS: 'opx', ENV: '/dev/null' },
  ])('with %j', async (more) => {
    for (const argv of [['status', '--json'], ['pull']])
      expect(await byHost(argv, more)).toEqual(await byNode(argv, more));
  });

  it('decides', async () => {
    const argv = ['decide', suggestion, hunk, 'accept', '--comment', String.raw`it's \n "fine" – ja`];
    const first = await byHost(argv);
    expect(first.code).toBe(0);
    expect(await byNode(['undo', suggestion, hunk])).toMatchObject({ code: 0 });
    expect(await byNode(argv)).toEqual(first);
    const again = ['decide', suggestion, hunk, 'reject', '--json'];
    expect(await byHost(again)).toEqual(await byNode(again));
  });
});

it.each([['pull --help'], ['status -h'], ['decide a b modify --text -'], ['suggestions'], ['']])(
  'leaves "copane %s" to a Node',
  async (line) => {
    expect(await byHost(line.split(' '))).toMatchObject({ code: 1, out: '' });
  },
);

it('only the host tells it what to run', async () => {
  const socket = path.join(root, 'run/copane/host.sock');
  const curl = async (...argv: readonly string[]) => {
    const words = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '--unix-socket', socket, ...argv];
    return (await say('curl', words)).out;
  };
  expect(await curl('-d', '', `http://localhost/front?pid=${process.pid}`)).toBe('409');
  expect(await curl('-d', '', 'http://localhost/front?pid=1')).toBe('409');
  expect(await curl('-d', '', 'http://localhost/front?pid=-1%2F..')).toBe('409');
  expect(await curl(`http://localhost/front?pid=${process.pid}`)).toBe('404');
  expect(await curl('-d', '', '-H', 'Origin: http://a.example', 'http://localhost/front?pid=1')).toBe('403');
});

it('ends quietly when its reader has gone', async () => {
  const all = `status=$( { "$0" pull --pane %0; echo $? >&3; } 3>&1 >/dev/full 2>/dev/null | cat ); echo "$status"`;
  expect((await say('/bin/sh', ['-c', all, COPANE], NO_NODE)).out).toBe('1\n');
  const gone = `{ sleep 0.3; "$0" pull --pane %0; echo $? >&2; } | true`;
  expect((await say('/bin/sh', ['-c', gone, COPANE], NO_NODE)).err).toBe('0\n');
});

it('falls back to a Node while the host is stopped, and uses the host again afterwards', async () => {
  const home = path.join(root, 'other');
  mkdirSync(home);
  // tmux would continue a stopped program in its panes.
  const serve = new ServeProcess({ home, port: await freePort() });
  await serve.says('Serving on');
  const pid = serve.child.pid ?? 0;
  const places = { HOME: home, XDG_STATE_HOME: '', XDG_RUNTIME_DIR: '', XDG_CONFIG_HOME: '' };
  const leads = expect.stringContaining(`leads with pid ${pid}`);
  try {
    expect(await byHost(['status'], places)).toMatchObject({ code: 0, out: leads });
    process.kill(pid, 'SIGSTOP');
    await until('the stop', async () => (await processState(pid)) === 'stopped');
    expect((await say(COPANE, ['status'], places)).out).toContain(`(pid ${pid}) is stopped`);
    process.kill(pid, 'SIGCONT');
    expect(await byHost(['status'], places)).toMatchObject({ code: 0, out: leads });
  } finally {
    await serve.kill();
  }
});
