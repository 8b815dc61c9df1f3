import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findMarkers,
  formatMarked,
  formatStamp,
  markedTurns,
  stripMarkers,
  wantsMarkers,
} from './markers.ts';

const STAMP = '2026-01-02 03:04:05';
const OPEN = `### PROMPT ${STAMP}`;
const CLOSE = '### END PROMPT';

describe('markers', () => {
  it('stand around the text, the closing one after it', () => {
    expect(formatMarked('a\n\nb', STAMP)).toBe(`${OPEN}\n\na\n\nb\n\n${CLOSE}`);
    expect(formatStamp(new Date(2026, 0, 2, 3, 4, 5))).toBe(STAMP);
  });

  it('are taken off again, exactly', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', ' ', '#', CLOSE) }), (text) => {
        expect(stripMarkers(formatMarked(text, STAMP))).toBe(text);
      }),
      { seed: 3 },
    );
    expect(stripMarkers('no marker\n\nx\n\ny')).toBe('no marker\n\nx\n\ny');
  });

  const rows: readonly (readonly [string, readonly string[], number | null, readonly string[]])[] = [
    ['bare', [OPEN, '', 'x', '', CLOSE], null, ['open 0-0', 'close 4-4']],
    ['behind a quote gutter', [`> ${OPEN}`, `> ${CLOSE}`], null, ['open 0-0', 'close 1-1']],
    ['behind a prompt glyph and an indent', [`❯ ${OPEN}`, `  ${CLOSE}`], null, ['open 0-0', 'close 1-1']],
    ['in a box', [`│ ${OPEN}      │`, `│ > ${CLOSE}   │`], null, ['open 0-0', 'close 1-1']],
    ['prose', [`the line ${CLOSE} ends it`, `${CLOSE} is the end`, `- ${CLOSE}`], 80, []],
    ['other headings', ['### END', '### PROMPT', '## END PROMPT', '### END PROMPTS'], 80, []],
    ['an opening one without its time', ['### PROMPT today'], 80, []],
    ['broken between words', [`❯ ### PROMPT`, `  2026-01-02`, '  03:04:05'], 16, ['open 0-2']],
    [
      'broken inside a word',
      ['### PROMPT 2026-01-0', '2 03:04:05', '### END PROMPT'],
      20,
      ['open 0-1', 'close 2-2'],
    ],
    ['closing one broken', ['│ ### END    │', '│ PROMPT     │'], 14, ['close 0-1']],
    ['no break where the line had room', ['### END', 'PROMPT'], 80, []],
    ['no break without a known width', ['### END', 'PROMPT'], null, []],
  ];
  it.each(rows)('%s', (_name, lines, width, expected) => {
    const found = findMarkers(lines, width).map(({ kind, start, end }) => `${kind} ${start}-${end}`);
    expect(found).toEqual(expected);
  });
});

describe('turns between markers', () => {
  it('last closing marker of a turn counts; the next prompt ends the response', () => {
    const lines = [
      'shell stuff',
      OPEN,
      '',
      'say',
      CLOSE,
      'as text',
      '',
      CLOSE,
      'answer',
      '',
      `> ${OPEN}`,
      '> second',
      `> ${CLOSE}`,
      'more',
    ];
    expect(markedTurns(lines)).toEqual([
      { stamp: STAMP, prompt: ['say', CLOSE, 'as text'], response: ['answer', ''] },
      { stamp: STAMP, prompt: ['> second'], response: ['more'] },
    ]);
  });

  it('an opening marker that scrolled away, and one whose end is not there yet', () => {
    expect(markedTurns(['tail of a prompt', CLOSE, 'answer'])).toEqual([
      { stamp: '', prompt: [], response: ['answer'] },
    ]);
    expect(markedTurns([OPEN, '', 'half'])).toEqual([{ stamp: STAMP, prompt: ['half'], response: null }]);
    expect(markedTurns(['nothing'])).toEqual([]);
  });
});

describe('when markers are written', () => {
  it.each([
    ['auto', 'text', true, false],
    ['auto', 'text', false, true],
    ['auto', '/goal x', true, true],
    ['auto', '!ls', true, true],
    ['always', 'text', true, true],
    ['never', '/goal x', false, false],
  ] as const)('%s, %j, transcript %s: %s', (policy, text, hasTranscript, expected) => {
    expect(wantsMarkers(policy, text, hasTranscript)).toBe(expected);
  });
});
