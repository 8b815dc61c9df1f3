import { describe, expect, it } from 'vitest';
import { testTurn } from '../../../test/helpers/ui-fakes.ts';
import { createLineWrapper } from '../../lib/text-layout.ts';
import { layOutNotes } from './answer-notes.ts';
import { moveReading, partAt, type ReadingFrame, settleReading } from './reading.ts';
import { countLines, createReadingDocs } from './reading-docs.ts';
import { FIRST_PLACE } from './state.ts';

const text = (lines: number) => Array.from({ length: lines }, (_, index) => `line ${index}`).join('\n');

function frameOf(response: string, height = 5, width = 20): ReadingFrame {
  return {
    doc: createReadingDocs()(testTurn('t', { response })),
    ...layOutNotes(createLineWrapper()(width), createLineWrapper()(width)),
    height,
  };
}

describe('moveReading', () => {
  const frame = frameOf(text(50));

  it.each([
    [{ by: 'rows', count: 1 }, 1],
    [{ by: 'rows', count: -1 }, 0],
    [{ by: 'pages', count: 1 }, 4],
    [{ by: 'pages', count: 0.5 }, 2],
    [{ to: 'last' }, 49],
    [{ to: 'line', line: 30 }, 30],
    [{ to: 'line', line: 99 }, 49],
  ] as const)('%j goes to line %i', (move, line) => {
    expect(moveReading(FIRST_PLACE, move, frame).cursor.line).toBe(line);
  });

  it('keeps the cursor in view and the text at the bottom edge', () => {
    const end = moveReading(FIRST_PLACE, { to: 'last' }, frame);
    expect(end.top).toEqual({ line: 45, row: 0 });
    const up = moveReading(end, { by: 'rows', count: -4 }, frame);
    expect(up.top.line).toBeLessThanOrEqual(up.cursor.line);
    expect(moveReading(up, { to: 'first' }, frame).top).toEqual({ line: 0, row: 0 });
  });

  it('scrolls inside one long line', () => {
    const long = frameOf('word '.repeat(100), 5, 10);
    const down = moveReading(FIRST_PLACE, { by: 'rows', count: 30 }, long);
    expect(down.cursor).toEqual({ line: 0, row: 30 });
    expect(down.top.row).toBeGreaterThan(20);
  });

  it('does not move in an empty response', () => {
    expect(moveReading(FIRST_PLACE, { by: 'rows', count: 1 }, frameOf(''))).toBe(FIRST_PLACE);
  });
});

describe('settleReading', () => {
  it('keeps the place as the response grows, or the end if the reader is there', () => {
    const docs = createReadingDocs();
    const layout = layOutNotes(createLineWrapper()(20), createLineWrapper()(20));
    const frame = (lines: number): ReadingFrame => ({
      doc: docs(testTurn('t', { response: text(lines) })),
      ...layout,
      height: 5,
    });
    const middle = moveReading(FIRST_PLACE, { to: 'line', line: 10 }, frame(20));
    expect(settleReading(middle, frame(2000))).toBe(middle);
    const end = moveReading(FIRST_PLACE, { to: 'last' }, frame(20));
    expect(settleReading(end, frame(30)).cursor.line).toBe(29);
  });

  it('restores a valid place after the width changed or the response shrank', () => {
    const narrow = frameOf('a word and another\n'.repeat(20), 5, 6);
    const place = moveReading(FIRST_PLACE, { by: 'rows', count: 33 }, narrow);
    const wide = settleReading(place, { ...narrow, spansOf: createLineWrapper()(80) });
    expect(wide.cursor).toEqual({ line: place.cursor.line, row: 0 });
    expect(settleReading(place, frameOf('one')).cursor).toEqual({ line: 0, row: 0 });
  });
});

describe('documents', () => {
  it('keep the line objects of earlier text, so that nothing is laid out twice', () => {
    const docs = createReadingDocs();
    const before = docs(testTurn('t', { response: 'one\n```\ncode' }));
    const after = docs(testTurn('t', { response: 'one\n```\ncode goes on\n```\nend' }));
    expect(after.lines[0]).toBe(before.lines[0]);
    expect(after.lines[1]).toBe(before.lines[1]);
    expect(after.lines.map((line) => line.text)).toEqual(['one', '```', 'code goes on', '```', 'end']);
    const roles = after.lines.map(({ styles }) => styles[0]?.[2] ?? null);
    expect(roles).toEqual([null, 'code', 'code', 'code', null]);
  });

  it('know where the parts begin', () => {
    const doc = createReadingDocs()(testTurn('t', { parts: ['a\nb', 'c', 'd\ne'] }));
    expect(doc.partStarts).toEqual([0, 3, 5]);
    expect(partAt(doc, 1)).toEqual({ first: 0, last: 1 });
    expect(partAt(doc, 3)).toEqual({ first: 3, last: 3 });
    expect(partAt(doc, 6)).toEqual({ first: 5, last: 6 });
  });

  it.each([
    ['', 0],
    ['a', 1],
    ['a\n', 2],
    ['a\nb', 2],
  ])('%j has %i lines', (response, expected) => {
    expect(countLines(response)).toBe(expected);
    expect(createReadingDocs()(testTurn('t', { response })).lines).toHaveLength(expected);
  });
});
