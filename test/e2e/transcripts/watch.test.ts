import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  FileWatcher,
  MAX_WATCHED_FILES,
  MIN_GAP_MS,
  POLL_MS,
} from '../../../src/responses/transcripts/watch.ts';
import { removeTree } from '../../helpers/remove-tree.ts';

let folder = '';
let watcher: FileWatcher;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'copane-watch-'));
  const clear = (handle: unknown) => clearTimeout(handle as NodeJS.Timeout);
  const timers = { now: () => performance.now(), set: setTimeout, clear };
  watcher = new FileWatcher({ timers, onError: (error) => expect.unreachable(String(error)) });
});
afterEach(() => {
  watcher.close();
  removeTree(folder);
});

/** Counts the calls for a file; waits for the call of the first look. */
async function watched(
  file: string,
  beside: readonly string[] = [],
): Promise<{ calls: number; stop: () => void }> {
  const onChange = async () => {
    seen.calls += 1;
  };
  const seen: { calls: number; stop: () => void } = {
    calls: 0,
    stop: watcher.watch(file, onChange, beside),
  };
  await expect.poll(() => seen.calls).toBeGreaterThan(0);
  return seen;
}

/** Waits until no call came for a while, then returns the count. */
async function quiet(seen: { readonly calls: number }): Promise<number> {
  let before = -1;
  await expect
    .poll(
      () => {
        const isSame = before === seen.calls;
        before = seen.calls;
        return isSame;
      },
      { interval: POLL_MS + 200 },
    )
    .toBe(true);
  return seen.calls;
}

describe('FileWatcher', () => {
  const CHANGES: [string, (file: string) => void][] = [
    ['appended to', (file) => appendFileSync(file, 'more\n')],
    ['deleted', (file) => rmSync(file)],
    [
      'replaced',
      (file) => {
        writeFileSync(`${file}.new`, 'x\n');
        renameSync(`${file}.new`, file);
      },
    ],
  ];
  it.each(CHANGES)('reports a file that is %s', async (_name, change) => {
    const file = path.join(folder, 'a.jsonl');
    writeFileSync(file, 'first\n');
    const seen = await watched(file);
    const before = await quiet(seen);
    change(file);
    await expect.poll(() => seen.calls).toBeGreaterThan(before);
  });

  it('reports a file that does not exist yet, even in a folder that does not exist yet', async () => {
    const file = path.join(folder, 'later/a.jsonl');
    const seen = await watched(file);
    const before = await quiet(seen);
    mkdirSync(path.dirname(file));
    writeFileSync(file, 'x');
    await expect.poll(() => seen.calls).toBeGreaterThan(before);
  });

  it('reports a database by its log', async () => {
    const file = path.join(folder, 'opencode.db');
    writeFileSync(file, '');
    const seen = await watched(file);
    const before = await quiet(seen);
    writeFileSync(`${file}-wal`, 'x');
    await expect.poll(() => seen.calls).toBeGreaterThan(before);
  });

  it('reports a file beside it, in whatever folder', async () => {
    const [file, other] = [path.join(folder, 'a.jsonl'), path.join(folder, 'sessions/7.json')];
    mkdirSync(path.dirname(other));
    writeFileSync(other, 'busy');
    const seen = await watched(file, [other]);
    const before = await quiet(seen);
    writeFileSync(other, 'waiting');
    await expect.poll(() => seen.calls).toBeGreaterThan(before);
    seen.stop();
    const after = await quiet(seen);
    writeFileSync(other, 'idle, at last');
    await quiet(seen);
    expect(seen.calls).toBe(after);
  });

  it('does not report other files, and nothing after the end', async () => {
    const [file, other] = ['a.jsonl', 'b.jsonl'].map((name) => path.join(folder, name)) as [string, string];
    writeFileSync(file, '');
    const [seen, others] = [await watched(file), await watched(other)];
    const before = await quiet(seen);
    appendFileSync(other, 'x');
    await expect.poll(() => others.calls).toBeGreaterThan(1);
    seen.stop();
    seen.stop();
    appendFileSync(file, 'x');
    appendFileSync(other, 'x');
    await quiet(others);
    expect(seen.calls).toBe(before);
  });

  it('merges many writes into few calls', async () => {
    const file = path.join(folder, 'a.jsonl');
    writeFileSync(file, '');
    const seen = await watched(file);
    const before = await quiet(seen);
    const start = performance.now();
    while (performance.now() - start < 500) {
      appendFileSync(file, 'x\n');
      await new Promise((resolve) => setImmediate(resolve));
    }
    const most = Math.ceil((performance.now() - start) / MIN_GAP_MS) + 3;
    const calls = (await quiet(seen)) - before;
    expect(calls).toBeGreaterThan(0);
    expect(calls).toBeLessThanOrEqual(most);
  });

  it('refuses a file beyond the limit', async () => {
    const calls = new Set<number>();
    for (let index = 0; index <= MAX_WATCHED_FILES; index += 1) {
      watcher.watch(path.join(folder, `${index}.jsonl`), async () => {
        calls.add(index);
      });
    }
    await expect.poll(() => calls.size).toBe(MAX_WATCHED_FILES);
    expect(calls.has(MAX_WATCHED_FILES)).toBe(false);
  });
});
