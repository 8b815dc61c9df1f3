import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PATTERN_AFTER_MS, watchForObstacles } from './obstacles.ts';

const HARD = `${'*a'.repeat(9)}*b`;
let top: string;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  top = mkdtempSync(path.join(tmpdir(), 'copane-obstacles-'));
  mkdirSync(path.join(top, '.git'));
  writeFileSync(path.join(top, '.gitignore'), `${HARD}\n`);
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(top, { recursive: true, force: true });
});

/** Waits until a git has run for a second and the folder has been scanned. */
async function lookAround(isDone: () => boolean) {
  const watch = watchForObstacles({ top, gitDir: '', commonDir: '' });
  await vi.advanceTimersByTimeAsync(1_000);
  const deadline = performance.now() + 5_000;
  while (!isDone() && !watch.signal.aborted) {
    if (performance.now() > deadline) throw new Error('The look around has not ended');
    await new Promise((resolve) => setImmediate(resolve));
  }
  return watch;
}
const isTimed = () => vi.getTimerCount() > 0;

test('a hard pattern stops git only if it runs on for seconds', async () => {
  const watch = await lookAround(isTimed);
  await vi.advanceTimersByTimeAsync(PATTERN_AFTER_MS - 1);
  expect(watch.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(watch.signal.aborted).toBe(true);
  expect(watch.end()).toEqual({ file: path.join(top, '.gitignore'), pattern: HARD });
});

test.each([
  ['.git/info/exclude', HARD],
  ['.gitattributes', `${HARD} text`],
  ['sub/.gitignore', HARD],
  ['patterns', HARD],
])('finds a hard pattern in %s', async (name, line) => {
  const file = path.join(top, name);
  rmSync(path.join(top, '.gitignore'));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${line}\n`);
  writeFileSync(path.join(top, '.git/config'), `[core]\n\texcludesFile = ${path.join(top, 'patterns')}\n`);
  const watch = await lookAround(isTimed);
  await vi.advanceTimersByTimeAsync(PATTERN_AFTER_MS);
  expect(watch.end()).toEqual({ file, pattern: line });
});

test.each([
  ['*a*a*a*b', 20],
  ['*a*a*b', 1_000],
])('%s is hard to match against %i long names', async (pattern, count) => {
  writeFileSync(path.join(top, '.gitignore'), `*.log\n${pattern}\n`);
  const names = path.join(top, 'names');
  mkdirSync(names);
  for (let at = 0; at < count; at += 1) writeFileSync(path.join(names, `${'a'.repeat(240)}${at}`), '');
  const watch = await lookAround(isTimed);
  await vi.advanceTimersByTimeAsync(PATTERN_AFTER_MS);
  expect(watch.end()).toEqual({ file: path.join(top, '.gitignore'), pattern });
});

test('a pattern with as many "*" as a hard one is not blamed', async () => {
  // These names stop the first three quickly; the last one is hard.
  writeFileSync(path.join(top, '.gitignore'), 'build-*-*.tmp.*\n*x*x*x*b\n*b*a*a\n*a*a*b\n');
  const names = path.join(top, 'names');
  mkdirSync(names);
  for (let at = 0; at < 1_000; at += 1) writeFileSync(path.join(names, `${'a'.repeat(240)}${at}`), '');
  const watch = await lookAround(isTimed);
  await vi.advanceTimersByTimeAsync(PATTERN_AFTER_MS);
  expect(watch.end()?.pattern).toBe('*a*a*b');
});

test.each([
  ['a pattern with more parts than a call can take as arguments', '.gitignore', `${'/'.repeat(200_000)}\n`],
  [
    'a name with more spaces than a search goes back over',
    '.git/config',
    `path = a${' '.repeat(200_000)}b\n`,
  ],
])('%s blocks nobody', async (_, name, text) => {
  writeFileSync(path.join(top, '.gitignore'), '');
  writeFileSync(path.join(top, name), text);
  const began = performance.now();
  const fifo = path.join(top, '.gitattributes');
  spawnSync('mkfifo', [fifo]);
  const watch = await lookAround(() => false);
  expect(watch.end()).toEqual({ file: fifo, pattern: null });
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('a git that ends earlier has met no obstacle', async () => {
  const watch = await lookAround(isTimed);
  expect(watch.end()).toBeNull();
  expect(isTimed()).toBe(false);
});

test('a FIFO stops git at once, even beside a hard pattern', async () => {
  mkdirSync(path.join(top, 'sub'));
  const fifo = path.join(top, 'sub', '.gitattributes');
  spawnSync('mkfifo', [fifo]);
  const watch = await lookAround(() => false);
  expect(watch.end()).toEqual({ file: fifo, pattern: null });
});
