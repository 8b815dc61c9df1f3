/** A rejection killed at a system call: after the next start, target, sandbox and store agree. */
import { renameSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inFull } from '../../helpers/full-run.ts';
import { git, makeFolder, makeRepository, putTree, readTree } from '../../helpers/git-fixture.ts';
import { canTrace, countCalls, killAt, THREADS, type Thread } from '../../helpers/kill-points.ts';
import { testProgram } from '../../helpers/product.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

const CHILD = testProgram('review-child');
/** Points of each thread, evenly spread, including the first and the last. */
const POINTS = inFull(3, 5);
const BASE = { f: 'a\nb\nc\n', g: 'g\n' };
const WORK = { f: 'a\nB\nc\n', g: null, n: 'n\n' };

interface Place {
  readonly target: string;
  readonly sandbox: string;
  readonly state: string;
  readonly suggestion: string;
  readonly args: readonly string[];
  remove(): void;
}

async function prepare(): Promise<Place> {
  const target = makeRepository(BASE);
  const sandbox = makeFolder();
  git(sandbox, 'clone', '-q', target, '.');
  putTree(sandbox, WORK);
  const state = makeFolder();
  const reviews = openTestReviews(state);
  const { id } = must(await reviews.publishFrom({ target, source: { kind: 'sandbox', folder: sandbox } }));
  reviews.close();
  return {
    target,
    sandbox,
    state,
    suggestion: id,
    args: [CHILD, state, id, 'all', 'reject'],
    remove: () => {
      for (const folder of [target, sandbox, state]) removeTree(folder);
    },
  };
}

async function crashAt(thread: Thread, call: number): Promise<void> {
  const place = await prepare();
  const { target, sandbox, state, suggestion } = place;
  try {
    const base = readTree(target);
    const published = readTree(sandbox);
    const said = await killAt(place.args, thread, call);
    const reviews = openTestReviews(state);
    try {
      const { hunks } = must(await reviews.service.show({ suggestion, file: null }));
      const isRejected = hunks.every(({ status }) => status === 'rejected');
      expect({ said, isRejected, isOpen: hunks.every(({ status }) => status === 'pending') }).toEqual({
        said,
        isRejected,
        isOpen: !isRejected,
      });
      expect(readTree(target)).toEqual(base);
      expect(readTree(sandbox)).toEqual(isRejected ? base : published);
      must(await reviews.decide({ suggestion, hunk: 'every', action: 'reject' }));
      expect(readTree(sandbox)).toEqual(base);
      must(await reviews.step({ suggestion, hunk: 'all' }, 'undo'));
      expect(readTree(sandbox)).toEqual(published);
    } finally {
      reviews.close();
    }
  } finally {
    place.remove();
  }
}

describe.skipIf(!canTrace())('SIGKILL while a sandbox follows (needs strace)', () => {
  test.each(THREADS)(
    'in the %s thread',
    async (thread) => {
      const place = await prepare();
      const calls = await countCalls(place.args, thread);
      place.remove();
      expect(calls).toBeGreaterThan(POINTS);
      for (let i = 0; i < POINTS; i += 1)
        await crashAt(thread, 1 + Math.round((i * (calls - 1)) / (POINTS - 1)));
    },
    180_000,
  );

  test('and the sandbox is deleted before the next start: everything else continues', async () => {
    const place = await prepare();
    const calls = await countCalls(place.args, 'worker');
    place.remove();
    const { target, sandbox, state, suggestion, args, remove } = await prepare();
    await killAt(args, 'worker', Math.round(calls / 2));
    renameSync(sandbox, `${sandbox}.gone`);
    const reviews = openTestReviews(state);
    try {
      must(await reviews.decide({ suggestion, hunk: 'every', action: 'accept' }));
      expect(readTree(target)).toEqual({ f: 'a\nB\nc\n', n: 'n\n' });
    } finally {
      reviews.close();
      remove();
      rmSync(`${sandbox}.gone`, { recursive: true });
    }
  });
});
