/** Reviews of several turns of one session: what is decided in one is decided in the others. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestReviews, type TestReviews } from '../../test/helpers/review-service.ts';
import type { SeenSide } from './core/attribute.ts';
import { seenChanges } from './core/seen-changes.ts';
import { turnPatch } from './turn-source.ts';

const lines = (...changes: readonly (readonly [number, string])[]) =>
  Array.from({ length: 30 }, (_, i) => `${changes.find(([line]) => line === i)?.[1] ?? `line ${i}`}\n`).join(
    '',
  );

/** What the file held before the first turn, after it, and after the second. */
const TEXTS = [lines(), lines([3, 'three']), lines([3, 'three'], [20, 'twenty'])] as const;

let home: string;
let reviews: TestReviews;
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'copane-scopes-'));
  const file = path.join(home, 'a.txt');
  writeFileSync(file, TEXTS[2]);
  const side = (at: number): SeenSide => ({ mode: 0o100644, bytes: Buffer.from(TEXTS[at] ?? '') });
  reviews = openTestReviews(path.join(home, 'state'), {}, async ({ from, to }) => {
    const first = from === null ? 0 : Number(from);
    const last = to === null ? 1 : Number(to);
    const commands = [
      { command: 'x', cwd: null, at: 1, endedAt: 1, exit: 0, order: 0, outcome: 'applied' as const },
    ];
    const turns = [{ turnId: 't', edits: [], commands, interrupted: false, rewound: false }];
    const steps = [{ before: side(first), after: side(last + 1), changedAt: 1, since: 0, seenAt: 2 }];
    return turnPatch(home, seenChanges(turns, { files: [{ path: file, steps }], gap: null }).files, 'turns');
  });
});
afterEach(() => {
  reviews.close();
  rmSync(home, { recursive: true, force: true });
});

async function open(from: string | null, to: string | null) {
  const session = { cli: 'claude', path: '/s', sessionId: 's' } as const;
  const published = await reviews.publishFrom({ target: home, source: { kind: 'turn', session, from, to } });
  if (!published.ok) throw new Error(published.error.message);
  return published.value;
}

it('carries decisions and comments over from scope to scope, and keeps one review open', async () => {
  const session = await open(null, null);
  expect(session.hunks.map(({ status, note }) => [status, note])).toEqual([
    ['pending', 'by a command'],
    ['pending', 'by a command'],
  ]);
  const [first, second] = session.hunks.map(({ id }) => id);
  await reviews.decide({ suggestion: session.id, hunk: first ?? '', action: 'reject', comment: 'not this' });
  await reviews.decide({ suggestion: session.id, hunk: second ?? '', action: 'accept' });
  expect(readFileSync(path.join(home, 'a.txt'), 'utf8')).toBe(lines([20, 'twenty']));

  const one = await open('0', '0');
  expect(one.hunks).toMatchObject([{ id: first, status: 'rejected', comments: [{ text: 'not this' }] }]);
  expect(reviews.openRecords()).toEqual([one.id]);
  expect((await reviews.step({ suggestion: one.id, hunk: first ?? '' }, 'undo')).ok).toBe(true);
  expect(readFileSync(path.join(home, 'a.txt'), 'utf8')).toBe(TEXTS[2]);

  const again = await open(null, null);
  expect(again.hunks.map(({ status }) => status)).toEqual(['pending', 'accepted']);
  expect(again.decidedCount).toBe(1);
});

it('opens the same review again while nothing has changed', async () => {
  const first = await open('1', '1');
  expect((await open('1', '1')).id).toBe(first.id);
});
