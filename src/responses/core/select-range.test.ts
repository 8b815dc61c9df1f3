import { describe, expect, it } from 'vitest';
import { parseTurnRange, selectTurns } from './select-range.ts';

const TURNS = ['newest', 'second', 'oldest'];

describe('a range of turns', () => {
  it.each<[string, readonly string[] | 'invalid']>([
    ['1:1', ['newest']],
    ['1:2', ['newest', 'second']],
    ['3:1', ['newest', 'second', 'oldest']],
    ['2:99', ['second', 'oldest']],
    ['2:', ['second', 'oldest']],
    [':2', ['newest', 'second']],
    ['7:9', []],
    [':', 'invalid'],
    ['2', 'invalid'],
    ['', 'invalid'],
    ['0:2', 'invalid'],
    ['-1:2', 'invalid'],
    ['1.5:2', 'invalid'],
    ['1e3:2', 'invalid'],
    ['1:2:3', 'invalid'],
    ['a:b', 'invalid'],
  ])('%j', (text, expected) => {
    const range = parseTurnRange(text);
    expect(range.ok ? selectTurns(TURNS, range.value) : range.error.code).toEqual(expected);
  });
});
