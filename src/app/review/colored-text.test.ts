import { describe, expect, it } from 'vitest';
import { createColorText, languageOf } from './colored-text.ts';

const colorText = createColorText();
const shown = (file: string, text: string) =>
  colorText(file, text)?.map((line, index) =>
    line.map(([start, end, kind]) => [text.split('\n')[index]?.slice(start, end), kind]),
  );

describe('createColorText', () => {
  it('returns ranges by line', () => {
    expect(shown('a.ts', "const x = 'a'; // no\nreturn 1;")).toEqual([
      [
        ['const', 'keyword'],
        ["'a'", 'string'],
        ['// no', 'comment'],
      ],
      [
        ['return', 'keyword'],
        ['1', 'number'],
      ],
    ]);
  });

  it('continues across lines, and treats code inside a string as code', () => {
    const lines = shown('a.ts', `/* one\ntwo */ \`a $\{let} b\``);
    expect(lines?.[0]).toEqual([['/* one', 'comment']]);
    expect(lines?.[1]?.[0]).toEqual(['two */', 'comment']);
    expect(lines?.[1]?.filter(([, kind]) => kind === 'string').length).toBeGreaterThan(0);
  });

  it('has one entry per line with ascending ranges', () => {
    const text = '\n\nfunction f() {\r\n  return "x"\n}\n';
    const lines = colorText('a.js', text) ?? [];
    expect(lines).toHaveLength(text.split('\n').length);
    for (const line of lines) {
      let at = 0;
      for (const [start, end] of line) {
        expect(start).toBeGreaterThanOrEqual(at);
        expect(end).toBeGreaterThan(start);
        at = end;
      }
    }
  });

  it('returns null for unknown languages', () => {
    expect(colorText('a.unheard', 'x')).toBeNull();
    expect(colorText('LICENSE', 'x')).toBeNull();
  });
});

it.each([
  ['src/a.ts', 'ts'],
  ['Makefile', 'makefile'],
  ['x/.zshrc', 'bash'],
  ['a.b/README.md', 'md'],
  ['noending', ''],
])('detects the language of %s', (file, language) => expect(languageOf(file)).toBe(language));
