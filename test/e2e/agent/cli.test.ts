/** `copane agent` and `copane trace` as people and scripts call them, alone and beside a running host. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { run } from '../../../src/platform/run.ts';
import { runCli } from '../../helpers/cli.ts';
import { COPANE } from '../../helpers/companion-pane.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import type { Script } from '../../helpers/scripted-model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../helpers/scripted-model/server.ts';
import { freePort, ServeProcess } from '../../helpers/serve-process.ts';

const NOTE = 'one\ntwo\nthree\n';
const call = (name: string, input: Readonly<Record<string, unknown>>) => ({ name, input });
const edit = (line: number, text: string) => ({
  file_path: 'a.md',
  operation: 'replace',
  start_line: line,
  end_line: line,
  new_text: text,
});
const READ = { tools: [call('read_file', { file_path: 'a.md' })] };
const SCRIPT: Script = {
  turns: [
    {
      when: 'Capitals',
      replies: [
        READ,
        { text: 'Done.', tools: [call('propose_edits', { edits: [edit(1, 'ONE'), edit(3, 'THREE')] })] },
      ],
    },
    {
      when: 'Ask',
      replies: [
        { tools: [call('clarify_user', { question: 'Which word?' })] },
        READ,
        { text: 'So be it.', tools: [call('propose_edits', { edits: [edit(2, 'TWO')] })] },
      ],
    },
    { when: 'Talk', replies: [{ text: 'Nothing \u001b[31mto do.' }] },
  ],
};

/** The loop that asked ended with its process: the conversation keeps the answers, and the model continues. */
const ANSWERED: Script = {
  turns: [
    { replies: [READ, { text: 'So be it.', tools: [call('propose_edits', { edits: [edit(2, 'TWO')] })] }] },
  ],
};

let home = '';
let notes = '';
let model: ScriptedModel;
beforeEach(async () => {
  vi.stubEnv('TEST_KEY', 'k');
  model = await startScriptedModel(SCRIPT);
  home = mkdtempSync(path.join(os.tmpdir(), 'copane-agent-'));
  notes = path.join(home, 'notes');
  mkdirSync(notes);
  writeFileSync(path.join(notes, 'a.md'), NOTE);
  const config = path.join(home, '.config/copane');
  mkdirSync(config, { recursive: true });
  writeFileSync(
    path.join(config, 'config.jsonc'),
    JSON.stringify({
      agent_remote_url: `http://127.0.0.1:${model.port}/v1`,
      agent_remote_model: 'scripted',
      agent_remote_key: 'TEST_KEY',
    }),
  );
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await model.close();
  removeTree(home);
});

const env = () => ({ PATH: process.env.PATH ?? '', HOME: home, TEST_KEY: 'k' });
const copane = (...args: readonly string[]) => runCli(args, { cwd: notes, env: env() });
/** The same with the packed program. */
async function packed(...args: readonly string[]) {
  const done = await run(COPANE, [...args], { cwd: notes, env: env(), timeoutMs: 30_000 });
  return { code: done.code, out: done.stdout.toString(), err: done.stderr.toString() };
}
const disk = () => readFileSync(path.join(notes, 'a.md'), 'utf8');

describe('without a host', () => {
  it('runs, shows, applies, traces, undoes and saves, each command by itself', async () => {
    const ran = await copane('agent', 'run', '--json', 'Capitals', 'please');
    expect(ran).toMatchObject({ code: 0 });
    const job = JSON.parse(ran.out);
    expect(job).toMatchObject({ status: 'awaiting_review', message: 'Done.' });
    const shown = await copane('agent', 'show', job.id);
    expect(shown.out).toContain('-three\n+THREE');
    expect((await copane('agent', 'jobs')).out).toContain(`${job.id}  awaiting review  Capitals please`);
    const [first] = job.diff_bundle.files[0].hunks;
    expect(await copane('agent', 'apply', job.id)).toMatchObject({ code: 2 });
    expect(await copane('agent', 'apply', job.id, 'nothing')).toMatchObject({ code: 4 });
    expect(disk()).toBe(NOTE);
    expect(await copane('agent', 'apply', job.id, first.hunk_id)).toMatchObject({
      code: 0,
      out: 'a.md  1 hunk, 1 rejected\n',
    });
    expect(disk()).toBe('ONE\ntwo\nthree\n');
    const traced = await copane('trace', job.id);
    for (const type of [
      'job.started',
      'provider.selected',
      'tool.call.completed',
      'edits.proposed',
      'apply.completed',
    ])
      expect(traced.out).toContain(type);
    expect(
      (await copane('agent', 'trace', job.id, '--json')).out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).cursor)[0],
    ).toBe(1);
    const preview = await copane('agent', 'rollback', job.id);
    expect(preview).toMatchObject({ code: 0 });
    expect(preview.out).toContain('-ONE\n+one');
    expect(preview.err).toContain('This was a preview');
    expect(await copane('agent', 'rollback', job.id, '--yes')).toMatchObject({ code: 0 });
    expect(disk()).toBe('ONE\ntwo\nthree\n');
    expect(await copane('agent', 'save')).toMatchObject({ code: 0 });
    expect(disk()).toBe(NOTE);
    const listed = (await copane('agent', 'checkpoints')).out.trim().split('\n');
    expect(listed).toEqual([
      expect.stringMatching(/^ckpt_\S+ {2}\S+ {2}before a rollback {2}a\.md$/),
      expect.stringContaining(`before ${job.id}`),
    ]);
    expect(await copane('agent', 'forget', job.checkpoint_id)).toMatchObject({ code: 0 });
    expect(await copane('agent', 'diff3', job.checkpoint_id, 'a.md')).toMatchObject({ code: 4 });
  });

  it('reads a long file with its outline', async () => {
    const functions = Array.from({ length: 900 }, (_, i) => `export function f${i}() {\n  return ${i};\n}\n`);
    writeFileSync(path.join(notes, 'long.ts'), functions.join(''));
    model.setScript({
      turns: [
        { replies: [{ tools: [call('read_file', { file_path: 'long.ts' })] }, { text: 'It is long.' }] },
      ],
    });
    expect(await copane('agent', 'run', 'How long is it?')).toMatchObject({ code: 0 });
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('export f890: [2671-2673]');
  });

  it('a conflict exits with 3 and writes nothing', async () => {
    const job = JSON.parse((await copane('agent', 'run', '--json', 'Capitals')).out);
    writeFileSync(path.join(notes, 'a.md'), 'mine\n');
    const applied = await copane('agent', 'apply', job.id, '--all');
    expect(applied).toMatchObject({ code: 3 });
    expect(applied.err).toContain('a.md: the file on disk has changed');
    expect(disk()).toBe('mine\n');
  });

  it('and is merged and resolved by hand', async () => {
    const job = JSON.parse((await copane('agent', 'run', '--json', 'Capitals')).out);
    writeFileSync(path.join(notes, 'a.md'), 'one\ntwo\nmy three\n');
    const suggestion = job.diff_bundle.suggestion_id;
    expect(await copane('decide', suggestion, 'all', 'accept')).toMatchObject({ code: 0 });
    expect((await copane('agent', 'working')).out).toMatch(/^a\.md {2}unsaved {2}! /);
    expect(await copane('agent', 'merge', 'a.md')).toMatchObject({ code: 3 });
    expect((await copane('agent', 'working', 'a.md')).out).toBe('ONE\ntwo\nmy three\n');
    expect(await copane('agent', 'save')).toMatchObject({ code: 3 });
    writeFileSync(path.join(home, 'mine'), 'ONE\ntwo\nMY THREE\n');
    expect((await copane('agent', 'edit', 'a.md', path.join(home, 'mine'))).err).toContain('1 hunk rejected');
    expect(await copane('agent', 'save')).toMatchObject({ code: 0 });
    expect(disk()).toBe('ONE\ntwo\nMY THREE\n');
  });

  it('saves what any session of the project has decided, and says when there is nothing to save', async () => {
    writeFileSync(path.join(notes, 'b.md'), NOTE);
    const first = JSON.parse((await copane('agent', 'run', '--json', 'Capitals')).out);
    expect(await copane('agent', 'apply', first.id, '--all')).toMatchObject({ code: 0 });
    expect(await copane('agent', 'rollback', first.id, '--yes')).toMatchObject({ code: 0 });
    // Another session has been used since.
    expect(await copane('agent', 'run', 'Talk')).toMatchObject({ code: 0 });
    expect(await copane('agent', 'save')).toMatchObject({ code: 0, out: 'a.md  0 hunks, 2 rejected\n' });
    expect(disk()).toBe(NOTE);
    expect(await copane('agent', 'save')).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('Nothing to save'),
    });
  });

  it('without a terminal, a question waits for "clarify"', async () => {
    const asked = await copane('agent', 'run', 'Ask', 'me');
    expect(asked).toMatchObject({ code: 0 });
    expect(asked.err).toContain('The model asks: Which word?');
    const id = /job_[\w-]+/.exec(asked.out)?.[0] ?? '';
    model.setScript(ANSWERED);
    const answered = await copane('agent', 'clarify', id, 'the', 'second');
    expect(answered).toMatchObject({ code: 0 });
    expect(answered.out).toContain('+TWO');
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('the second');
  });

  it('says what is wrong, safely for a terminal', async () => {
    expect((await copane('agent', 'run', 'Talk')).out).not.toContain('\u001b');
    expect(await copane('agent', 'run', '--detach', 'Talk')).toMatchObject({ code: 3 });
    expect(await copane('agent', 'run', '--root', '/not/there', 'Talk')).toMatchObject({ code: 4 });
    expect(await copane('agent', 'run', '--context', 'no-such-file', 'Talk')).toMatchObject({ code: 2 });
    expect(await copane('agent', 'run')).toMatchObject({ code: 2 });
    expect(await copane('agent', 'run', ' ')).toMatchObject({
      code: 2,
      err: expect.stringContaining('copane: The instruction is empty.\n  Say what to do'),
    });
    expect((await copane('agent', 'show', '')).err).toContain('"job_id" must not be empty.');
    expect(await copane('agent', 'show', 'job_no')).toMatchObject({ code: 4 });
    expect(await copane('trace', 'job_no')).toMatchObject({ code: 4 });
    expect(await copane('agent', 'rollback', 'ckpt_no')).toMatchObject({ code: 4 });
    expect(await copane('agent', 'save')).toMatchObject({ code: 0 });
  });
});

describe('beside another run', () => {
  const slow = (ms: number) => [{ text: 'Slowly.', firstDelayMs: ms }];
  const start = (...words: readonly string[]) => {
    const child = spawn(COPANE, ['agent', 'run', ...words], { cwd: notes, env: env() });
    const done = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { child, done: done.then(([out, err, [code]]) => ({ out, err, code })) };
  };
  const asked = (count: number) => expect.poll(() => model.requests.length).toBe(count);

  it('its job ends as usual, though the process that runs it has finished its own', async () => {
    model.setScript({
      turns: [
        { when: 'first', replies: slow(4_000) },
        { when: 'other', replies: slow(6_000) },
      ],
    });
    const first = start('first');
    await asked(1);
    const other = start('other');
    const [one, two] = await Promise.all([first.done, other.done]);
    expect(one).toMatchObject({ code: 0, err: expect.stringContaining('Waiting for what others run') });
    expect(two).toMatchObject({ code: 0, out: expect.stringContaining('Slowly.') });
    // It was asked once.
    expect(model.requests).toHaveLength(2);
  });

  it('its job starts again in the next host when the process that runs it is told to end', async () => {
    model.setScript({
      turns: [
        { when: 'first', replies: slow(60_000) },
        { when: 'other', replies: slow(60_000) },
      ],
    });
    const first = start('first');
    await asked(1);
    const other = start('other');
    await asked(2);
    // The answer must not come before the process has ended, however long that takes.
    model.setScript({ turns: [{ when: 'other', replies: slow(0) }] });
    first.child.kill('SIGTERM');
    const [one, two] = await Promise.all([first.done, other.done]);
    expect(one.code).toBe(143);
    expect(two).toMatchObject({
      code: 0,
      err: expect.stringContaining('started again'),
      out: expect.stringContaining('Slowly.'),
    });
    expect((await packed('agent', 'jobs')).out).toMatch(/failed \(cancelled\).*first/);
  });
});

describe('beside a host', () => {
  it('gives it the job, and the host may be killed at any time', async () => {
    const serve = new ServeProcess({ home, port: await freePort(), args: ['--tcp'], env: { TEST_KEY: 'k' } });
    await serve.says('suggestions on');
    const started = await packed('agent', 'run', '--detach', 'Ask', 'me');
    expect(started).toMatchObject({ code: 0 });
    const id = started.out.trim();
    await expect.poll(async () => (await packed('agent', 'jobs')).out).toContain('waiting for user');
    await serve.kill();
    model.setScript(ANSWERED);
    expect((await packed('agent', 'clarify', id, '--skip')).out).toContain('+TWO');
    expect(await packed('agent', 'apply', id, '--all')).toMatchObject({ code: 0 });
    expect(disk()).toBe('one\nTWO\nthree\n');
  });

  it('killed while a job runs: the job was interrupted, nothing is applied', async () => {
    model.setScript({ turns: [{ replies: [{ text: 'never', firstDelayMs: 60_000 }] }] });
    const serve = new ServeProcess({ home, port: await freePort(), args: ['--tcp'], env: { TEST_KEY: 'k' } });
    await serve.says('suggestions on');
    const id = (await packed('agent', 'run', '--detach', 'wait')).out.trim();
    await expect.poll(() => model.requests.length).toBeGreaterThan(0);
    await serve.kill();
    expect((await packed('agent', 'show', id)).out).toContain('failed (interrupted)');
    expect(disk()).toBe(NOTE);
  });
});
