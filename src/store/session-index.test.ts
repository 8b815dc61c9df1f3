import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeTree } from '../../test/helpers/remove-tree.ts';
import { testTurn } from '../../test/helpers/ui-fakes.ts';
import type { SessionRef } from '../protocol/turn-range.ts';
import { MAX_SESSIONS, SessionIndex } from './session-index.ts';

let root = '';
let index: SessionIndex;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-index-'));
  index = SessionIndex.open(path.join(root, 'cache/sessions.db'));
});
afterEach(() => {
  index.close();
  removeTree(root);
});

const ref = (sessionId: string): SessionRef => ({ cli: 'claude', path: `/s/${sessionId}.jsonl`, sessionId });

function put(
  id: string,
  changedAt: number,
  texts: readonly (readonly [prompt: string, response: string])[],
): void {
  const turns = texts.map(([prompt, response], at) => testTurn(`${id}-${at}`, { prompt, response }));
  index.put({ session: ref(id), changedAt, title: texts[0]?.[0] ?? '', turns, more: false });
}

it('lists the requested sessions, newest first, with their answers', () => {
  put('a', 1, [['first', 'yes']]);
  put('b', 3, [
    ['second', 'yes'],
    ['third', ''],
  ]);
  put('other', 2, [['not asked for', 'no']]);
  expect(index.list([ref('a'), ref('b'), ref('never')])).toMatchObject([
    { title: 'second', answers: 1, changedAt: 3 },
    { title: 'first', answers: 1, changedAt: 1 },
  ]);
});

it.each([
  ['flush', ['b-1']],
  ['FLUSH end', ['b-1']],
  ['end()', ['b-1']],
  ['lush', ['b-1']],
  ['漢字', ['a-0']],
  ['漢', ['a-0']],
  ['"quoted"', ['a-0']],
  ['größe ÜBER', ['a-0']],
  ['100%', ['b-0']],
  ['a_b', []],
  ['flush 漢字', []],
  ['NEAR OR AND', []],
  ['*', []],
])('finds "%s" in %j', (words, turns) => {
  put('a', 1, [['about 漢字', 'a "quoted" word, GRÖSSE, Größe über']]);
  put('b', 2, [
    ['percent', 'it is 100% axb'],
    ['why', 'The cause:\nno flush in end() here'],
  ]);
  expect(index.search([ref('a'), ref('b')], words).map(({ found }) => found?.turn)).toEqual(turns);
});

it('shows the matching line of the newest turn, and how many turns match', () => {
  put('a', 1, [
    ['one', 'parser'],
    ['two', 'x\n  the Parser is here  \ny'],
  ]);
  expect(index.search([ref('a')], 'parser')[0]?.found).toEqual({
    turn: 'a-1',
    line: 'the Parser is here',
    count: 2,
  });
});

it('keeps only the newest state of a session', () => {
  put('a', 1, [['old words', '']]);
  put('a', 2, [['new words', '']]);
  expect(index.search([ref('a')], 'old')).toEqual([]);
  expect([...index.known().values()]).toEqual([2]);
});

it('keeps no more sessions than its bound', () => {
  for (let at = 0; at <= MAX_SESSIONS; at += 1) put(`s${at}`, at, [['p', 'r']]);
  expect(index.known().size).toBe(MAX_SESSIONS);
  expect(index.list([ref('s0')])).toEqual([]);
});

it('starts over when the file is not a database', () => {
  const file = path.join(root, 'broken.db');
  writeFileSync(file, 'not a database, and long enough to be read as one'.repeat(200));
  const made = SessionIndex.open(file);
  expect(made.known().size).toBe(0);
  made.close();
});
