/** `copane eval` as people and CI call it: recordings, a drifted prompt, a live model. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { idleChecks } from '../../../evals/agent/judge.ts';
import { readTasks, readTrace } from '../../../evals/agent/task-files.ts';
import { run } from '../../../src/platform/run.ts';
import { COPANE } from '../../helpers/companion-pane.ts';
import { must } from '../../helpers/host-fakes.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { startScriptedModel } from '../../helpers/scripted-model/server.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../evals/agent');

let home = '';
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'copane-eval-test-'));
});
afterEach(() => removeTree(home));

async function evaluate(...args: readonly string[]) {
  const env = { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home };
  const done = await run(COPANE, ['eval', ...args], { cwd: home, env, timeoutMs: 120_000 });
  return { code: done.code, out: done.stdout.toString(), err: done.stderr };
}

it('has at least forty tasks, each recorded, each with checks that fail on the untouched files', async () => {
  const tasks = must(await readTasks(FOLDER));
  expect(tasks.length).toBeGreaterThanOrEqual(40);
  for (const task of tasks) {
    expect(idleChecks(task), task.name).toEqual([]);
    expect(must(await readTrace(FOLDER, task.name)).length, task.name).toBeGreaterThan(0);
  }
});

it('replays all of them, says that it is a replay, and leaves nothing behind', async () => {
  const done = await evaluate();
  expect(done).toMatchObject({ code: 0, err: expect.not.stringContaining('✗') });
  expect(done.out).toMatch(/\nreplay +\d+ +100 %/);
  expect(done.out).not.toMatch(/local|hybrid|remote/);
  expect(readdirSync(home).filter((name) => name.startsWith('copane-eval'))).toEqual([]);
});

it('a prompt that differs from the recorded one fails, and says where it differs', async () => {
  const folder = path.join(home, 'evals');
  cpSync(FOLDER, folder, { recursive: true });
  const file = path.join(folder, 'tasks/notes-checklist.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('Tick off', 'Untick'));
  const done = await evaluate('notes-checklist', 'code-off-by-one', '--folder', folder);
  expect(done.code).toBe(1);
  expect(done.err).toContain('✓ replay  code-off-by-one');
  expect(done.err).toContain('✗ replay  notes-checklist');
  expect(done.err).toMatch(/No recording has this request\. The nearest differs in line/);
  expect(done.out).toMatch(/\nreplay +2 +50 %/);
});

it('asks the configured models, and shows a row for each mode', async () => {
  const edits = [
    {
      file_path: 'count.py',
      operation: 'replace',
      start_line: 2,
      end_line: 2,
      new_text: '    for i in range(1, n + 1):\n',
    },
  ];
  const replies = [
    { tools: [{ name: 'read_file', input: { file_path: 'count.py' } }] },
    { text: 'Mended.', tools: [{ name: 'propose_edits', input: { edits } }] },
  ];
  // A local model has little room: it gets the file but no tool, and writes out the file.
  const written = 'count.py\n```\ndef count(n):\n    for i in range(1, n + 1):\n        print(i)\n```';
  const model = await startScriptedModel({
    withoutTools: true,
    turns: [
      { when: 'count.py\n```', replies: [{ text: written }] },
      { when: 'count.py', replies },
    ],
  });
  try {
    mkdirSync(path.join(home, '.config/copane'), { recursive: true });
    const url = `http://127.0.0.1:${model.port}/v1`;
    const config = {
      agent_local_url: url,
      agent_local_model: 'small',
      agent_remote_url: url,
      agent_remote_model: 'large',
    };
    writeFileSync(path.join(home, '.config/copane/config.jsonc'), JSON.stringify(config));
    const prices = ['--input-price', '3', '--output-price', '15'];
    const done = await evaluate(
      'code-off-by-one',
      '--mode',
      'local',
      '--mode',
      'remote',
      ...prices,
      '--json',
    );
    expect(done).toMatchObject({ code: 0 });
    const rows = JSON.parse(done.out);
    expect(rows.map((row: { metrics: unknown }) => row.metrics)).toMatchObject([
      { mode: 'local', succeeded: 1, callsPerSuccess: 0, costPerTask: null },
      { mode: 'remote', succeeded: 1, callsPerSuccess: 1, costPerTask: expect.any(Number) },
    ]);
  } finally {
    await model.close();
  }
});

it.each([
  [['no-such-task'], 4],
  [['--mode', 'magic'], 2],
  [['--record'], 2],
  [['--folder', '/not/there'], 4],
] as const)('%j exits with %i', async (args, code) => {
  expect((await evaluate(...args)).code).toBe(code);
});
