/**
 * Finds the characters that a reader would not see, by Unicode properties: controls, format characters,
 * Default_Ignorable code points, unusual spaces, unassigned code points. Joiners and variation selectors of emoji and
 * real scripts are recognized by their neighbours. `copane.hidden_table` has the same rules for the Neovim plugin.
 */
import { lazy } from './lazy.ts';
import { runAtOnce, type Steps } from './steps.ts';

/**
 * Invisible characters that no property covers: Braille blank, object replacement, null notehead, Egyptian blanks, and
 * the joiners and fillers of Brahmi, Tifinagh and Khitan.
 */
const BLANK = '\\u2800\\ufffc\\u{1d159}\\u{13441}\\u{13442}\\u{1107f}\\u{2d7f}\\u{16fe4}';

/** The whole set, as the inside of a character class. It leaves out unassigned emoji: terminals draw them. */
export const HIDDEN_CLASS = `[\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}${BLANK}]--[\\t\\n\\x20[\\p{Cn}&&\\p{Extended_Pictographic}]]`;

const scripts = (names: string) =>
  `[${names
    .split(' ')
    .map((name) => `\\p{Script_Extensions=${name}}`)
    .join('')}]`;

/** Scripts whose letters join: zero-width joiners and non-joiners control where. */
const CURSIVE = `${scripts('Arab Syrc Mong Phag Nkoo Mand Adlm Rohg Sogd Chrs Ougr')}&&[\\p{L}\\p{M}]`;
/** Scripts whose consonants form clusters, which joiners make or break. */
const INDIC = `${scripts(
  'Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Newa Gran Tirh Sidd Modi Kthi Takr Shrd Khoj Java Bali Sund',
)}&&[\\p{L}\\p{M}]`;
/** Scripts without spaces: a zero-width space marks where a line may break. */
const UNSPACED = `${scripts('Thai Laoo Khmr Mymr Tibt Java Bali Tale Talu Lana')}&&[\\p{L}\\p{M}]`;
const MONGOLIAN = `${scripts('Mong')}&&\\p{L}`;
const PICTURE = '\\p{Extended_Pictographic}';

/** Characters shown as they are between these neighbours (null: any or none). Each field is the inside of a class. */
export interface JoinRule {
  readonly of: string;
  readonly after: string | null;
  readonly before: string | null;
}

export const JOIN_RULES: readonly JoinRule[] = [
  { of: '\\u200c\\u200d', after: CURSIVE, before: CURSIVE },
  { of: '\\u200c\\u200d', after: INDIC, before: INDIC },
  // A half form at the end of a word: the joiner follows a virama.
  { of: '\\u200d', after: `[${INDIC}]&&\\p{Mn}`, before: null },
  { of: '\\u200b', after: UNSPACED, before: UNSPACED },
  { of: '\\u180b-\\u180d\\u180f', after: MONGOLIAN, before: null },
  { of: '\\u180e\\u202f', after: MONGOLIAN, before: MONGOLIAN },
  // French puts a no-break space beside its punctuation; numbers and units use one everywhere.
  { of: '\\u00a0\\u202f', after: '\\p{L}\\p{N}\\p{Pe}\\p{Pf}*`', before: ':;!?\\u00bb%' },
  { of: '\\u00a0\\u202f', after: '\\u00ab', before: '\\p{L}\\p{N}' },
  { of: '\\u00a0\\u202f\\u2009', after: '\\p{Nd}', before: '\\p{Nd}\\p{L}\\p{Sc}%' },
  // Chinese and Japanese use an ideographic space to indent.
  { of: '\\u3000', after: null, before: scripts('Hani Hira Kana Hang') },
  { of: '\\u200d', after: `${PICTURE}\\p{Emoji_Modifier}\\ufe0f`, before: PICTURE },
  { of: '\\ufe0e\\ufe0f', after: '\\p{Emoji}--[0-9#*]', before: null },
  { of: '\\ufe0f', after: '[0-9#*]', before: '\\u20e3' },
  // Arabic, Syriac and Kaithi signs around a number or a word: the only visible format characters.
  {
    of: '[\\p{Cf}--\\p{Default_Ignorable_Code_Point}]&&[\\u0600-\\u08ff\\u{110bd}\\u{110cd}]',
    after: null,
    before: `\\p{Nd}[${scripts('Arab Syrc Kthi')}&&\\p{L}]`,
  },
];

/** The flags that Unicode spells with tags: England, Scotland, Wales. */
const TAG_FLAGS = ['gbeng', 'gbsct', 'gbwls'];
const TAG_BASE = 0xe0000;
const tag = (character: string) => String.fromCodePoint(TAG_BASE + character.charCodeAt(0));

/** The same, spelled with tags. */
export const FLAGS: readonly string[] = TAG_FLAGS.map(
  (name) => `\u{1f3f4}${[...name].map(tag).join('')}${String.fromCodePoint(TAG_BASE + 0x7f)}`,
);

/** A hidden character and its offset in the text, in UTF-16 code units. */
export interface Hidden {
  readonly at: number;
  readonly codePoint: number;
}

/** Nearly all text is plain and skips the rules: ASCII, Latin, Greek, Cyrillic, kana, Han, Hangul. */
export const PLAIN =
  /^[\t\n\u0020-\u007e\u00a1-\u00ac\u00ae-\u034e\u0391-\u03a1\u03a3-\u052f\u2010-\u2027\u2190-\u21ff\u2500-\u25fc\u2713-\u2718\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;

const RULES = lazy(() => ({
  candidates: new RegExp(`${FLAGS.join('|')}|[${HIDDEN_CLASS}]`, 'gv'),
  joins: JOIN_RULES.map(({ of, after, before }) => ({
    of: oneOf(of),
    after: after === null ? null : oneOf(after),
    before: before === null ? null : oneOf(before),
  })),
}));

const oneOf = (inside: string) => new RegExp(`^[${inside}]$`, 'v');

const NOTHING: readonly Hidden[] = [];

/** How many hidden characters are checked in one step; each may cost a microsecond. */
const CANDIDATES_A_STEP = 1_000;

/** The hidden characters of `text` in order. The text may have several lines. */
export const findHidden = (text: string): readonly Hidden[] => runAtOnce(findHiddenSteps(text));

/** The same in steps, for text of any length. */
export function* findHiddenSteps(text: string): Steps<readonly Hidden[]> {
  if (PLAIN.test(text)) return NOTHING;
  const found: Hidden[] = [];
  let end = -1;
  let seen = 0;
  for (const { 0: character, index: at } of text.matchAll(RULES().candidates)) {
    seen += 1;
    if (seen % CANDIDATES_A_STEP === 0) yield;
    if (FLAGS.includes(character)) continue;
    // A hidden neighbour cannot justify another hidden character.
    if (at !== end && isExplained(text, at, character)) continue;
    found.push({ at, codePoint: character.codePointAt(0) ?? 0 });
    end = at + character.length;
  }
  return found;
}

function isExplained(text: string, at: number, character: string): boolean {
  const before = characterBefore(text, at);
  const next = text.codePointAt(at + character.length);
  const behind = next === undefined ? '' : String.fromCodePoint(next);
  return RULES().joins.some(
    (rule) =>
      rule.of.test(character) && (rule.after?.test(before) ?? true) && (rule.before?.test(behind) ?? true),
  );
}

function characterBefore(text: string, at: number): string {
  const pair = text.slice(Math.max(0, at - 2), at);
  return (pair.codePointAt(0) ?? 0) > 0xffff ? pair : text.slice(Math.max(0, at - 1), at);
}
