import { expect, it } from 'vitest';
import { draftOf } from '../../../test/helpers/host-fakes.ts';
import { sortIntoTables } from './salvage-rows.ts';

it('splits a draft of schema 4, stored as one row, into lines', () => {
  const draft = { ...draftOf('one', 'two'), pulls: [{ turnId: 't', lines: ['a'] }] };
  const values = ['/p', '%1', JSON.stringify(draft), 7, 9];
  const { tables } = sortIntoTables({ rows: [{ table: 'drafts', rowid: null, values }], damaged: new Set() });
  const rowsOf = (name: string) => tables.find(({ rule }) => rule.table === name)?.rows ?? [];
  const [head] = rowsOf('drafts');
  expect(head?.slice(1, 7)).toEqual(['/p', '%1', 7, 9, 3, 2]);
  const lines = rowsOf('draft_lines').map(([, id, , line]) => [id, JSON.parse(String(line)).text]);
  expect(lines).toEqual([
    [head?.[0], 'one'],
    [head?.[0], 'two'],
  ]);
  expect(rowsOf('draft_pulls')).toHaveLength(1);
});
