import { describe, expect, it } from 'vitest';
import { draftOf, must, putDraft } from '../../test/helpers/host-fakes.ts';
import { change, entry, testStores } from '../../test/helpers/test-store.ts';
import { fail } from '../lib/result.ts';
import type { Draft } from '../protocol/draft.ts';
import { DRAFTS_MAX_EMPTY } from './draft-table.ts';
import { OUTBOX_COLLECT_EVERY, OUTBOX_MAX_FINISHED } from './outbox-table.ts';
import type { Store, StoreWriter } from './store.ts';
import { VIEWED_MAX_HUNKS } from './viewed-table.ts';

const stores = testStores();

describe('drafts', () => {
  it('drops empty drafts beyond the bound, oldest first, and never one with text', () => {
    const store = stores.open();
    const put = (writer: StoreWriter, pane: string, draft: Draft, updatedAt: number) =>
      putDraft(writer, { key: { project: 'p', pane }, draft, revision: 1, updatedAt });
    change(store, (writer) => {
      put(writer, 'text', draftOf('mine'), 0);
      for (let n = 1; n <= DRAFTS_MAX_EMPTY; n++) put(writer, `e${n}`, draftOf(), n);
      expect(writer.drafts.get({ project: 'p', pane: 'e1' }).revision).toBe(1);
      put(writer, 'last', draftOf(), DRAFTS_MAX_EMPTY + 1);
    });
    const revisionOf = (pane: string) => store.drafts.get({ project: 'p', pane }).revision;
    expect(['text', 'e1', 'e2', 'last'].map(revisionOf)).toEqual([1, 0, 1, 1]);
  });
});

describe('the outbox', () => {
  const LAST = OUTBOX_MAX_FINISHED + OUTBOX_COLLECT_EVERY;

  it('drops the oldest finished prompts beyond the bound, even if the clock goes back', () => {
    const store = stores.open();
    change(store, (writer) => {
      writer.outbox.put(entry('open', 'pasted', -1));
      for (let n = 0; n <= LAST; n++) writer.outbox.put(entry(`f${n}`, 'delivered', -n));
      // An update keeps its original position.
      writer.outbox.put(entry(`f${LAST - 2}`, 'delivered', LAST));
    });
    expect(store.outbox.get('open')).not.toBeNull();
    expect(store.outbox.get('f0')).toBeNull();
    expect(store.outbox.list(null, 3).map(({ id }) => id)).toEqual([
      `f${LAST}`,
      `f${LAST - 1}`,
      `f${LAST - 2}`,
    ]);
    const kept = store.outbox.list(null, LAST).length;
    expect(kept).toBeGreaterThan(OUTBOX_MAX_FINISHED);
    expect(kept).toBeLessThanOrEqual(OUTBOX_MAX_FINISHED + OUTBOX_COLLECT_EVERY);
  });

  it('lists the prompts of one pane, regardless of the field order in its identity', () => {
    const store = stores.open();
    change(store, (writer) => {
      writer.outbox.put(entry('a'));
      writer.outbox.put({ ...entry('b'), pane: { ...entry('b').pane, paneId: '%9' } });
    });
    const { socketPath, serverPid, paneId, panePid } = entry('a').pane;
    expect(store.outbox.list({ panePid, paneId, serverPid, socketPath }, 9).map(({ id }) => id)).toEqual([
      'a',
    ]);
  });
});

describe('suggestions', () => {
  const suggestion = (id: string, more = {}) =>
    ({
      id,
      target: '/p',
      patch: '',
      createdAt: Number(id),
      files: ['a'],
      end: null,
      revision: 1,
      ...more,
    }) as never;
  const listed = (store: Store) => store.reviews.openSuggestions().map(({ id, revision }) => [id, revision]);

  it('are listed as stored after a change, a rollback and a purge', () => {
    const store = stores.open();
    change(store, (writer) => writer.reviews.putSuggestion(suggestion('1')));
    change(store, (writer) => writer.reviews.putSuggestion(suggestion('2')));
    expect(listed(store)).toEqual([
      ['2', 1],
      ['1', 1],
    ]);
    must(
      store.write((writer) => {
        writer.reviews.putSuggestion(suggestion('1', { revision: 2 }));
        expect(listed(store)).toContainEqual(['1', 2]);
        return fail('refused', 'no');
      }),
    );
    expect(listed(store)).toContainEqual(['1', 1]);
    change(store, (writer) => writer.reviews.putSuggestion(suggestion('1', { end: 'discarded' })));
    expect(listed(store)).toEqual([['2', 1]]);
    change(store, (writer) => writer.purge({ kind: 'reviews', before: 10, unfinished: false }));
    expect(store.reviews.suggestions().map(({ id }) => id)).toEqual(['2']);
  });

  it('are listed in order of arrival, regardless of the clock', () => {
    const store = stores.open();
    for (const [id, createdAt] of [
      ['first', 9_000],
      ['second', 1],
      ['third', 5_000],
    ] as const)
      change(store, (writer) => writer.reviews.putSuggestion(suggestion(id, { createdAt })));
    change(store, (writer) =>
      writer.reviews.putSuggestion(suggestion('first', { createdAt: 9_000, revision: 2 })),
    );
    expect(store.reviews.suggestions().map(({ id }) => id)).toEqual(['third', 'second', 'first']);
  });

  it('are dropped once ended, beyond a number and a size, oldest first', () => {
    const store = stores.open();
    const files = ['n'.repeat(1024 * 1024)];
    change(store, (writer) => writer.reviews.putSuggestion(suggestion('0', { files })));
    for (let id = 1; id <= 5; id += 1)
      change(store, (writer) =>
        writer.reviews.putSuggestion(suggestion(`${id}`, { files, end: 'finalized' })),
      );
    expect(store.reviews.suggestions().map(({ id }) => id)).toEqual(['5', '4', '3', '0']);
    change(store, (writer) => {
      for (let id = 6; id <= 600; id += 1)
        writer.reviews.putSuggestion(suggestion(`${id}`, { end: 'finalized' }));
    });
    const left = store.reviews.suggestions();
    expect([left.length, left.at(-2)?.id, left.at(-1)?.id]).toEqual([501, '101', '0']);
  });
});

describe('viewed hunks', () => {
  it('survive a restart until unmarked', () => {
    change(stores.open(), (writer) => writer.viewed.mark(['a', 'b', 'a'], true));
    const store = stores.open();
    expect(store.viewed.of(['b', 'c', 'a'])).toEqual(['b', 'a']);
    change(store, (writer) => writer.viewed.mark(['b', 'never'], false));
    expect(store.viewed.of(['a', 'b'])).toEqual(['a']);
  });

  it('are dropped beyond a bound, oldest first', () => {
    const store = stores.open();
    const ids = Array.from({ length: VIEWED_MAX_HUNKS + 1 }, (_, index) => `${index}`);
    change(store, (writer) => writer.viewed.mark(ids.slice(0, VIEWED_MAX_HUNKS), true));
    expect(store.viewed.of(['0'])).toEqual(['0']);
    change(store, (writer) => writer.viewed.mark(ids.slice(VIEWED_MAX_HUNKS), true));
    expect(store.viewed.of(['0', '1', `${VIEWED_MAX_HUNKS}`])).toEqual(['1', `${VIEWED_MAX_HUNKS}`]);
  });
});
