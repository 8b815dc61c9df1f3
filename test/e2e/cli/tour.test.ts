/** The tour by keys, in a real tmux: the whole loop with a scripted AI, and a real review of a throw-away repository. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunOutcome, run } from '../../../src/platform/run.ts';
import { COPANE, copaneEnv } from '../../helpers/companion-pane.ts';
import { git } from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { until } from '../../helpers/until.ts';

let root = '';
let project = '';
let temporary = '';
let env: Record<string, string> = {};
let ai = '';
let companion = '';

beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-test-tour-'));
  project = path.join(root, 'project');
  temporary = path.join(root, 'tmp');
  for (const folder of [project, temporary, path.join(root, 'tmux')]) mkdirSync(folder);
  env = {
    ...copaneEnv({ root, project }),
    // The default socket of this folder is our own server.
    TMUX_TMPDIR: path.join(root, 'tmux'),
    TMPDIR: temporary,
    TERM: 'xterm-256color',
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  const up = await run(COPANE, ['up'], { env, cwd: project, timeoutMs: 60_000 });
  expect([up.code, up.stderr]).toEqual([0, expect.stringContaining('No AI CLI is installed')]);
  await tmux('resize-window', '-t', '=copane-project', '-x', '180', '-y', '50');
  const listed = await tmux('list-panes', '-s', '-t', '=copane-project', '-F', '#{pane_id}');
  [ai = '', companion = ''] = listed.stdout.toString().trim().split('\n');
});

afterAll(async () => {
  await tmux('kill-server');
  removeTree(root);
});

function tmux(...args: string[]): Promise<RunOutcome> {
  return run('tmux', ['-u', '-f', '/dev/null', ...args], { env });
}

const keys = (pane: string, ...names: string[]) => tmux('send-keys', '-t', pane, ...names);
const type = (pane: string, text: string) => tmux('send-keys', '-l', '-t', pane, '--', text);

function shows(pane: string, wanted: RegExp): Promise<string> {
  let last = '';
  return until(
    `${wanted} in ${pane === ai ? 'the AI pane' : 'the companion'}`,
    async () => {
      last = (await tmux('capture-pane', '-p', '-S', '-200', '-t', pane)).stdout.toString('utf8');
      return wanted.test(last) ? last : null;
    },
    { timeoutMs: 45_000, intervalMs: 100, show: () => last },
  );
}

test('ask, pull, answer with a note, review the changes, and leave nothing behind', async () => {
  await shows(ai, /SCRIPTED AI[\s\S]*Next: type a question here/);
  await shows(companion, /Responses/);
  await type(ai, 'why is the last line lost?');
  await keys(ai, 'Enter');
  await shows(ai, /then `s` to see exactly what would be sent/);

  const screen = await shows(companion, /parser loses the last line/);
  expect(screen).toMatch(/tour ● idle/);
  expect(screen).not.toMatch(/state unknown|screen /);
  await shows(ai, /Next: press Ctrl\+b, then o:/);
  await keys(companion, 'Enter');
  await shows(companion, /v select/);
  await keys(companion, 'o');
  await shows(companion, /INSERT/);
  await type(companion, 'and what about CRLF?');
  await keys(companion, 'Escape');
  await keys(companion, 's');
  await shows(companion, /This will be sent/);
  await keys(companion, 'Enter');

  const offered = await shows(ai, /I have published 2 hunks/);
  expect(offered).toMatch(/❯ and what about CRLF\?/);
  expect(offered).not.toContain('### ');
  await shows(ai, /Next: in the companion/);
  const [made = ''] = readdirSync(temporary).filter((name) => name.startsWith('copane-tour-'));
  const repository = path.join(temporary, made, 'parser');
  const base = readFileSync(path.join(repository, 'lines.ts'), 'utf8');
  const sandbox =
    git(repository, 'worktree', 'list', '--porcelain').match(/^worktree (.*\/tour)$/m)?.[1] ?? '';

  await keys(companion, '2');
  await shows(companion, /\[copane tour\]/);
  await keys(companion, 'Enter');
  const review = await shows(companion, /LineSplitter/);
  expect(review).toMatch(/a rename that nobody asked for/);
  await keys(companion, 'r');
  await shows(ai, /User rejected hunk in lines\.ts\. 1 hunk remaining/);
  // The message appears with the decision; the sandbox follows right after.
  const inSandbox = () => readFileSync(path.join(sandbox, 'lines.ts'), 'utf8');
  await until('the sandbox to follow', () => !inSandbox().includes('LineSplitter'), { show: inSandbox });
  expect(readFileSync(path.join(repository, 'lines.ts'), 'utf8')).toBe(base);
  await shows(companion, /this\.emit\(this\.rest\)/);
  await keys(companion, 'a');
  await shows(ai, /User accepted hunk in lines\.ts\. 0 hunks remaining/);
  await shows(companion, /Every hunk is decided/);
  expect(readFileSync(path.join(repository, 'lines.ts'), 'utf8')).toContain(
    "if (this.rest !== '') this.emit(this.rest)",
  );
  await keys(companion, 'Enter');
  await shows(companion, /Finish the review\?/);
  await keys(companion, 'y');
  await shows(ai, /The review is complete/);
  await shows(ai, /Ctrl\+D leaves the tour/);

  // The terminal is released at once, also by the leading companion.
  await tmux('kill-server');
  await until('everything of the tour to be gone', () => !existsSync(repository) && !existsSync(sandbox), {
    timeoutMs: 20_000,
  });
}, 180_000);
