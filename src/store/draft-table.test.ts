import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { draftOf, must, temporaryHome } from '../../test/helpers/host-fakes.ts';
import { ok } from '../lib/result.ts';
import type { Draft, DraftLine } from '../protocol/draft.ts';
import { editBetween } from '../responses/core/draft-edit.ts';
import { openStore, type Store } from './store.ts';

const KEY = { project: '/p', pane: '%1' };

let home: ReturnType<typeof temporaryHome>;
let store: Store;
beforeEach(() => {
  home = temporaryHome();
  store = must(openStore({ stateDir: home.paths.stateDir, now: () => 0 }));
  must(store.beginEpoch({ pid: 1, startedAt: 0, version: 'test', socketPath: '/s' }));
});
afterEach(() => {
  store.close();
  home.remove();
});

const lineOf = (id: number, text: string): DraftLine => ({
  id,
  text,
  tag: 'note',
  changed: false,
  origin: null,
});

/** Stores `next` in place of the stored draft; returns the table's byte count. */
function save(next: Draft, revision: number): number {
  let bytes = 0;
  must(
    store.write((writer) => {
      const edit = editBetween(writer.drafts.get(KEY).draft, next);
      bytes = writer.drafts.edit(KEY, edit, { revision, updatedAt: 0, lastEdit: '' });
      return ok(null);
    }, 'ordered'),
  );
  return bytes;
}

const steps = fc.array(
  fc.record({
    at: fc.nat(30),
    remove: fc.nat(4),
    texts: fc.array(fc.string({ maxLength: 5 }), { maxLength: 4 }),
    pulls: fc.constantFrom('stay', 'add', 'drop', 'turn'),
  }),
  { minLength: 1, maxLength: 12 },
);

it('returns the saved text after any edits, and counts its bytes', () => {
  let revision = 0;
  fc.assert(
    fc.property(steps, (edits) => {
      let draft = store.drafts.get(KEY).draft;
      for (const { at, remove, texts, pulls } of edits) {
        const lines = draft.lines.toSpliced(
          at,
          remove,
          ...texts.map((text, n) => lineOf(draft.nextLineId + n, text)),
        );
        const added = { turnId: String(revision), lines: texts };
        const changed = {
          stay: draft.pulls,
          add: [...draft.pulls, added],
          drop: draft.pulls.slice(1),
          turn: draft.pulls.toReversed(),
        };
        const next: Draft = { lines, pulls: changed[pulls], nextLineId: draft.nextLineId + texts.length };
        revision += 1;
        expect(save(next, revision)).toBe(Buffer.byteLength(JSON.stringify(next)));
        expect(store.drafts.get(KEY)).toEqual({ key: KEY, draft: next, revision, updatedAt: 0 });
        draft = next;
      }
    }),
    { numRuns: 40, seed: 7 },
  );
});

it.each([
  ['above the first line', (_n: number) => 0],
  ['below the line typed last', (n: number) => 1 + n],
  ['above the line typed last', (_n: number) => 1],
])('keeps the order of lines typed one by one %s', (_name, place) => {
  let draft = draftOf('first', 'last');
  save(draft, 1);
  for (let n = 0; n < 60; n++) {
    const lines = draft.lines.toSpliced(place(n), 0, lineOf(draft.nextLineId, `${n}`));
    draft = { ...draft, lines, nextLineId: draft.nextLineId + 1 };
    save(draft, n + 2);
  }
  expect(store.drafts.get(KEY).draft).toEqual(draft);
});

it('refers to an unchanged pull by position, and sends its text once', () => {
  const pull = { turnId: 't', lines: Array.from({ length: 100 }, (_, n) => `line ${n}`) };
  const before: Draft = { ...draftOf('a'), pulls: [pull] };
  const edit = editBetween(before, {
    ...before,
    lines: [...before.lines, lineOf(2, 'b')],
    pulls: [{ ...pull }],
  });
  expect(edit).toMatchObject({ from: 1, remove: 0, pulls: null });
  expect(editBetween(before, { ...before, pulls: [{ turnId: 'u', lines: [] }, pull] }).pulls).toEqual([
    { turnId: 'u', lines: [] },
    0,
  ]);
});
