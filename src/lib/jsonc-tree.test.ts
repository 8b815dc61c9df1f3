import { describe, expect, it } from 'vitest';
import { JSONC_MAX_DEPTH, readJsoncTree } from './jsonc-tree.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('readJsoncTree', () => {
  it('accepts comments and trailing commas, and describes errors in words', () => {
    expect(readJsoncTree('{ // a\n "b": [1,], }')).toMatchObject({ root: { type: 'object' }, errors: [] });
    expect(readJsoncTree('[1 2]').errors).toEqual([{ offset: 3, what: 'comma expected' }]);
    expect(readJsoncTree('')).toEqual({ root: null, errors: [] });
  });

  it.each([JSONC_MAX_DEPTH + 1, 100_000])('refuses %d levels with a message', (depth) => {
    const what = `nested more than ${JSONC_MAX_DEPTH} deep`;
    expect(readJsoncTree(nested(JSONC_MAX_DEPTH)).errors).toEqual([]);
    expect(readJsoncTree(nested(depth))).toEqual({ root: null, errors: [{ offset: JSONC_MAX_DEPTH, what }] });
    expect(readJsoncTree('['.repeat(depth)).errors).toEqual([{ offset: JSONC_MAX_DEPTH, what }]);
  });

  it('ignores brackets in strings and comments', () => {
    const text = `/* ${'['.repeat(500)} */ ["${'['.repeat(500)}"]`;
    expect(readJsoncTree(text).errors).toEqual([]);
  });
});
