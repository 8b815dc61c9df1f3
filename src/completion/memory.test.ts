/** The daemon remembers exactly what the user's shell keeps. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTree } from '../../test/helpers/remove-tree.ts';
import { Knowledge } from './core/knowledge.ts';
import { Memory } from './memory.ts';
import { createHistorySource } from './sources/history.ts';

let dir = '';
let file = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'copane-memory-'));
  file = path.join(dir, 'history');
});
afterEach(() => removeTree(dir));

const NOBODY = '4194304';
const NEVER = new AbortController().signal;

function open() {
  const knowledge = new Knowledge();
  const memory = new Memory(
    knowledge,
    {
      socketFile: '',
      uid: process.getuid?.() ?? 0,
      stateDir: dir,
      dataDir: dir,
      model: null,
      home: dir,
      env: { HISTFILE: file, PATH: '' },
    },
    (where, error) => {
      throw new Error(`${where}: ${String(error)}`);
    },
  );
  const uses = (line: string) => knowledge.history.usesOf(line);
  const knows = (line: string) => uses(line) > 0;
  const offers = async (session: string, line: string) => {
    const query = { line: line.slice(0, -1), cursor: line.length - 1, cwd: dir, session, limit: 4 };
    return (await createHistorySource(knowledge).suggest(query, NEVER)).map((one) => one.line);
  };
  return { memory, knows, uses, offers };
}

const run = (memory: Memory, line: string, more = {}, atSeconds = 1) =>
  memory.executed(
    {
      type: 'event',
      event: 'executed',
      line,
      cwd: dir,
      session_id: NOBODY,
      store: true,
      reply: false,
      exit: 0,
      ...more,
    },
    atSeconds,
  );

const journal = () => {
  try {
    return readFileSync(path.join(dir, 'completion', 'commands.jsonl'), 'utf8');
  } catch {
    return '';
  }
};

describe('a line that leaves the history file', () => {
  it.each<[string, () => void]>([
    [
      'by an editor that writes a new file',
      () => {
        writeFileSync(`${file}.new`, 'one\nthree\n');
        renameSync(`${file}.new`, file);
      },
    ],
    ['by an edit in place', () => writeFileSync(file, 'one\nthree\n')],
    [
      'by an edit that makes the file longer',
      () => writeFileSync(file, 'one\nthree\nfour five six seven eight\n'),
    ],
    ['together with all others', () => writeFileSync(file, '')],
    ['with the file', () => rmSync(file)],
  ])('is forgotten: %s', async (_how, edit) => {
    writeFileSync(file, 'one\ntwo --secret\nthree\n');
    const { memory, knows } = open();
    await memory.load();
    run(memory, 'two --secret');
    await memory.flush();
    expect(knows('two --secret')).toBe(true);
    // The shell writes what it reported.
    appendFileSync(file, 'two --secret\n');
    await memory.refresh();
    edit();
    await memory.refresh();
    expect(knows('two --secret')).toBe(false);
    expect(journal()).not.toContain('secret');
    appendFileSync(file, 'later\n');
    await memory.refresh();
    expect(knows('later')).toBe(true);
  });

  it('is forgotten if it was written before its shell reported it, and counted once', async () => {
    writeFileSync(file, 'one\n');
    const { memory, knows, uses } = open();
    await memory.load();
    appendFileSync(file, 'sleep 9\n');
    await memory.refresh();
    run(memory, 'sleep 9');
    await memory.flush();
    expect(uses('sleep 9')).toBe(1);
    writeFileSync(file, 'one\n');
    await memory.refresh();
    expect(knows('sleep 9')).toBe(false);
  });

  it('is counted for every run if shells that report nothing ran it before', async () => {
    writeFileSync(file, 'one\n');
    const { memory, knows, uses } = open();
    await memory.load();
    appendFileSync(file, 'make\nmake\nmake\n');
    await memory.refresh();
    const later = Math.floor(Date.now() / 1000) + 100;
    for (let at = 0; at < 3; at += 1) run(memory, 'make', { duration_ms: 5_000 }, later + at * 20);
    await memory.flush();
    expect(uses('make')).toBe(6);
    // None of them is written yet.
    writeFileSync(file, 'one\n');
    await memory.refresh();
    expect(knows('make')).toBe(true);
  });

  it('is the same run that its shell reports hours after writing it', async () => {
    writeFileSync(file, 'one\n');
    const { memory, uses } = open();
    await memory.load();
    appendFileSync(file, 'sleep 9999\n');
    await memory.refresh();
    run(memory, 'sleep 9999', { duration_ms: 9_999_000 }, Math.floor(Date.now() / 1000) + 9_999);
    await memory.flush();
    expect(uses('sleep 9999')).toBe(1);
  });

  it('stays forgotten after a restart', async () => {
    writeFileSync(file, 'one\ntwo\n');
    const first = open();
    await first.memory.load();
    run(first.memory, 'two');
    await first.memory.flush();
    writeFileSync(file, 'one\n');
    const second = open();
    await second.memory.load();
    expect(second.knows('one')).toBe(true);
    expect(second.knows('two')).toBe(false);
    // The shell's own file is known once a shell has reported it.
    expect(journal()).toContain('two');
    second.memory.context({
      type: 'context',
      cwd: dir,
      session_id: '',
      histfile: file,
      names_cut: false,
      reply: false,
    });
    await expect.poll(journal).not.toContain('two');
  });

  it('is deleted together with the record that it should be forgotten', async () => {
    writeFileSync(file, 'one\ntwo --secret\n');
    const { memory } = open();
    await memory.load();
    memory.forget('two --secret');
    await memory.flush();
    expect(journal()).toContain('secret');
    writeFileSync(file, 'one\n');
    await memory.refresh();
    expect(journal()).not.toContain('secret');
  });
});

it('keeps lines that a shell has not written yet while it runs', async () => {
  writeFileSync(file, 'one\n');
  const first = open();
  await first.memory.load();
  run(first.memory, 'two', { session_id: String(process.pid) });
  await first.memory.flush();
  writeFileSync(file, 'one\nthree\n');
  await first.memory.refresh();
  expect(first.knows('two')).toBe(true);
  const second = open();
  await second.memory.load();
  expect(second.knows('two')).toBe(true);
});

it('stores nothing of a shell that writes no history file, and offers it to no other', async () => {
  const { memory, knows, offers } = open();
  await memory.load();
  run(memory, 'in memory', { store: false });
  await memory.flush();
  expect(await offers(NOBODY, 'in memory')).toEqual(['in memory']);
  expect(await offers('1', 'in memory')).toEqual([]);
  expect(knows('in memory')).toBe(false);
  expect(journal()).toBe('');
  // The shell wrote it after all.
  appendFileSync(file, 'in memory\n');
  await memory.refresh();
  await memory.flush();
  expect(journal()).toContain('in memory');
  expect(await offers('1', 'in memory')).toEqual(['in memory']);
});

it('offers nothing of an earlier shell with the same process id that was not saved', async () => {
  const { memory, offers } = open();
  await memory.load();
  const aside = `${NOBODY} /aside`;
  for (const session_id of [NOBODY, aside]) run(memory, 'in memory', { store: false, session_id });
  const start = { type: 'context', cwd: dir, names_cut: false, reply: false } as const;
  memory.context({ ...start, session_id: NOBODY });
  expect(await offers(NOBODY, 'in memory')).toEqual(['in memory']);
  memory.context({ ...start, session_id: NOBODY, histfile: '' });
  expect(await offers(NOBODY, 'in memory')).toEqual([]);
  expect(await offers(aside, 'in memory')).toEqual([]);
});

describe('a shell that ends without writing its history', () => {
  const ended = async (more: string) => {
    writeFileSync(file, 'one\n');
    const { memory, knows, uses } = open();
    await memory.load();
    const shell = spawn('sleep', ['60']);
    run(memory, 'kept', { session_id: String(shell.pid) });
    run(memory, 'lost --secret', { session_id: String(shell.pid) });
    run(memory, 'of another', { session_id: String(process.pid) });
    await memory.refresh();
    expect(knows('lost --secret')).toBe(true);
    shell.kill('SIGKILL');
    await once(shell, 'exit');
    appendFileSync(file, more);
    await memory.refresh();
    await memory.flush();
    return { knows, uses };
  };
  it('takes its lines with it', async () => {
    const { knows } = await ended('kept\n');
    expect(['one', 'kept', 'lost --secret', 'of another'].map(knows)).toEqual([true, true, false, true]);
    expect(journal()).not.toContain('secret');
  });
  it('leaves those that it had written', async () => {
    const { uses } = await ended('kept\nlost --secret\n');
    expect(uses('lost --secret')).toBe(1);
    expect(journal()).toContain('secret');
  });
});

it('keeps a line forgotten that its shell has not written yet when the history is rewritten', async () => {
  writeFileSync(file, 'one\n');
  const first = open();
  await first.memory.load();
  run(first.memory, 'secret command', { session_id: String(process.pid) });
  first.memory.forget('secret command');
  writeFileSync(`${file}.new`, 'two\n');
  renameSync(`${file}.new`, file);
  await first.memory.refresh();
  await first.memory.flush();
  const next = open();
  await next.memory.load();
  appendFileSync(file, 'secret command\n');
  await next.memory.refresh();
  expect(next.knows('secret command')).toBe(false);
  expect(next.knows('two')).toBe(true);
});
