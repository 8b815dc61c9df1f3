import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../../lib/result.ts';
import { appendValue, isEmptyJson, type JsonValue, removeValue, setValue, valueAt } from './json-edit.ts';

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const COMMENTED = `{
\t// why this model
\t"model": "opus", /* keep */
\t"list": [
\t\t1,
\t\t2, // trailing
\t],
}
`;

describe('inserting a value', () => {
  it.each<[string, string | null, string]>([
    ['creates the file', null, '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    ['fills an empty file', ' \n', '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    ['fills an empty object', '{}', '{\n  "a": {\n    "b": 1\n  }\n}'],
    [
      'follows the layout of its neighbours',
      '{\n    "x": 1\n}',
      '{\n    "x": 1,\n    "a": {\n        "b": 1\n    }\n}',
    ],
    ['stays on one line with its neighbours', '{"x": 1}', '{"x": 1, "a": {"b":1}}'],
    [
      'goes beside its siblings',
      '{\n  "a": {\n    "c": 2\n  }\n}',
      '{\n  "a": {\n    "c": 2,\n    "b": 1\n  }\n}',
    ],
    ['replaces an existing value', '{"a": {"b": [9]}}', '{"a": {"b": 1}}'],
    ['keeps line ends', '{\r\n  "x": 1\r\n}\r\n', '{\r\n  "x": 1,\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}\r\n'],
  ])('%s', (_, text, expected) => {
    expect(must(setValue(text, ['a', 'b'], 1))).toBe(expected);
  });

  it('leaves comments and trailing commas as they are', () => {
    const added = must(setValue(COMMENTED, ['mcp', 'copane'], 1));
    expect(added).toContain('// why this model');
    expect(added).toContain('2, // trailing');
    expect(must(removeValue(added, ['mcp', 'copane'], COMMENTED))).toBe(COMMENTED);
    const longer = must(appendValue(COMMENTED, ['list'], 3));
    expect(longer).toContain('2, // trailing\n\t\t3,\n');
    expect(must(removeValue(longer, ['list', 2], COMMENTED))).toBe(COMMENTED);
  });

  it.each([
    ['no JSON', '{"a": ', 'line 1'],
    ['a list', '[1]', 'not a JSON object'],
    ['a text in place of a group', '{"a": "b"}', '"a" is not a group'],
  ])('is refused by %s', (_, text, why) => {
    const refused = setValue(text, ['a', 'b'], 1);
    expect(refused.ok ? '' : refused.error.message).toContain(why);
  });

  it('is refused where a list is expected', () => {
    expect(appendValue('{"a": {"b": 1}}', ['a', 'b'], 1).ok).toBe(false);
  });
});

describe('removing a value', () => {
  it('removes parents that were inserted with it, and no others', () => {
    const text = '{\n  "a": {\n    "b": 1\n  }\n}\n';
    expect(must(removeValue(text, ['a', 'b'], '{}\n'))).toBe('{}\n');
    expect(must(removeValue(text, ['a', 'b'], '{"a": {}}'))).toBe('{\n  "a": {}\n}\n');
    expect(isEmptyJson('{}\n')).toBe(true);
  });

  it('removes the first value, one in the middle, or the only one beside a comment', () => {
    expect(must(removeValue('{"a": 1, "b": 2}', ['a'], null))).toBe('{"b": 2}');
    expect(must(removeValue('{"a": 1}', ['b'], null))).toBe('{"a": 1}');
    expect(must(removeValue('{"l": [1, 2, 3]}', ['l', 1], null))).toBe('{"l": [1, 3]}');
    expect(must(removeValue('{ // here\n "a": 1\n}', ['a'], null))).toBe('{ // here\n}');
  });
});

/** JSON texts with comments and unusual layout. */
const gap = fc.constantFrom('', ' ', '\n', '\n  ', ' /* c */ ', ' // d\n');
const json: fc.Arbitrary<string> = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('1', '"x,}"', 'true', 'null', '"\\"]"'),
    tie('object'),
    fc
      .tuple(fc.array(tie('value'), { maxLength: 3 }), gap)
      .map(([items, blank]) => `[${items.join(`,${blank}`)}${blank}]`),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(fc.constantFrom('p', 'q', 'hooks', 'r'), tie('value')), {
        selector: ([key]) => key,
        maxLength: 3,
      }),
      gap,
      gap,
    )
    .map(
      ([pairs, before, after]) =>
        `{${before}${pairs.map(([key, value]) => `"${key}":${before}${value}`).join(`,${after}`)}${after}}`,
    ),
})).object;

describe('inserting and removing a value', () => {
  it('changes nothing else, whatever the text', () => {
    fc.assert(
      fc.property(json, (text) => {
        const added = setValue(text, ['ours', 'deep'], { list: [1] });
        if (!added.ok) throw new Error(added.error.message);
        expect(valueAt(added.value, ['ours', 'deep'])).toEqual({ list: [1] });
        const removed = must(removeValue(added.value, ['ours', 'deep'], text));
        expect(valueAt(removed, [])).toEqual(valueAt(text, []) as JsonValue);
        expect(comments(removed)).toEqual(comments(text));
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});

function comments(text: string): readonly string[] {
  return text.match(/\/\* c \*\/|\/\/ d/g) ?? [];
}
