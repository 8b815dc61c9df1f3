import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, LineSplitter, splitAfterFirst } from './line-splitter.ts';

const SEED = 20_260_101;

/** Feeds `bytes` in pieces cut at `cuts`. */
function feed(splitter: LineSplitter, bytes: Uint8Array, cuts: readonly number[]): Line[] {
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const edges = [0, ...at, bytes.length];
  return edges.slice(1).flatMap((end, index) => splitter.push(bytes.subarray(edges[index], end)));
}

function texts(lines: readonly Line[]): string[] {
  return lines.map((line) => (line.kind === 'line' ? line.text : `<${line.bytes} bytes>`));
}

describe('LineSplitter', () => {
  it('gives the same lines wherever the bytes are cut', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' '));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, cuts) => {
        const splitter = new LineSplitter(1_000_000);
        const got = feed(splitter, Buffer.from(lines.join('\n')), cuts);
        const whole = lines.slice(0, -1).filter((text) => text !== '');
        const rest = lines.at(-1) ?? '';
        expect(texts(got)).toEqual(whole);
        expect(splitter.pendingText() ?? '').toBe(rest);
      }),
      { seed: SEED },
    );
  });

  it('splits only on LF', () => {
    const splitter = new LineSplitter(100);
    expect(texts(splitter.push(Buffer.from('a\u2028b\u0085c\r\nd\n')))).toEqual(['a\u2028b\u0085c\r', 'd']);
  });

  it('keeps empty lines only on request', () => {
    expect(texts(new LineSplitter(9).push(Buffer.from('a\n\n\nb\n')))).toEqual(['a', 'b']);
    expect(texts(new LineSplitter(9, true).push(Buffer.from('a\n\nb\n')))).toEqual(['a', '', 'b']);
  });

  it.each([
    ['at the cap', 'x'.repeat(8), ['x'.repeat(8), 'next']],
    ['one byte above', 'x'.repeat(9), ['<9 bytes>', 'next']],
    ['far above', 'x'.repeat(900), ['<900 bytes>', 'next']],
  ])('a line %s', (_name, line, wanted) => {
    for (const step of [1, 3, 1000]) {
      const bytes = Buffer.from(`${line}\nnext\n`);
      const splitter = new LineSplitter(8);
      const cuts = Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) => index * step);
      expect(texts(feed(splitter, bytes, cuts))).toEqual(wanted);
    }
  });

  it('reports a line as too long before it ends, and counts bytes, not characters', () => {
    const splitter = new LineSplitter(4);
    expect(texts(splitter.push(Buffer.from('éé\nabcd')))).toEqual(['éé']);
    expect(splitter.isTooLong).toBe(false);
    splitter.push(Buffer.from('e'));
    expect(splitter.isTooLong).toBe(true);
    expect(texts(splitter.push(Buffer.from('f\nok\n')))).toEqual(['<6 bytes>', 'ok']);
    expect(splitter.isTooLong).toBe(false);
  });

  it('counts bytes that were dropped elsewhere', () => {
    const splitter = new LineSplitter(8);
    splitter.skip(100);
    expect(splitter.pendingText()).toBeNull();
    expect(texts(splitter.push(Buffer.from('ab\nc\n')))).toEqual(['<102 bytes>', 'c']);
  });
});

describe('splitAfterFirst', () => {
  it.each([
    ['ab', 'ab', []],
    ['ab\n', 'ab', []],
    ['ab\ncd', 'ab', ['cd']],
    ['\ncd\n\nef', '', ['cd', 'ef']],
  ])('%j', (text, head, lines) => {
    const got = splitAfterFirst(Buffer.from(text), false);
    expect(Buffer.from(got.head).toString()).toBe(head);
    expect(texts(got.lines)).toEqual(lines);
  });
});
