import { describe, expect, it } from 'vitest';
import { testSubjects } from '../../../test/helpers/review-subject.ts';
import { runAtOnce } from '../../lib/steps.ts';
import type { StoredSuggestion } from '../records/records.ts';
import { admit, checkNames, checkRoom, checkRuns, crowdedOut } from './admission.ts';

const stored = (change: Partial<StoredSuggestion>): StoredSuggestion =>
  ({
    id: 'fresh',
    target: '/t',
    patch: 'p',
    selected: null,
    author: 'ai',
    end: null,
    files: ['a'],
    ...change,
  }) as StoredSuggestion;

const many = (count: number, change: Partial<StoredSuggestion> = {}) =>
  Array.from({ length: count }, (_, n) => stored({ id: `s${n}`, patch: `p${n}`, ...change }));

describe('a repeated suggestion of an author', () => {
  const first = stored({ id: 'first' });

  it('is the existing one', () => {
    expect(admit(stored({ description: 'other words' }), [first])).toEqual({ ok: true, value: 'first' });
  });

  it.each<[string, Partial<StoredSuggestion>]>([
    ['another author', { author: 'other' }],
    ['the user, who may repeat one', { author: null }],
    ['another patch', { patch: 'q' }],
    ['other files of it', { selected: [0] }],
    ['another target', { target: '/u' }],
  ])('is a new one from or with %s', (_, change) => {
    expect(admit(stored(change), [first])).toEqual({ ok: true, value: null });
  });

  it('is new once the first is finished', () => {
    expect(admit(stored({}), [stored({ id: 'first', end: 'discarded' })])).toEqual({ ok: true, value: null });
  });
});

describe('room', () => {
  it('is for 100 of one author, regardless of others', () => {
    const others = many(200, { author: 'other' });
    expect(admit(stored({}), [...others, ...many(99)])).toEqual({ ok: true, value: null });
    expect(admit(stored({}), [...others, ...many(100)])).toMatchObject({ error: { code: 'limit' } });
    expect(admit(stored({}), many(100, { end: 'finalized' }))).toEqual({ ok: true, value: null });
  });

  it('is for 20,000 files of one author, across suggestions', () => {
    const files = Array.from({ length: 5_000 }, (_, n) => `f${n}`);
    expect(admit(stored({ files }), many(3, { files }))).toEqual({ ok: true, value: null });
    expect(admit(stored({ files }), many(4, { files }))).toMatchObject({ error: { code: 'limit' } });
    expect(admit(stored({ files: [...files, ...files, ...files, ...files, 'one more'] }), []).ok).toBe(true);
  });

  it('is for 1 MiB of names', () => {
    const name = 'n'.repeat(1_024);
    expect(checkNames(Array.from({ length: 1_024 }, () => name)).ok).toBe(true);
    expect(checkNames(['a', ...Array.from({ length: 1_024 }, () => name)])).toMatchObject({
      error: { code: 'limit' },
    });
  });

  it("is for 10,000 places in which an author's patch changes one file, in any number of hunks", () => {
    const hunk = (runs: number) => {
      const rows = 2 * runs + 1;
      return `@@ -1,${rows - 1} +1,${rows} @@\n${' a\n-b\n+c\n'.repeat(runs - 1)} a\n+d\n+e\n a\n-b\n\\ No newline at end of file\n`;
    };
    const checked = (hunks: string) => runAtOnce(checkRuns(testSubjects(`--- a/f\n+++ b/f\n${hunks}`)));
    expect(checked(hunk(9_999)).ok).toBe(true);
    expect(checked(hunk(10_000))).toMatchObject({
      error: { code: 'limit', message: 'The patch changes f in more than 10000 separate places.' },
    });
    const insertions = (count: number) => '@@ -1,3 +1,4 @@\n a\n+b\n a\n a\n'.repeat(count);
    expect(checked(insertions(10_000)).ok).toBe(true);
  });

  it('is for 500 of all authors and sandboxes', () => {
    expect(checkRoom(many(499)).ok).toBe(true);
    expect(checkRoom([...many(499), ...many(600, { author: null })]).ok).toBe(true);
    expect(checkRoom([...many(499), ...many(1, { author: null, sandbox: '/s' })]).ok).toBe(false);
    expect(checkRoom(many(500))).toMatchObject({ error: { code: 'limit' } });
    expect(checkRoom(many(600, { end: 'discarded' })).ok).toBe(true);
  });

  it("is made for the user's own review by the oldest that nobody decided or commented on", () => {
    const own = { author: null, decidedCount: 0 };
    const fresh = stored({ ...own, id: 'fresh' });
    const ids = (open: readonly StoredSuggestion[]) => crowdedOut(fresh, open).map(({ id }) => id);
    expect(ids(many(499, own))).toEqual([]);
    expect(ids([...many(499, own), ...many(100)])).toEqual([]);
    expect(ids(many(500, own))).toEqual(['s499']);
    const begun = [stored({ ...own, id: 'd', decidedCount: 1 }), stored({ ...own, id: 'c', acted: true })];
    expect(ids([...many(499, own), ...begun])).toEqual(['s498']);
    expect(ids(many(500, { ...own, acted: true }))).toEqual([]);
    expect(crowdedOut(stored({}), many(500, own))).toEqual([]);
  });
});
