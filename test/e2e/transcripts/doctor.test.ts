/** `copane doctor` beside a pane whose AI CLI left a session file that is only partly readable. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { COPANE, copaneEnv } from '../../helpers/companion-pane.ts';
import { PrivateTmux } from '../../helpers/private-tmux.ts';
import { removeTree } from '../../helpers/remove-tree.ts';

let root = '';
let session = '';
let tmux: PrivateTmux;

/** A program called claude that only waits, with one session in its folder. */
beforeEach(async () => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-doctor-')));
  const [home, project, program] = ['home', 'project', 'claude'].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(project);
  session = path.join(home, '.claude/projects', project.replace(/[^A-Za-z0-9-]/g, '-'), 's1.jsonl');
  mkdirSync(path.dirname(session), { recursive: true });
  copyFileSync('/bin/sleep', program);
  tmux = new PrivateTmux();
  await tmux.start({
    argv: [program, '600'],
    env: { PATH: '/usr/bin:/bin', HOME: home },
    cwd: project,
    size: { columns: 80, rows: 10 },
  });
});

afterEach(async () => {
  await tmux.kill();
  removeTree(root);
});

const GOOD = JSON.stringify({ type: 'user', uuid: 'u', parentUuid: null, message: { content: 'hello' } });

it.each([
  ['nothing', `${GOOD}\n`, 'ok', 's1.jsonl'],
  ['a line that is not JSON', `${GOOD}\n{"type":\n`, 'warn', 'a line is not JSON and was left out'],
  ['bytes', `${GOOD}\n\u0000\u0001\u0002\n`, 'warn', 'a line is not JSON and was left out'],
  [
    'a record of a kind that is unknown',
    `${GOOD}\n{"type":"hologram"}\n`,
    'warn',
    'unknown record type "hologram"',
  ],
])('a session file with %s is read and its problem named', async (_, text, status, words) => {
  writeFileSync(session, text);
  expect(await sessionFiles()).toMatchObject({ status, message: expect.stringContaining(words) });
});

it('an unreadable folder of sessions is named, and no answer is made up', async () => {
  const folder = path.dirname(session);
  rmSync(folder, { recursive: true });
  symlinkSync(folder, folder);
  expect(await sessionFiles()).toMatchObject({ status: 'warn', message: expect.stringContaining(folder) });
});

/** What `copane doctor` says about the session files. */
async function sessionFiles(): Promise<unknown> {
  const shown = await tmux.run(['display-message', '-p', '#{socket_path},#{pid},0']);
  const env = { ...copaneEnv({ root, project: root }), TMUX: shown.stdout.toString().trim(), TERM: 'xterm' };
  const { stdout } = spawnSync(COPANE, ['doctor', '--json'], { env, encoding: 'utf8' });
  const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; message: string }[] };
  return checks.find(({ name }) => name === 'session files');
}
