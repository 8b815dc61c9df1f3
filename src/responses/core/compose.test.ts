import { describe, expect, it } from 'vitest';
import type { NoteContext } from '../../protocol/draft.ts';
import { composeMessage, measureMessage, QUOTE_MAX_CHARS, shortQuote } from './compose.ts';
import { extractNotes } from './notes.ts';

const LONG = `3. ${'the flush that is missing in the writer '.repeat(4)}end`;
const RESPONSE = [
  '# Cause',
  '',
  '1. `push` keeps an incomplete line until the next chunk.',
  '2. `end` never emits it.',
  LONG,
];
const PULLS = [{ turnId: 't', lines: RESPONSE }];

const below = (added: Readonly<Record<number, readonly string[]>>) =>
  RESPONSE.flatMap((line, row) => [line, ...(added[row] ?? [])]);

function compose(lines: readonly string[], context: NoteContext, chosen: readonly number[] | null = []) {
  const { items } = extractNotes(
    lines.map((text) => ({ text })),
    PULLS,
  );
  return composeMessage(items, { context, pulls: PULLS, chosen: chosen === null ? null : new Set(chosen) });
}

function check(lines: readonly string[], context: NoteContext, expected: string): void {
  const composed = compose(lines, context);
  expect(composed.ok && composed.value.text).toBe(expected);
}

describe('composeMessage', () => {
  const notes = below({ 2: ['what about CRLF?', '', 'and LF?'], 4: ['really?', ''] });

  it('joins bare notes by newline, in order', () => {
    check(notes, 'bare', 'what about CRLF?\n\nand LF?\nreally?');
  });

  it('puts notes under a short quote of the line above', () => {
    check(
      notes,
      'quote',
      '> `push` keeps an incomplete …\nwhat about CRLF?\n\nand LF?\n\n> the flush that is missing …\nreally?',
    );
  });

  it('puts notes under the full line', () => {
    check(below({ 3: ['why?'] }), 'line', '> 2. `end` never emits it.\nwhy?');
  });

  it.each<[string, Readonly<Record<number, readonly string[]>>, number]>([
    ['a note of three lines', { 2: ['a', 'b', 'c'] }, 1],
    ['a note with a blank line in it', { 2: ['a', '', 'c'] }, 1],
    ['a note with a code block', { 2: ['a', '```', 'x()', '', 'y()', '```'] }, 1],
    ['notes under two lines', { 2: ['a', 'b'], 3: ['c'] }, 2],
    ['a note at the top and one at the end', { 0: ['a'], 4: ['漢字', '🙂', ''] }, 2],
    ['notes with a quote each', { 4: ['> one', 'a', 'b', '', '> two', 'c', '', 'd'] }, 2],
    ['notes with a position above the quote', { 4: ['x.ts:1', '> -a', 'why', '', 'x.ts:9', '> -b'] }, 2],
    ['a note that ends with a quote', { 4: ['see', '> this', '> and this'] }, 1],
  ])('counts %s', (_name, added, noteCount) => {
    expect(compose(below(added), 'bare')).toMatchObject({ ok: true, value: { noteCount } });
  });

  it('quotes nothing for a note above everything', () => {
    check(['hello', ...RESPONSE], 'quote', 'hello');
  });

  it.each([
    ['no note', RESPONSE],
    ['blank notes', below({ 2: ['', '   '], 3: ['\t'] })],
    ['an empty draft', []],
  ])('refuses %s with a message', (_name, lines) => {
    const composed = compose(lines, 'bare');
    expect(composed).toMatchObject({
      ok: false,
      error: { code: 'refused', message: expect.stringContaining('Nothing to send') },
    });
  });

  const edited = RESPONSE.map((line) => line.replace('never emits', 'always emits'));

  it('leaves out an edited line unless it was selected', () => {
    expect(compose(edited, 'bare')).toMatchObject({ ok: false });
    expect(compose(edited, 'bare', [3])).toMatchObject({
      ok: true,
      value: { text: '2. `end` always emits it.' },
    });
  });

  it('refuses to decide without a preview', () => {
    expect(compose([...edited, 'note'], 'bare', null)).toMatchObject({
      ok: false,
      error: { code: 'refused', message: expect.stringContaining('1 line needs a look first') },
    });
    expect(compose([...RESPONSE, 'note'], 'bare', null)).toMatchObject({ ok: true });
  });
});

describe('shortQuote', () => {
  it.each([
    ['- short one', ['- short one'], 'short one'],
    ['## Virtual Text From The Start', [], 'Virtual Text From The Start'],
    [
      'the same words begin here and then a',
      ['the same words begin here and then b'],
      'the same words begin here and then a',
    ],
    ['漢'.repeat(30), [], '漢'.repeat(30)],
  ])('%s', (line, others, expected) => {
    expect(shortQuote(line, [line, ...others])).toBe(expected);
  });

  it('never exceeds its length, and marks where it cut', () => {
    const word = 'x'.repeat(200);
    expect(shortQuote(word, [word])).toBe(`${'x'.repeat(QUOTE_MAX_CHARS)} …`);
  });
});

describe('measureMessage', () => {
  it.each([
    ['', { byteCount: 0, lineCount: 0, tokenCount: 0 }],
    ['abcd\nefg', { byteCount: 8, lineCount: 2, tokenCount: 2 }],
    ['漢字', { byteCount: 6, lineCount: 1, tokenCount: 2 }],
  ])('%j', (text, expected) => {
    expect(measureMessage(text)).toEqual(expected);
  });
});
