import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMsOf } from '../../../test/helpers/cpu-time.ts';
import { markdownLines } from './markdown-lines.ts';

/** The drawn lines, with styles in angle brackets before and after. */
function drawn(source: string): readonly string[] {
  return markdownLines(source).map(({ text, styles }) => {
    const marks = styles.flatMap(([start, end, role]) => [
      { at: start, text: `<${role}>`, order: 1 },
      { at: end, text: `</${role}>`, order: 0 },
    ]);
    return marks
      .toSorted((a, b) => b.at - a.at || b.order - a.order)
      .reduce((line, mark) => line.slice(0, mark.at) + mark.text + line.slice(mark.at), text);
  });
}

describe('signs that only set a style', () => {
  it.each([
    ['# Title', ['<heading>Title</heading>']],
    ['a **bold** word', ['a <strong>bold</strong> word']],
    ['an *italic* and _another_', ['an <emphasis>italic</emphasis> and <emphasis>another</emphasis>']],
    ['run `npm test` now', ['run <code>npm test</code> now']],
    ['- one\n- two', ['<key>-</key> one', '<key>-</key> two']],
    ['12. one', ['<key>12.</key> one']],
    ['see [the docs](https://a.b/c)', ['see <link>the docs</link><dim> (https://a.b/c)</dim>']],
    ['[https://a.b](https://a.b)', ['<link>https://a.b</link>']],
    ['```ts\nlet a;\n```', ['<code>```ts</code>', '<code>let a;</code>', '<code>```</code>']],
    ['2 * 3 * 4 and snake_case_name', ['2 * 3 * 4 and snake_case_name']],
    ['a\n---', ['<heading>a</heading>', '<heading>---</heading>']],
  ])('%j', (source, lines) => {
    expect(drawn(source)).toEqual(lines);
  });

  it('aligns the columns of a table', () => {
    expect(
      drawn('| a | long name |\n|:--|--:|\n| 日本 | 2 |').map((line) => line.replace(/<.*?>/g, '')),
    ).toEqual(['a    | long name', '-----+----------', '日本 |         2']);
  });
});

it('keeps the line count of the source, and styles within lines', () => {
  const pieces = fc.constantFrom(
    'a',
    ' ',
    '\n',
    '*',
    '**',
    '_',
    '`',
    '```',
    '# ',
    '- ',
    '> ',
    '|',
    '[x](y)',
    '<b>',
    '\\',
    '日',
    '\t',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const source = parts.join('');
      const lines = markdownLines(source);
      expect(lines).toHaveLength(source.split('\n').length);
      for (const { text, styles } of lines) {
        expect(text).not.toContain('\n');
        for (const [start, end] of styles) expect(start >= 0 && start < end && end <= text.length).toBe(true);
      }
    }),
    { seed: 1, numRuns: 500 },
  );
});

describe('a response built to be expensive', () => {
  const MANY = 20_000;
  it.each([
    ['signs of emphasis', '_a**'.repeat(MANY)],
    ['nested emphasis', `${'*a '.repeat(MANY)}${' b*'.repeat(MANY)}`],
    ['nested images', `${'![a'.repeat(MANY)}${'](b)'.repeat(MANY)}`],
    ['nested quotes', '>'.repeat(MANY)],
    ['nested lists on one line', '- '.repeat(MANY)],
    ['nested lists', Array.from({ length: 400 }, (_, at) => `${' '.repeat(at * 2)}- a\n`).join('')],
    ['quotes in lists', '- > a\n'.repeat(MANY)],
    ['a list with lists in it', '- a\n  - b\n'.repeat(MANY)],
    ['a quote of many lines', '> a\n'.repeat(MANY)],
    ['a quote of as many lines as are read', '> a\n'.repeat(9_999)],
    ['a list of as many lines as are read', '- a\n  - b\n'.repeat(4_999)],
    ['gaps between signs', `>${' '.repeat(50)}`.repeat(3_000)],
  ])('draws %s quickly, line by line', (_, source) => {
    let lines = 0;
    const ms = cpuMsOf(() => {
      lines = markdownLines(source).length;
    });
    expect(lines).toBe(source.split('\n').length);
    // Without limits, the parser takes 5 to 130 s, or overflows the stack.
    expect(ms).toBeLessThan(2_000);
  });

  it('loses only the styles that are expensive to find', () => {
    expect(drawn(`**bold**\n\n${'> '.repeat(20)}a`)).toEqual([
      '<strong>bold</strong>',
      '',
      `${'> '.repeat(20)}a`,
    ]);
  });
});
