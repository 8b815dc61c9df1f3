import { describe, expect, it } from 'vitest';
import type { Result } from '../../lib/result.ts';
import {
  parseTurnNumber,
  parseTurnRange,
  selectTurns,
  type TurnSelection,
  turnsNeeded,
} from './select-range.ts';

const TURNS = ['newest', 'second', 'oldest'];

function check(selection: Result<TurnSelection>, expected: readonly string[] | string): void {
  const selected = selection.ok ? selectTurns(TURNS, selection.value) : selection;
  expect(selected.ok ? selected.value : selected.error.code).toEqual(expected);
}

describe('-n', () => {
  it.each<[string, readonly string[] | string]>([
    ['1', ['newest']],
    ['3', ['oldest']],
    ['4', 'not_found'],
    ['0', 'invalid'],
    ['-1', 'invalid'],
    ['1.5', 'invalid'],
    ['', 'invalid'],
    ['1e3', 'invalid'],
  ])('%j', (text, expected) => check(parseTurnNumber(text), expected));
});

describe('-r', () => {
  it.each<[string, readonly string[] | string]>([
    ['1:1', ['newest']],
    ['1:2', ['second', 'newest']],
    ['3:1', ['oldest', 'second', 'newest']],
    ['2:99', ['oldest', 'second']],
    ['2:', ['oldest', 'second']],
    [':2', ['second', 'newest']],
    ['7:9', 'not_found'],
    [':', 'invalid'],
    ['2', 'invalid'],
    ['0:2', 'invalid'],
    ['1:2:3', 'invalid'],
    ['a:b', 'invalid'],
  ])('%j', (text, expected) => check(parseTurnRange(text), expected));
});

describe('selectTurns', () => {
  it('gives all turns, oldest first', () => {
    expect(selectTurns(TURNS, { kind: 'all' })).toEqual({ ok: true, value: ['oldest', 'second', 'newest'] });
  });

  it('of no turns is nothing, and no failure', () => {
    expect(selectTurns([], { kind: 'one', index: 1 })).toEqual({ ok: true, value: [] });
  });
});

describe('turnsNeeded', () => {
  it.each<[TurnSelection, number | null]>([
    [{ kind: 'one', index: 4 }, 4],
    [{ kind: 'range', first: 2, last: 5 }, 5],
    [{ kind: 'range', first: 2, last: null }, null],
    [{ kind: 'all' }, null],
  ])('%j', (selection, expected) => {
    expect(turnsNeeded(selection)).toBe(expected);
  });
});
