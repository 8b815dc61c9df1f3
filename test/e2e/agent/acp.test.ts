/** Jobs of an agent that speaks ACP: it works in a copy, its changes are proposed, and the project stays unchanged. */

import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAcpLoop } from '../../../src/agent/acp/acp-loop.ts';
import { isAlive } from '../../../src/platform/process-state.ts';
import { run } from '../../../src/platform/run.ts';
import { secretRule } from '../../../src/review/core/secret-files.ts';
import { runLoop } from '../../helpers/agent-loop.ts';
import { COPANE } from '../../helpers/companion-pane.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { until } from '../../helpers/until.ts';

const AGENT = path.resolve(import.meta.dirname, '../../helpers/acp-agent.ts');
const NOTE = 'one\ntwo\nthree\n';

let home = '';
let notes = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-acp-')));
  notes = path.join(home, 'notes');
  mkdirSync(notes);
  writeFileSync(path.join(notes, 'a.md'), NOTE);
  writeFileSync(path.join(notes, 'gone.md'), 'gone\n');
  writeFileSync(path.join(notes, '.gitignore'), '*.log\n');
  configure([process.execPath, AGENT]);
});
afterEach(() => removeTree(home));

function configure(agent_acp_command: readonly string[] | null): void {
  const folder = path.join(home, '.config/copane');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'config.jsonc'), JSON.stringify({ agent_mode: 'acp', agent_acp_command }));
}

async function copane(args: readonly string[], input = '') {
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const done = await run(COPANE, args, { cwd: notes, env, timeoutMs: 40_000, input });
  return { code: done.code, out: done.stdout.toString(), err: done.stderr.toString() };
}
const runJob = (...words: readonly string[]) => copane(['agent', 'run', '--json', ...words]);
const copies = () => path.join(home, '.local/state/copane/agent-copies');
const nothingIsLeft = () => until('the copy is gone', () => readdirSync(copies()).length === 0);

it('proposes what the agent changed in its copy; only the decision changes the project', async () => {
  const ran = await runJob('edit', 'more');
  expect(ran, ran.err).toMatchObject({ code: 0 });
  const job = JSON.parse(ran.out);
  expect(job).toMatchObject({ status: 'awaiting_review' });
  // The copy's path must not show.
  expect(job.message).toBe(
    `I changed ${path.join(notes, 'a.md')}.\n\nNot proposed: picture.bin is not UTF-8 text.`,
  );
  const files = job.diff_bundle.files.map((file: { file_path: string; change: string; hunks: unknown[] }) => [
    file.file_path,
    file.change,
    file.hunks.length,
  ]);
  expect(files.sort()).toEqual([
    ['a.md', 'modify', 2],
    ['gone.md', 'delete', 1],
    ['new.md', 'create', 1],
  ]);
  expect(readdirSync(notes).sort()).toEqual(['.gitignore', 'a.md', 'gone.md']);
  expect(readFileSync(path.join(notes, 'a.md'), 'utf8')).toBe(NOTE);
  await nothingIsLeft();
  expect(await copane(['agent', 'apply', '--all', job.id])).toMatchObject({ code: 0 });
  expect(readFileSync(path.join(notes, 'a.md'), 'utf8')).toBe('ONE\ntwo\nTHREE\n');
  expect([existsSync(path.join(notes, 'gone.md')), existsSync(path.join(notes, 'new.md'))]).toEqual([
    false,
    true,
  ]);
  const traced = await copane(['trace', job.id]);
  expect(traced.out).toContain('scripted 1.2: agent_mode is acp');
  expect(traced.out).toContain(`Write ${path.join(notes, 'a.md')}`);
  expect(traced.out).toContain('tool.call.completed');
});

it.each([
  ['command', 'It was not allowed.'],
  ['outside', 'Not outside.'],
])(
  'asks the user before it leaves its copy: %s',
  async (word, said) => {
    const ran = await runJob(word);
    expect(ran.code, ran.err).toBe(0);
    const job = JSON.parse(ran.out);
    expect(job).toMatchObject({ status: 'waiting_for_user' });
    const answered = await copane(['agent', 'clarify', '--json', job.id, 'no']);
    expect(JSON.parse(answered.out).message ?? answered.err).toBe(said);
  },
  60_000,
);

it.each([
  [['crash'], 'provider', 'exit code 3: out of cheese'],
  [['refuse'], 'provider', 'The agent refused.'],
])(
  'says why it failed: %j',
  async (words, code, message) => {
    const ran = await runJob(...words);
    const { status, error } = JSON.parse(ran.out);
    expect([status, error.code]).toEqual(['failed', code]);
    expect(error.message).toContain(message);
    await nothingIsLeft();
  },
  60_000,
);

it.each([
  [null, 'not_configured', 'agent_acp_command'],
  [['no-such-agent', '--acp'], 'not_configured', 'no program "no-such-agent"'],
  [[process.execPath, AGENT, '--login'], 'unauthorized', 'needs a login'],
  [[process.execPath, '-e', 'console.log("hello")'], 'provider', 'failed to start'],
])(
  'says what is wrong with the configuration: %j',
  async (command, code, words) => {
    configure(command);
    const ran = await runJob('edit');
    const { status, error } = JSON.parse(ran.out);
    expect([status, error.code]).toEqual(['failed', code]);
    expect(`${error.message} ${error.hint}`).toContain(words);
  },
  60_000,
);

it('lets nothing that an agent says wrongly reach the terminal', async () => {
  configure([
    process.execPath,
    path.resolve(import.meta.dirname, '../../helpers/bad-acp-agent.ts'),
    'stray answers',
  ]);
  const ran = await runJob('edit');
  expect(ran.code, ran.err).toBe(0);
  expect(ran.err).not.toMatch(/\u001b|stray|response to|nvalid message/);
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'ends by %s with its exit code, and leaves no copy',
  async (signal) => {
    configure([
      process.execPath,
      path.resolve(import.meta.dirname, '../../helpers/bad-acp-agent.ts'),
      'silent',
    ]);
    const env = { PATH: process.env.PATH ?? '', HOME: home };
    const child = spawn(COPANE, ['agent', 'run', 'edit'], {
      cwd: notes,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exit = new Promise((resolve) => child.once('exit', resolve));
    let said = '';
    child.stderr.on('data', (text) => {
      said += String(text);
    });
    await until('the job runs', () => said.includes('job.started'));
    child.kill(signal);
    expect(await exit, said).toBe(128 + os.constants.signals[signal]);
    await nothingIsLeft();
  },
);

it('ends at once when cancelled, and leaves neither process nor copy', async () => {
  const pidFile = path.join(home, 'pid');
  const abort = new AbortController();
  const ran = runLoop({
    root: notes,
    loop: createAcpLoop({
      command: () => [process.execPath, AGENT],
      env: { ...process.env, AGENT_PID_FILE: pidFile },
      home: copies(),
      skipIgnored: () => true,
      isSecret: () => secretRule([]),
      now: Date.now,
    }),
    input: { mode: 'acp', instruction: 'hang' },
    deps: {
      signal: abort.signal,
      emit: ({ type }) => {
        if (type === 'provider.selected') setImmediate(() => abort.abort());
      },
    },
  });
  expect((await ran).outcome).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  await nothingIsLeft();
  await until('the agent has ended', () => !isAlive(Number(readFileSync(pidFile, 'utf8'))));
});

it.each([
  ['go ahead', /^I changed \S+a\.md\.$/],
  ['think again', /^Second thoughts\.$/],
])('asks before it proposes, if configured, and follows the answer: %s', async (answer, message) => {
  const ran = await runLoop({
    root: notes,
    loop: createAcpLoop({
      command: () => [process.execPath, AGENT],
      env: process.env,
      home: copies(),
      skipIgnored: () => true,
      isSecret: () => secretRule([]),
      now: Date.now,
    }),
    input: { mode: 'acp', instruction: 'edit', confirmBeforeEdits: true },
    answers: [answer],
  });
  expect(ran.asked).toHaveLength(1);
  expect(ran.asked[0]).toContain('Propose the changes in a.md?');
  expect(ran.outcome).toMatchObject({ ok: true, value: { message: expect.stringMatching(message) } });
});
