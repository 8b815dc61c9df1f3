import { describe, expect, it } from 'vitest';
import type { Subject } from '../core/change.ts';
import type { StoredChange, StoredFile, StoredSuggestion } from '../records/records.ts';
import { askedFor, decidedBefore, isUnchanged, replacedBy } from './replace.ts';

type Input = Parameters<typeof askedFor>[0];
const input = (change: Partial<Input> = {}): Input => ({
  source: { kind: 'working_tree', against: 'head' },
  filter: { files: [], exclude: [], paths: [], lines: [], notes: {} },
  stage: false,
  author: null,
  ...change,
});
const stored = (change: Partial<StoredSuggestion>) =>
  ({
    id: 's',
    target: '/t',
    patch: 'p',
    selected: null,
    end: null,
    inPlace: true,
    asked: askedFor(input()),
    ...change,
  }) as StoredSuggestion;

describe('the earlier review', () => {
  const first = stored({ id: 'first' });
  const replaced = (change: Partial<StoredSuggestion>, open = [first]) =>
    replacedBy(stored(change), open).map(({ id }) => id);

  it('is the open one with the same source, files and target', () => {
    expect(replaced({})).toEqual(['first']);
    expect(replaced({ asked: askedFor(input({ stage: true })) })).toEqual([]);
    expect(replaced({ asked: askedFor(input({ source: { kind: 'index' } })) })).toEqual([]);
    const filter = { ...input().filter, paths: ['/t/a'] };
    expect(replaced({ asked: askedFor(input({ filter })) })).toEqual([]);
    expect(replaced({ target: '/u' })).toEqual([]);
    expect(replaced({}, [stored({ id: 'first', end: 'finalized' })])).toEqual([]);
  });

  it('is never found for a patch on stdin, a sandbox or an author', () => {
    expect(askedFor(input({ source: { kind: 'patch', patch: '' } }))).toBeNull();
    expect(askedFor(input({ source: { kind: 'sandbox', folder: '/s' } }))).toBeNull();
    expect(askedFor(input({ author: 'ai' }))).toBeNull();
    expect(replaced({ asked: null }, [stored({ id: 'first', asked: null })])).toEqual([]);
  });
});

const change = (id: string, fields: Partial<StoredChange>): StoredChange => ({
  id,
  file: 0,
  decision: 'pending',
  pieces: null,
  modified: null,
  redundant: false,
  frozen: null,
  past: [],
  future: [],
  comments: [],
  ...fields,
});

const file = (fields: Partial<StoredFile>): StoredFile => ({
  base: null,
  absent: false,
  origin: null,
  unmoved: true,
  parts: [],
  ...fields,
});

describe('the same review', () => {
  const first = stored({ id: 'first', notes: ['a'] });
  const isSame = (
    fields: Partial<StoredSuggestion>,
    changes: readonly StoredChange[] = [],
    [was, is]: readonly [string, string] = ['old', 'old'],
  ) =>
    isUnchanged(stored({ notes: ['a'], ...fields }), first, {
      changes,
      files: [file({ origin: was })],
      now: [file({ origin: is })],
    });

  it('is reused if nothing has changed: the patch, its files, the omissions', () => {
    expect(isSame({})).toBe(true);
    expect(isSame({ patch: 'q' })).toBe(false);
    expect(isSame({ selected: [0] })).toBe(false);
    expect(isSame({ notes: [] })).toBe(false);
  });

  it('is not reused in place if a rejected change has come back', () => {
    expect(isSame({}, [change('a', { decision: 'accepted' })])).toBe(true);
    expect(isSame({}, [change('a', { decision: 'rejected' })])).toBe(false);
    expect(isSame({}, [change('a', { decision: 'modified' })])).toBe(false);
    expect(isSame({ inPlace: false }, [change('a', { decision: 'rejected' })])).toBe(true);
  });

  it('is not reused elsewhere if an accepted change has left the file', () => {
    const accepted = [change('a', { decision: 'accepted' })];
    expect(isSame({ inPlace: false }, accepted, ['old', 'new'])).toBe(true);
    expect(isSame({ inPlace: false }, accepted, ['old', 'old'])).toBe(false);
  });
});

describe('what is kept', () => {
  const earlier = [
    change('a', { decision: 'accepted', past: ['pending'] }),
    change('b', { decision: 'rejected', past: ['pending'] }),
    change('c', { comments: ['why?'] }),
    change('d', { decision: 'accepted', frozen: 'edited since' }),
    change('gone', { decision: 'accepted' }),
  ];
  const subjects = [['b'], ['a', 'c', 'd']].map(
    (ids) => ({ changes: ids.map((id) => ({ id })) }) as unknown as Subject,
  );
  const kept = (inPlace: boolean) => {
    const open = [stored({ id: 'first', inPlace })];
    const records = {
      suggestions: () => open,
      openSuggestions: () => open,
      changes: () => earlier,
      files: () => [],
    };
    const content = { subjects, files: subjects.map(() => ({ parts: [] }) as unknown as StoredFile) };
    const { changes } = decidedBefore(stored({ inPlace }), content, records);
    return changes.map(({ id, file, decision, comments }) => [id, file, decision, comments]);
  };

  it('is accepted changes, if in place, and every comment', () => {
    expect(kept(true)).toEqual([
      ['a', 1, 'accepted', []],
      ['c', 1, 'pending', ['why?']],
    ]);
  });

  it('is rejected changes, if elsewhere: the files have the accepted ones', () => {
    expect(kept(false)).toEqual([
      ['b', 0, 'rejected', []],
      ['c', 1, 'pending', ['why?']],
    ]);
  });
});
