import { describe, expect, it } from 'vitest';
import { codeBlocks } from './code-blocks.ts';

function check(
  markdown: string,
  expected: readonly (readonly [language: string, text: string, start: number, end: number])[],
): void {
  expect(codeBlocks(markdown).map((block) => [block.language, block.text, block.start, block.end])).toEqual(
    expected,
  );
}

describe('codeBlocks', () => {
  it.each<[string, string, readonly (readonly [string, string, number, number])[]]>([
    ['none', 'text\n    indented', []],
    ['one with its language', 'a\n```TS\nlet x;\n```\nb', [['ts', 'let x;', 1, 4]]],
    ['no language, empty', '```\n```', [['', '', 0, 2]]],
    [
      'two',
      '```a\n1\n```\n\n~~~b\n2\n~~~',
      [
        ['a', '1', 0, 3],
        ['b', '2', 4, 7],
      ],
    ],
    ['a shorter fence inside a longer one', '````md\n```js\nx\n```\n````', [['md', '```js\nx\n```', 0, 5]]],
    ['another fence character inside', '~~~md\n```js\nx\n```\n~~~', [['md', '```js\nx\n```', 0, 5]]],
    ['a fence with info inside does not close', '```md\n```js\n```', [['md', '```js', 0, 3]]],
    ['a longer closing fence', '```\nx\n`````', [['', 'x', 0, 3]]],
    ['in a list', '- item\n  ```sh\n  if a\n    b\n\n  ```', [['sh', 'if a\n  b\n', 1, 6]]],
    ['at a list marker', '1. ```sh\n   a\n   ```', [['sh', 'a', 0, 3]]],
    ['in a quote', '> ```sh\n> a\n>\n>   b\n> ```', [['sh', 'a\n\n  b', 0, 5]]],
    ['inline code is not a block', '```not a block```\ntext', []],
    ['info with attributes', '```ts{1,3} title="a.ts"\nx\n```', [['ts', 'x', 0, 3]]],
  ])('%s', (_name, markdown, expected) => check(markdown, expected));

  it('returns a block that is still streaming as open', () => {
    expect(codeBlocks('```js\na\nb')).toEqual([
      { language: 'js', info: 'js', text: 'a\nb', start: 0, end: 3, closed: false },
    ]);
    expect(codeBlocks('```js\na\n```')[0]?.closed).toBe(true);
  });
});
