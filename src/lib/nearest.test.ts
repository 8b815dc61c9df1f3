import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const KNOWN = ['markers', 'mouse', 'theme', 'outbox/record', 'keys'];

describe('nearest', () => {
  it.each([
    ['marker', 'markers'],
    ['MARKERS', 'markers'],
    ['mosue', 'mouse'],
    ['outbox/recrod', 'outbox/record'],
    ['key', 'keys'],
    ['zzz', null],
    ['', null],
    ['completely different', null],
  ])('%s → %s', (word, expected) => {
    expect(nearest(word, KNOWN)).toBe(expected);
  });
});
