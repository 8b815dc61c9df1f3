import { describe, expect, it } from 'vitest';
import { drawnCharacters } from './drawn-characters.ts';
import { FLAGS } from './hidden-text.ts';
import { sanitize, shownAs } from './sanitize.ts';

const LAST_CODE_POINT = 0x10ffff;

/** All properties of characters without ink, stated independently of the implementation. */
const UNSEEN =
  /^(?:\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|\p{Zs}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|\p{Noncharacter_Code_Point})$/u;
const BLANK_SYMBOLS = [0x2800, 0xfffc, 0x1d159, 0x13441, 0x13442, 0x1107f, 0x2d7f, 0x16fe4];

function isUnseen(codePoint: number): boolean {
  const character = String.fromCodePoint(codePoint);
  if (character === '\t' || character === '\n' || character === ' ') return false;
  const isReservedEmoji = /^(?=\p{Cn})\p{Extended_Pictographic}$/u.test(character);
  return (UNSEEN.test(character) && !isReservedEmoji) || BLANK_SYMBOLS.includes(codePoint);
}

describe('sanitize', () => {
  it('shows every Unicode code point that has no ink, and leaves all others unchanged', () => {
    const STEP = 0x1000;
    for (let first = 0; first <= LAST_CODE_POINT; first += STEP) {
      let [text, expected] = ['', ''];
      for (let codePoint = first; codePoint < first + STEP; codePoint += 1) {
        const character = String.fromCodePoint(codePoint);
        text += `a${character}b`;
        expected += `a${isUnseen(codePoint) ? shownAs(codePoint) : character}b`;
      }
      expect(sanitize(text)).toBe(expected);
    }
  });

  it.each([
    ['an escape sequence', '\u001b[31mred', '␛[31mred'],
    ['an unterminated OSC', '\u001b]0;\nnext line', '␛]0;\nnext line'],
    ['an 8-bit CSI', '\u009b2J', '<009B>2J'],
    ['a backspace', 'rm\b\bls', 'rm␈␈ls'],
    ['a CR within a line', 'evil\rgood', 'evil␍good'],
    ['an override', 'a\u202eb', 'a<202E>b'],
    ['a Hangul filler', 'const \u3164 = 1', 'const <3164> = 1'],
    ['a Braille blank', 'a\u2800b', 'a<2800>b'],
    ['text in tags', '\u{e0041}\u{e0042}', '<E0041><E0042>'],
    ['half a surrogate pair', 'a\ud83d', 'a<D83D>'],
    ['private use', '\ue000', '<E000>'],
    ['a no-break space in code', 'return\u00a0x', 'return<00A0>x'],
  ])('shows %s', (_, text, expected) => expect(sanitize(text)).toBe(expected));

  it.each([
    ['emoji joined into one', '👩🏽‍🚀 ❤️‍🔥 🏴‍☠️ 👁️‍🗨️ 👨‍👩‍👧‍👦'],
    ['emoji and text forms', '⚠️ ✔︎ ☺️'],
    ['keycaps', '1️⃣ #️⃣ *️⃣'],
    ['flags', `🇩🇪 ${FLAGS.join(' ')}`],
    ['Persian', 'می‌خواهم کتاب‌ها'],
    ['Devanagari', 'क्‍ष र्‌य'],
    ['Malayalam with a joiner at the end of a word', 'ന്‍ ഇവൻ'],
    ['Sinhala', 'ශ්‍රී'],
    ['Khmer with places to break a line', 'ភាសា\u200bខ្មែរ'],
    ['Mongolian', 'ᠰᠠᠶ\u180bᠢ ᠨᠠ\u180eᠨᠠ'],
    ['an Arabic sign at its number', '\u0600\u0661'],
    ['French punctuation', 'Voici\u00a0: «\u00a0oui\u00a0»\u202f!'],
    ['a number with its unit', '10\u202f000 à 5\u00a0km'],
    ['Japanese with its own indent', '\u3000日本\u3000語'],
    ['Hebrew, Thai, Korean', 'שלום สวัสดี 한국어'],
  ])('leaves %s unchanged', (_, text) => expect(sanitize(text)).toBe(text));

  it.each([
    ['a joiner between Latin letters', 'pay\u200cpal', 'pay<200C>pal'],
    ['a joiner at the end of a Persian word', 'سلام\u200c', 'سلام<200C>'],
    ['a second joiner', 'می\u200c\u200cخ', 'می<200C><200C>خ'],
    ['a second selector', '⚠\ufe0f\ufe0f', '⚠\ufe0f<FE0F>'],
    ['a selector at a digit', '1\ufe0f0', '1<FE0F>0'],
    ['a joiner after an emoji', '😀\u200d', '😀<200D>'],
    ['tags that are not flags', '🏴\u{e0072}\u{e006d}\u{e007f}', '🏴<E0072><E006D><E007F>'],
    ['a flag with more tags', `${FLAGS[0]}\u{e0041}`, `${FLAGS[0]}<E0041>`],
    ['an ideographic blank in code', 'a\u3000= 1', 'a<3000>= 1'],
  ])('shows %s', (_, text, expected) => expect(sanitize(text)).toBe(expected));

  it('contains the flags that Unicode recommends', () => {
    for (const flag of FLAGS) expect(flag).toMatch(/^\p{RGI_Emoji_Tag_Sequence}$/v);
  });

  it('does not change its own output', () => {
    const shown = sanitize('a\u200b\u001b[0m\u{e0041}');
    expect(sanitize(shown)).toBe(shown);
  });
});

describe('drawnCharacters', () => {
  const shownIn = (line: string, from: number, to: number) =>
    drawnCharacters(line, from, to)
      .map(({ shown }) => shown)
      .join('');

  it('shows any part of a line as it appears in the whole line', () => {
    const line = `می‌خواهم 👩🏽‍🚀 a\u200bb ${FLAGS[0]} क्‍ष`;
    expect(shownIn(line, 0, line.length)).toBe(sanitize(line));
    const joiner = line.indexOf('\u200c');
    expect(shownIn(line, 0, joiner + 1)).toBe('می‌');
    expect(shownIn(line, joiner, line.length)).toBe(sanitize(line.slice(0)).slice(joiner));
  });

  it('keeps a hidden character separate, so that a row can break beside it', () => {
    expect(drawnCharacters('e\u0301\u200cx').map(({ shown }) => shown)).toEqual(['e\u0301', '<200C>', 'x']);
  });
});
