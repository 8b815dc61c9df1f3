import { expect, it } from 'vitest';
import type { ClientName } from './client-catalog.ts';
import { EDITS_HEADING, joinTable, otherThanOnPage } from './edit-table.ts';

const HUMAN = 'human edit during the turn';
const cellsOf = (cell: string) =>
  new Map<ClientName, ReadonlyMap<string, string>>([['codex', new Map([[HUMAN, cell]])]]);
const pageWith = (cell: string) => `${EDITS_HEADING}\n\n${joinTable([HUMAN], cellsOf(cell), '')}\n`;
const followed = new Map();

it('finds a cell that differs from the page, also where a human edits meanwhile', () => {
  const page = pageWith('exact');
  expect(otherThanOnPage({ alone: cellsOf('exact'), followed }, page)).toEqual([]);
  expect(otherThanOnPage({ alone: cellsOf('AI only'), followed }, page)).toEqual([
    `codex, ${HUMAN}: AI only; the page: exact`,
  ]);
});

it('accepts each value of a cell that has several, and keeps them when one is recorded again', () => {
  const page = pageWith('AI only or exact');
  for (const one of ['AI only', 'exact']) {
    expect(otherThanOnPage({ alone: cellsOf(one), followed }, page)).toEqual([]);
    expect(joinTable([HUMAN], cellsOf(one), page)).toContain('| AI only or exact |');
  }
  expect(otherThanOnPage({ alone: cellsOf('not exact: loose'), followed }, page)).toHaveLength(1);
});
