import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMsOf } from '../../test/helpers/cpu-time.ts';
import {
  findMarkers,
  formatEndMarker,
  formatMarkerStamp,
  formatPromptMarker,
  stripMarkers,
  wrapInMarkers,
} from './markers.ts';

const STAMP = '2026-11-27 23:10:05';
const AT = new Date(2026, 10, 27, 23, 10, 5);

describe('wrapInMarkers', () => {
  it('puts the closing marker after the text', () => {
    expect(wrapInMarkers('a\nb', AT)).toBe(`### PROMPT ${STAMP}\n\na\nb\n\n### END PROMPT`);
  });

  it('is undone by stripMarkers for any text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '', '  b', '### END PROMPT', '漢')), (lines) => {
        const text = lines.join('\n');
        expect(stripMarkers(wrapInMarkers(text, AT))).toEqual({ text, stamp: STAMP });
      }),
      { seed: 1 },
    );
  });
});

describe('stripMarkers', () => {
  it('accepts what a CLI stored with CR or without blank lines', () => {
    expect(stripMarkers(`### PROMPT ${STAMP}\r\rhi\r\r### END PROMPT\r`)).toEqual({
      text: 'hi',
      stamp: STAMP,
    });
    expect(stripMarkers(`### PROMPT ${STAMP}\nhi\n### END PROMPT`)).toEqual({ text: 'hi', stamp: STAMP });
  });

  it('leaves other prompts alone', () => {
    expect(stripMarkers('hi')).toBeNull();
    expect(stripMarkers(`### PROMPT ${STAMP}\n\nhi`)).toBeNull();
    expect(stripMarkers(`look: ### PROMPT ${STAMP}\n\nhi\n\n### END PROMPT`)).toBeNull();
  });
});

describe('formatMarkerStamp', () => {
  it('pads every field', () => {
    expect(formatMarkerStamp(new Date(2026, 0, 2, 3, 4, 5))).toBe('2026-01-02 03:04:05');
  });
});

describe('findMarkers', () => {
  const found = (text: string, width?: number) =>
    findMarkers(text.split('\n'), width === undefined ? {} : { width }).map(
      (marker) =>
        `${marker.kind}@${marker.line}+${marker.count}${marker.stamp === null ? '' : ` ${marker.stamp}`}`,
    );

  it.each([
    ['plain', `### PROMPT ${STAMP}\n\nq\n\n### END PROMPT\na`, [`prompt@0+1 ${STAMP}`, 'end@4+1']],
    ['quote gutter', `> ### PROMPT ${STAMP}\n  q\n  ### END PROMPT`, [`prompt@0+1 ${STAMP}`, 'end@2+1']],
    ['prompt sign', `❯ ### PROMPT ${STAMP}`, [`prompt@0+1 ${STAMP}`]],
    ['box', `│ > ### PROMPT ${STAMP}      │\n│   ### END PROMPT   │`, [`prompt@0+1 ${STAMP}`, 'end@1+1']],
    ['bar', `┃  ### END PROMPT`, ['end@0+1']],
    ['padded row', `   ### END PROMPT      `, ['end@0+1']],
    ['in prose', 'the phrase ### END PROMPT inside prose is not a marker', []],
    ['with a tail', '### END PROMPT of yours', []],
    ['listed', '- ### END PROMPT', []],
    ['in backticks', '`### END PROMPT`', []],
    ['no date', '### PROMPT\n### PROMPT yesterday', []],
    ['four hashes', '#### END PROMPT', []],
    ['spaced differently', '###  END PROMPT', []],
  ])('%s', (_name, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    ['at words', '> ### PROMPT\n  2026-11-27 23:10:05', 24, [`prompt@0+2 ${STAMP}`]],
    ['inside a word', '### PROMPT 2026-11-\n27 23:10:05', 19, [`prompt@0+2 ${STAMP}`]],
    ['in three rows', '### PROMPT\n2026-11-27\n23:10:05', 12, [`prompt@0+3 ${STAMP}`]],
    ['after a bar', '┃ ### END\n┃ PROMPT', 12, ['end@0+2']],
    ['not where it would have fitted', '### END\nPROMPT', 80, []],
    ['not followed by another word', '### END\nPROMPT it', 12, []],
    ['not over a blank row', '### END\n\nPROMPT', 12, []],
  ])('broken %s', (_name, text, width, expected) => {
    expect(found(text, width)).toEqual(expected);
  });

  it('finds a marker broken at any column of a narrow pane', () => {
    const markers = [formatPromptMarker(STAMP), formatEndMarker()];
    fc.assert(
      fc.property(fc.constantFrom(...markers), fc.integer({ min: 10, max: 40 }), (marker, width) => {
        const rows = marker.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
        const trimmed = rows.map((row) => row.trimEnd()).filter((row) => row !== '');
        expect(findMarkers(trimmed, { width })).toHaveLength(1);
      }),
      { seed: 2 },
    );
  });

  it('reads a long history in linear time', () => {
    const lines = Array.from({ length: 50_000 }, (_, row) => `### heading ${row}`);
    expect(cpuMsOf(() => expect(findMarkers(lines)).toEqual([]))).toBeLessThan(500);
  });
});

describe('markers that other programs draw or write', () => {
  const kinds = (text: string) =>
    findMarkers(text.split('\n')).map(({ kind, line, stamp }) => `${kind} ${line} ${stamp ?? ''}`.trim());
  const STAMP = '2026-01-02 03:04:05';

  it.each([
    [
      'without hashes',
      `❯ PROMPT ${STAMP}\n\n  why?\n\n  END PROMPT\n\nBecause.`,
      [`prompt 0 ${STAMP}`, 'end 4'],
    ],
    ['on one line', `> ### PROMPT ${STAMP} why? ### END PROMPT\nBecause.`, [`prompt 0 ${STAMP}`, 'end 0']],
    ['on one line, without hashes', `❯ PROMPT ${STAMP} why? ### END PROMPT`, [`prompt 0 ${STAMP}`, 'end 0']],
    ['the words alone, never opened', 'END PROMPT\nPROMPT me later', []],
    ['words in prose', `the line PROMPT ${STAMP} is a marker`, []],
    ['closed twice', `PROMPT ${STAMP}\nEND PROMPT\nEND PROMPT`, [`prompt 0 ${STAMP}`, 'end 1']],
  ])('%s', (_, text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });
});
