/** Large reviews respond, and stay correct: many lines, many files, one line of 5 MB. Deadlines suit a loaded machine. */
import { performance } from 'node:perf_hooks';
import { afterEach, expect, test } from 'vitest';
import { makeFolder, putTree, readText } from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) removeTree(folder);
});

const tracked = () => {
  const folder = makeFolder();
  folders.push(folder);
  return folder;
};

const lines = (count: number, change: (i: number) => boolean) =>
  Array.from({ length: count }, (_, i) => `${change(i) ? 'edited' : 'line'} number ${i}\n`).join('');

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const start = performance.now();
  const value = await work();
  return { ms: performance.now() - start, value };
}

/** Two folders reviewed: published, one hunk decided, all decided, all undone. */
async function drive(old: Readonly<Record<string, string>>, updated: Readonly<Record<string, string>>) {
  const [from, to, state] = [tracked(), tracked(), tracked()];
  putTree(from, old);
  putTree(to, updated);
  const reviews = openTestReviews(state);
  try {
    const published = await timed(async () =>
      must(await reviews.publishFrom({ target: from, source: { kind: 'folders', from, to } })),
    );
    const suggestion = published.value.id;
    const hunk = published.value.hunks.at(-1)?.id ?? '';
    const one = await timed(async () => must(await reviews.decide({ suggestion, hunk, action: 'accept' })));
    const all = await timed(async () =>
      must(await reviews.decide({ suggestion, hunk: 'all', action: 'accept' })),
    );
    for (const [file, text] of Object.entries(updated)) expect(readText(from, file) === text).toBe(true);
    const undone = await timed(async () => must(await reviews.step({ suggestion, hunk: 'all' }, 'undo')));
    for (const [file, text] of Object.entries(old)) expect(readText(from, file) === text).toBe(true);
    return {
      hunks: published.value.hunks.length,
      publishMs: published.ms,
      oneMs: one.ms,
      allMs: all.ms,
      undoMs: undone.ms,
    };
  } finally {
    reviews.close();
  }
}

test('one file of 100,000 lines with 9,000 hunks', async () => {
  const figures = await drive({ f: lines(100_000, () => false) }, { f: lines(100_000, (i) => i % 11 === 0) });
  console.log('100,000 lines:', figures);
  expect(figures.hunks).toBeGreaterThan(9_000);
  expect(figures.publishMs).toBeLessThan(10_000);
  expect(figures.oneMs).toBeLessThan(5_000);
});

test('100,000 changed lines in 400 files', async () => {
  const names = Array.from({ length: 400 }, (_, i) => `d${i % 20}/f${i}`);
  const tree = (change: (i: number) => boolean) =>
    Object.fromEntries(names.map((name) => [name, lines(300, change)]));
  const figures = await drive(
    tree(() => false),
    tree((i) => i % 60 < 50),
  );
  console.log('400 files:', figures);
  expect(figures.hunks).toBe(2_000);
});

test('a line of 5 MB', async () => {
  const line = 'x'.repeat(5 * 1024 * 1024);
  const figures = await drive({ f: `a\n${line}\nb\n` }, { f: `a\n${line}y\nb\n` });
  console.log('5 MB line:', figures);
  expect(figures.oneMs).toBeLessThan(5_000);
});
