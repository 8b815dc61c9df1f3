import { describe, expect, test } from 'vitest';
import { fencesInText, wordsAround } from './fences.ts';

/** File and text of each fence, and the words around them. */
function read(text: string) {
  const fences = fencesInText(text);
  return [...fences.map(({ file, text: code }) => [file, code]), wordsAround(text, fences)];
}

test.each<[string, string, readonly unknown[]]>([
  ['a path above', 'So:\n\n**a.ts**\n\n```ts\nx\n```\nDone.', [['a.ts', 'x'], 'So:\n\nDone.']],
  ['a path in a heading', '### File: `a.ts`\n```ts\nx\n```', [['a.ts', 'x'], '']],
  ['a path after the fence', '```ts:src/a.ts\nx\n```', [['src/a.ts', 'x'], '']],
  ['only the named ones', '```sh\nls\n```\na.ts\n```\nx\n```', [['a.ts', 'x'], '```sh\nls\n```']],
  [
    'a fence in Markdown',
    'R.md\n```md\n# T\n```sh\nls\n```\nend\n```\nSo.',
    [['R.md', '# T\n```sh\nls\n```\nend'], 'So.'],
  ],
  ['a longer fence', 'R.md\n````\n```\nls\n```\n````', [['R.md', '```\nls\n```'], '']],
  [
    'Markdown with an unclear end',
    'R.md\n```md\n# T\n```\nls\n```\nend\n```',
    ['R.md\n```md\n# T\n```\nls\n```\nend\n```'],
  ],
  [
    'a block of a file in a fence',
    'So:\n```xml\n<file path="a" lines="1-2">\nx\n</file>\n```',
    [['a', 'x'], 'So:'],
  ],
  ['a fence without an end', 'a.ts\n```ts\nx', ['a.ts\n```ts\nx']],
])('%s', (_, text, expected) => expect(read(text)).toEqual(expected));

test('the line range that a block states', () => {
  expect(fencesInText('<file path="a" lines="3-5">\nx\n</file>')).toMatchObject([
    { range: { from: 3, to: 5 } },
  ]);
});

describe('reads a long answer in one pass', () => {
  test.each([
    ['a banner', `${'#'.repeat(60)} !\n\`\`\`py\nx\n\`\`\``],
    ['blank lines', '\n'.repeat(50_000)],
    ['fences without ends', 'a\n```py\nx\n'.repeat(20_000)],
    ['Markdown', 'a\n```md\nx\n```\nb.md\n'.repeat(20_000)],
    ['blocks without ends', '<file path="a">\nx\n'.repeat(20_000)],
  ])('%s', (_, text) => expect(fencesInText(text).length).toBeLessThanOrEqual(20_000));
});
