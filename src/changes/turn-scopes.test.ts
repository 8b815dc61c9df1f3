/** Reviews of several turns of one session: a decision in one applies in the others. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestReviews, type TestReviews } from '../../test/helpers/review-service.ts';
import { ok } from '../lib/result.ts';
import type { SeenSide, SeenStep } from './core/attribute.ts';
import { sideOf, withOurSteps } from './core/our-steps.ts';
import { seenChanges } from './core/seen-changes.ts';
import { turnPatch } from './turn-source.ts';

const lines = (...changes: readonly (readonly [number, string])[]) =>
  Array.from({ length: 30 }, (_, i) => `${changes.find(([line]) => line === i)?.[1] ?? `line ${i}`}\n`).join(
    '',
  );

/** The content of the file before the first turn, after it, and after the second. */
const TEXTS = [lines(), lines([3, 'three']), lines([3, 'three'], [20, 'twenty'])] as const;

let home: string;
let reviews: TestReviews;
/** The file's content at the newest look; running turns end there. */
let seen: string | null = null;
beforeEach(() => {
  seen = null;
  const ours: SeenStep[] = [];
  const stepOf = (before: SeenSide, after: SeenSide, isOurs = false): SeenStep => ({
    before,
    after,
    changedAt: 1,
    since: 0,
    seenAt: 2,
    isOurs,
  });
  home = mkdtempSync(path.join(os.tmpdir(), 'copane-scopes-'));
  const file = path.join(home, 'a.txt');
  writeFileSync(file, TEXTS[2]);
  const side = (at: number): SeenSide => ({ mode: 0o100644, bytes: Buffer.from(TEXTS[at] ?? '') });
  reviews = openTestReviews(
    path.join(home, 'state'),
    {},
    async ({ from, to }) => {
      const first = from === null ? 0 : Number(from);
      const last = to === null ? 1 : Number(to);
      const commands = [
        { command: 'x', cwd: null, at: 1, endedAt: 1, exit: 0, order: 0, outcome: 'applied' as const },
      ];
      const turns = [{ turnId: 't', startedAt: 0, edits: [], commands, interrupted: false, rewound: false }];
      const after = seen === null ? side(last + 1) : { mode: 0o100644, bytes: Buffer.from(seen) };
      // A turn that goes on has what was decided meanwhile, too.
      const then = side(last + 1);
      const more = seen === null ? [] : [...ours, stepOf(ours.at(-1)?.after ?? then, after)];
      const steps = withOurSteps([stepOf(side(first), then), ...more]);
      const { files } = seenChanges(turns, { files: [{ path: file, steps }], gap: null });
      return turnPatch(home, files);
    },
    async (_, writes) => {
      for (const write of writes) ours.push(stepOf(sideOf(write.old), sideOf(write.new), true));
      return ok(null);
    },
  );
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

describe('a running turn', () => {
  const file = () => path.join(home, 'a.txt');
  /** The AI writes, and copane looks. */
  async function work(text: string) {
    writeFileSync(file(), text);
    seen = text;
    const renewed = await reviews.service.renew({
      session: { cli: 'claude', path: '/s', sessionId: 's' },
      turn: '1',
    });
    expect(renewed.ok).toBe(true);
  }
  const shown = async (id: string) => {
    const all = await reviews.service.show({ suggestion: id, file: null });
    if (!all.ok) throw new Error(all.error.message);
    return all.value;
  };

  it('grows in the review that shows it, and keeps decisions made there', async () => {
    const begun = await open('1', '1');
    const [first] = begun.hunks;
    await reviews.decide({ suggestion: begun.id, hunk: first?.id ?? '', action: 'accept' });
    await work(lines([3, 'three'], [12, 'twelve'], [20, 'twenty']));
    const grown = await shown(begun.id);
    expect(grown.revision).toBeGreaterThan(begun.revision);
    expect(grown.hunks.map(({ status }) => status)).toEqual(['pending', 'accepted']);
    expect(grown.hunks[1]?.id).toBe(first?.id);
    expect(reviews.openRecords()).toEqual([begun.id]);
  });

  it('keeps taken-back changes in the review, though no file contains them any more', async () => {
    const begun = await open('1', '1');
    const [first] = begun.hunks;
    await reviews.decide({ suggestion: begun.id, hunk: first?.id ?? '', action: 'reject', comment: 'no' });
    const held = readFileSync(file(), 'utf8');
    expect(held).toBe(lines([3, 'three']));
    await work(held);
    expect((await shown(begun.id)).hunks).toMatchObject([{ id: first?.id, status: 'rejected' }]);
    await work(held.replace('line 12', 'twelve'));
    const grown = await shown(begun.id);
    expect(grown.hunks.map(({ status }) => status)).toEqual(['pending', 'rejected']);
    expect(grown.hunks[1]).toMatchObject({ id: first?.id, comments: [{ text: 'no' }] });
    expect(readFileSync(file(), 'utf8')).toBe(held.replace('line 12', 'twelve'));
    const back = await reviews.step({ suggestion: begun.id, hunk: first?.id ?? '' }, 'undo');
    expect(back.ok).toBe(true);
    expect(readFileSync(file(), 'utf8')).toBe(lines([3, 'three'], [12, 'twelve'], [20, 'twenty']));
  });

  it('keeps taken-back changes when a hunk grows over them', async () => {
    const begun = await open('1', '1');
    const [first] = begun.hunks;
    await reviews.decide({ suggestion: begun.id, hunk: first?.id ?? '', action: 'reject', comment: 'no' });
    const held = readFileSync(file(), 'utf8');
    for (const [line, text] of [
      [24, 'below'],
      [16, 'above'],
    ] as const) {
      const now = readFileSync(file(), 'utf8').replace(`line ${line}\n`, `${text}\n`);
      await work(now);
      const { hunks } = await shown(begun.id);
      const rejected = hunks.filter(({ status }) => status === 'rejected');
      expect(rejected).toMatchObject([{ comments: [{ text: 'no' }] }]);
      expect(rejected[0]?.diff).toContain('+twenty');
      expect(rejected[0]?.diff).not.toContain(text);
      expect(readFileSync(file(), 'utf8')).toBe(now);
    }
    const { hunks } = await shown(begun.id);
    const back = hunks.find(({ status }) => status === 'rejected');
    expect((await reviews.step({ suggestion: begun.id, hunk: back?.id ?? '' }, 'undo')).ok).toBe(true);
    expect(readFileSync(file(), 'utf8')).toBe(
      held.replace('line 24', 'below').replace('line 16', 'above').replace('line 20', 'twenty'),
    );
  });

  it('keeps a hunk that was split, with the decisions on its parts', async () => {
    await work(lines([3, 'three'], [20, 'twenty'], [21, 'more']));
    const begun = await open('1', '1');
    const [first] = begun.hunks;
    const whole = { suggestion: begun.id, hunk: first?.id ?? '' };
    const desk = reviews.desk();
    const lineOf = first?.diff.split('\n').indexOf('+twenty') ?? 0;
    const script = { client: 'script', once: null };
    const cut = await desk.split({ ...whole, first: lineOf, last: lineOf }, script);
    if (!cut.ok) throw new Error(cut.error.message);
    const parts = (await shown(begun.id)).hunks;
    expect(parts.length).toBeGreaterThan(1);
    await reviews.decide({ suggestion: begun.id, hunk: parts[0]?.id ?? '', action: 'accept' });
    await work(lines([3, 'three'], [8, 'eight'], [20, 'twenty'], [21, 'more']));
    const grown = (await shown(begun.id)).hunks;
    expect(grown.slice(1).map(({ id }) => id)).toEqual(parts.map(({ id }) => id));
    expect(grown[1]?.status).toBe('accepted');
  });

  it('leaves the review of an earlier turn alone', async () => {
    const earlier = await open('0', '0');
    await work(lines([3, 'three'], [12, 'twelve'], [20, 'twenty']));
    expect((await shown(earlier.id)).revision).toBe(earlier.revision);
  });
});
