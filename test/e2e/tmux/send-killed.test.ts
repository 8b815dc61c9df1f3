/** The sender's process is killed at every moment of a send: the text is never lost and never typed twice. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import { type OutboxEntry, outboxEntrySchema } from '../../../src/protocol/outbox.ts';
import type { Moment } from '../../helpers/doomed-sender.ts';
import { testProgram } from '../../helpers/product.ts';
import { eventually, must, type Quirks, SendBench } from '../../helpers/tmux-sender.ts';

const TEXT = 'do not lose me\nnor double me';
const PASTED = `\u001b[200~${TEXT}\u001b[201~`;

let bench: SendBench | null = null;

afterEach(async () => {
  await bench?.close();
  bench = null;
});

/** Kills a sender at `moment`; returns what it left on disk. */
async function killAt(moment: Moment, quirks: Quirks = {}): Promise<{ b: SendBench; entry: OutboxEntry }> {
  const b = new SendBench();
  bench = b;
  await b.startComposer(quirks);
  const program = testProgram('doomed-sender');
  const outbox = b.file('outbox');
  const child = spawn(process.execPath, [program, b.server.socketName, b.server.pane, outbox, moment], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  const lines = (await readFile(outbox, 'utf8')).trim().split('\n');
  const entry = Object.assign({}, ...lines.map((line) => JSON.parse(line)));
  return { b, entry: outboxEntrySchema.parse(entry) };
}

async function resume(b: SendBench, entry: OutboxEntry) {
  if (b.pane === null) throw new Error('no pane');
  return must(await b.sender.resume(entry, b.pane));
}

it('after the record: nothing was typed, and it may be sent', async () => {
  const { b, entry } = await killAt('recorded');
  expect(entry).toMatchObject({ state: 'recorded', text: TEXT });
  expect(await resume(b, entry)).toEqual({ kind: 'unsent' });
  expect((await b.bytes()).length).toBe(0);
  must(await b.send(entry.text));
  expect((await b.bytes()).toString()).toBe(`${PASTED}\r`);
});

it('before the paste: in doubt, nothing is typed automatically', async () => {
  const { b, entry } = await killAt('pasting');
  expect(entry.state).toBe('pasted');
  expect(await resume(b, entry)).toMatchObject({ outcome: { state: 'unconfirmed' } });
  expect((await b.bytes()).length).toBe(0);
});

it('between paste and Enter: staged; when the user presses Enter, it is sent once', async () => {
  const { b, entry } = await killAt('pasted');
  expect(entry.state).toBe('pasted');
  const arrived = async () => (await b.bytes()).toString();
  await eventually('the paste', arrived, (text) => text === PASTED);
  await b.server.until('the text', (screen) => screen.includes('nor double me'));
  expect(await resume(b, entry)).toMatchObject({ outcome: { state: 'staged' } });
  expect(b.outbox.changes.at(-1)).toMatchObject({ id: entry.id, state: 'staged' });
  if (b.pane === null) throw new Error('no pane');
  expect(await b.sender.submit({ ...entry, state: 'staged' }, b.pane)).toMatchObject({
    ok: true,
    value: { state: 'delivered' },
  });
  expect(await arrived()).toBe(`${PASTED}\r`);
  expect(await b.submitted()).toEqual([TEXT]);
});

it('between paste and Enter, folded by the CLI: staged', async () => {
  const { b, entry } = await killAt('pasted', { pillLines: 1 });
  await b.server.until('the pill', (screen) => screen.includes('[Pasted text'));
  expect(await resume(b, entry)).toMatchObject({ outcome: { state: 'staged' } });
});

it('after Enter: the transcript decides, and nothing is typed again', async () => {
  const { b, entry } = await killAt('entered');
  expect(entry.state).toBe('submitted');
  await eventually(
    'the prompt',
    () => b.submitted(),
    (texts) => texts.length === 1,
  );
  b.hasTranscript = true;
  b.proof = { kind: 'delivered', by: 'transcript' };
  expect(await resume(b, entry)).toMatchObject({ outcome: { state: 'delivered', proof: 'transcript' } });
  expect((await b.bytes()).toString()).toBe(`${PASTED}\r`);
});

it('leaves no buffer with the prompt behind', async () => {
  for (const moment of ['pasting', 'pasted'] as const) {
    const { b } = await killAt(moment);
    expect(await b.must('list-buffers')).toBe('');
    await b.close();
  }
});
