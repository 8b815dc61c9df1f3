/**
 * An answer's changes, seen and reviewed in the real companion beside a program that plays an AI CLI: an AI tool, a
 * command and the user change files in one turn.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from '../../../src/platform/run.ts';
import { COPANE, CompanionPane, copaneEnv } from '../../helpers/companion-pane.ts';
import { hasLooked, hasSeenEnds } from '../../helpers/first-look.ts';
import type { PrivateTmux } from '../../helpers/private-tmux.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { piSessions, startSilentPi } from '../../helpers/silent-pi.ts';

let root = '';
let project = '';
let session = '';
let tmux: PrivateTmux;

/** A program called pi that prints what it reads; the test writes its session and changes the files. */
beforeEach(async () => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-turn-review-')));
  project = path.join(root, 'project');
  mkdirSync(project);
  const folder = piSessions(root, project);
  session = path.join(folder, '2026-01-02T03-04-05Z_one.jsonl');
  for (const name of ['tool.txt', 'command.txt', 'mine.txt']) writeFileSync(path.join(project, name), TEXT);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], { cwd: project });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  tmux = await startSilentPi(root, project, 40);
});

afterEach(async () => {
  await tmux.kill();
  removeTree(root);
});

const TEXT = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');
const changed = (line: number, to: string) => TEXT.replace(`line ${line}\n`, `${to}\n`);
const put = (name: string, text: string) => writeFileSync(path.join(project, name), text);
const held = (name: string) => readFileSync(path.join(project, name), 'utf8');

/** The edit's age: no hook of the AI CLI can have run since. */
const EDIT_AGE_MS = 4_000;
/** More than a clock is off. */
const CLOCK_MS = 200;

let ids = 0;
let last: string | null = null;

function startSession(): void {
  last = null;
  const start = { type: 'session', version: 3, id: 'one', timestamp: new Date().toISOString(), cwd: project };
  appendFileSync(session, `${JSON.stringify(start)}\n`);
}

/** One more record of the session. */
function tell(message: object, ageMs = 0): void {
  ids += 1;
  const timestamp = new Date(Date.now() - ageMs).toISOString();
  const record = { type: 'message', id: `m${ids}`, parentId: last, timestamp, message };
  last = `m${ids}`;
  appendFileSync(session, `${JSON.stringify(record)}\n`);
}
const call = (id: string, name: string, args: object, ageMs = 0) =>
  tell(
    { role: 'assistant', stopReason: 'toolUse', content: [{ type: 'toolCall', id, name, arguments: args }] },
    ageMs,
  );
const result = (id: string, name: string, details = {}, ageMs = 0) =>
  tell({ role: 'toolResult', toolCallId: id, toolName: name, isError: false, content: [], details }, ageMs);
const end = (text: string) =>
  tell({ role: 'assistant', stopReason: 'stop', content: [{ type: 'text', text }] });

/** A tool replaces the text of a line in tool.txt; `meanwhile` somebody else writes. */
function edit(id: string, line: number, to: string, meanwhile: () => void = () => undefined): void {
  const old = `line ${line}\n`;
  call(id, 'edit', { path: 'tool.txt', edits: [{ oldText: old, newText: `${to}\n` }] });
  put('tool.txt', held('tool.txt').replace(old, `${to}\n`));
  meanwhile();
  result(id, 'edit', { patch: `--- a\n+++ b\n@@ -${line + 1},1 +${line + 1},1 @@\n-${old}+${to}\n` });
}

it('shows what the answer changed, rejects one change with a reason, and sends that reason', async () => {
  const companion = await CompanionPane.open(tmux, { root, project });
  await companion.until('the first look at the files, before there is a session', () => hasLooked(root));
  const looked = Date.now();
  await companion.until('the age of an edit', () => Date.now() - looked > EDIT_AGE_MS + CLOCK_MS);
  startSession();
  tell({ role: 'user', content: 'Change two files.' }, EDIT_AGE_MS);
  call(
    'c1',
    'edit',
    { path: 'tool.txt', edits: [{ oldText: 'line 3\n', newText: 'by the tool\n' }] },
    EDIT_AGE_MS,
  );
  await companion.until('the turn at work', (screen) => screen.includes('streaming'));
  put('tool.txt', changed(3, 'by the tool'));
  const patch = '--- a\n+++ b\n@@ -4,1 +4,1 @@\n-line 3\n+by the tool\n';
  result('c1', 'edit', { patch }, EDIT_AGE_MS);
  await companion.until('the figures of a turn that goes on', (screen) => /1 file .*\+1 -1/.test(screen));
  put('mine.txt', changed(5, 'by me'));
  const written = Date.now();
  await companion.until('a later moment', () => Date.now() - written > CLOCK_MS);
  call('c2', 'bash', { command: 'sed -i s/x/y/ command.txt' });
  const called = Date.now();
  await companion.until(
    'the start of the command, which takes a while',
    () => Date.now() - called > CLOCK_MS,
  );
  put('command.txt', changed(20, 'by the command'));
  result('c2', 'bash');
  end('Both are done.');

  const list = await companion.until('the figures', (screen) => /2 files .*\+2 -2/.test(screen));
  expect(list).toContain('Responses ±');
  const env = { ...copaneEnv({ root, project }), HOME: root, TMUX_TMPDIR: root };
  const told = await run(COPANE, ['changes', '--id', 'one', '--json'], {
    env,
    cwd: project,
    timeoutMs: 50_000,
  });
  expect(told.stderr).toBe('');
  const { files, unknown } = JSON.parse(told.stdout.toString('utf8'));
  expect(unknown).toBeUndefined();
  const hands = files.map((file: { path: string; exact: boolean; hunks: { origin: string }[] }) => [
    path.basename(file.path),
    file.exact,
    ...file.hunks.map(({ origin }) => origin),
  ]);
  expect(hands).toEqual([
    ['command.txt', true, 'command'],
    ['tool.txt', true, 'tool'],
  ]);
  // Typed ahead, it is meant for the review.
  await companion.keys('d', 'n');
  const review = await companion.until('the next change', (screen) => screen.includes('by the tool'));
  expect(review).not.toContain('mine.txt');
  await companion.keys('r');
  await companion.until('the change is taken back', () => held('tool.txt') === TEXT);
  expect(held('mine.txt')).toBe(changed(5, 'by me'));
  await companion.keys('D');
  const draft = await companion.until('the draft', (screen) => screen.includes('I took this back'));
  expect(draft).toContain('> +by the tool');
  await companion.keys('s');
  const sent = await companion.until('the preview', (screen) => screen.includes('This will be sent'));
  expect(sent).toContain('tool.txt:4 I took this back; do not put it in again:');

  // It reaches the AI in another way: this one has no composer.
  await companion.keys('Escape');
  await companion.until('the draft', (screen) => !screen.includes('This will be sent'));
  await companion.keys('u');
  await companion.until('an empty draft', (screen) => !screen.includes('I took this back'));
  const reason = 'tool.txt:4 I took this back; do not put it in again:\n> -line 3\n> +by the tool';
  tell({ role: 'user', content: reason });
  end('I will not.');
  await companion.until('the next answer', (screen) => screen.includes('I will not.'));
  await companion.keys('2');
  await companion.until('the review again', (screen) => screen.includes('by the command'));
  await companion.keys('n');
  await companion.until('what was taken back', (screen) => screen.includes('- line 3'));
  await companion.keys('D');
  await companion.until('the question', (screen) => screen.includes('These reasons have already been sent'));
  await companion.keys('n');
  await companion.keys('c');
  await companion.until('the line for words', (screen) => screen.includes('Comment'));
  await companion.type('Names stay as they are.');
  await companion.keys('Enter', 'D');
  const again = await companion.until('the new reason', (screen) => screen.includes('notes in the draft'));
  expect(again).toContain('Names stay as they are.');
});

it('asks by name before it undoes, with the rest, changes that may be yours, on screen and in scripts', async () => {
  const companion = await CompanionPane.open(tmux, { root, project });
  await companion.until('the first look at the files, before there is a session', () => hasLooked(root));
  startSession();
  tell({ role: 'user', content: 'Change a file.' });
  await companion.until('the turn at work', (screen) => screen.includes('streaming'));
  // So shortly after the edit, a hook could have written it, too.
  edit('c1', 3, 'by the tool', () => put('mine.txt', changed(5, 'by me')));
  end('Done.');
  await companion.until('the figures', (screen) => /2 files .*\+2 -2/.test(screen));
  await companion.keys('g', 'b');
  const review = await companion.until('the review', (screen) => screen.includes('by me'));
  expect(review).toContain('This may be yours');
  await companion.keys('X');
  const question = await companion.until('the question', (screen) => screen.includes('Reject 2 open hunks'));
  expect(question.replace(/[│\s]+/g, ' ')).toContain('Changes of mine.txt may be yours.');
  await companion.keys('n');
  await companion.until('no question', (screen) => !screen.includes('Reject 2 open hunks'));

  const env = { ...copaneEnv({ root, project }), HOME: root, TMUX_TMPDIR: root };
  const copane = (...args: string[]) => run(COPANE, args, { env, cwd: project, timeoutMs: 50_000 });
  const listed = JSON.parse((await copane('suggestions', '--json')).stdout.toString('utf8'));
  const [{ id }] = listed;
  const refused = await copane('decide', id, 'all', 'reject');
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('Changes of mine.txt may be yours. Nothing was rejected.');
  expect(held('tool.txt')).toBe(changed(3, 'by the tool'));
  expect(await copane('decide', id, 'all', 'reject', '--reject-unsure')).toMatchObject({ code: 0 });
  expect([held('tool.txt'), held('mine.txt')]).toEqual([TEXT, TEXT]);
});

it('returns to before an answer: nothing is written unasked, your changes stay, and one key undoes it', async () => {
  const companion = await CompanionPane.open(tmux, { root, project });
  await companion.until('the first look at the files, before there is a session', () => hasLooked(root));
  startSession();
  for (const [turn, prompt] of ['Change it.', 'Change it again.'].entries()) {
    tell({ role: 'user', content: prompt });
    await companion.until('the turn at work', (screen) => screen.includes('streaming'));
    edit(`c${turn}`, 3 + 6 * turn, `by the tool ${turn}`);
    end('Done.');
    await companion.until('the look at its end', () => hasSeenEnds(root, turn + 1));
  }
  put('tool.txt', held('tool.txt').replace('line 20\n', 'by me\n'));
  const both = held('tool.txt');
  await companion.until('the figures', (screen) => (screen.match(/1 file .*\+1 -1/g) ?? []).length === 2);
  await companion.keys('j', 'g', 'b');
  await companion.until('the review', (screen) => /by the tool 0[\s\S]*by the tool 1/.test(screen));
  expect(held('tool.txt')).toBe(both);
  await companion.keys('X');
  await companion.until('the question', (screen) => screen.includes('Reject 1 open hunk?'));
  expect(held('tool.txt')).toBe(both);
  await companion.keys('y');
  await companion.until('the text of before', () => held('tool.txt') === changed(20, 'by me'));
  await companion.keys('u');
  await companion.until('all of it again', () => held('tool.txt') === both);
});

it('shows changes in an open review as they happen, and keeps what was undone meanwhile', async () => {
  const companion = await CompanionPane.open(tmux, { root, project });
  await companion.until('the first look at the files, before there is a session', () => hasLooked(root));
  startSession();
  tell({ role: 'user', content: 'Change them all.' });
  const run = (id: string, name: string, text: string) => {
    call(id, 'bash', { command: `write ${name}` });
    put(name, text);
    result(id, 'bash');
  };
  run('c1', 'mine.txt', changed(3, 'the first change'));
  await companion.until('the figures of a turn that goes on', (screen) => /1 file .*\+1 -1/.test(screen));
  await companion.keys('d');
  await companion.until('the review', (screen) => screen.includes('the first change'));
  await companion.keys('r');
  await companion.until('the change is taken back', () => held('mine.txt') === TEXT);
  run('c2', 'command.txt', changed(20, 'the second change'));
  await companion.until('a change of a turn at work', (screen) => screen.includes('command.txt'));
  await companion.keys('g', 'f');
  await companion.until('the mode', (screen) => screen.includes('follows'));
  run('c3', 'tool.txt', changed(9, 'the third change'));
  const newest = await companion.until('the newest change', (screen) => screen.includes('the third change'));
  expect(newest).toMatch(/1\/3/);
  expect(held('mine.txt')).toBe(TEXT);
  await companion.keys('D');
  const draft = await companion.until('the draft', (screen) => screen.includes('I took this back'));
  expect(draft).toContain('mine.txt:4');
  await companion.keys('2');
  await companion.until('the review again', (screen) => screen.includes('follows'));
  end('All are done.');
  tell({ role: 'user', content: 'And now the next.' });
  run('c4', 'command.txt', held('command.txt').replace('line 25\n', 'of the next answer\n'));
  const next = await companion.until(
    'the review of the newest answer',
    (screen) => /And now the next.*follows/.test(screen) && screen.includes('of the next answer'),
  );
  expect(next).not.toContain('the second change');
  end('Done, too.');
});
