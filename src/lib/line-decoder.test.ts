import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineDecoder } from './line-decoder.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');

function linesOf(decoder: LineDecoder, chunks: readonly Uint8Array[]): string[] {
  return chunks.flatMap((chunk) =>
    decoder.push(chunk).map((line) => (line.kind === 'line' ? line.text : '<too long>')),
  );
}

describe('LineDecoder', () => {
  it('gives the same lines however the bytes were cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' '))),
        fc.array(fc.nat(200)),
        (lines, cuts) => {
          const all = bytes(lines.map((line) => `${line}\n`).join(''));
          const points = [...new Set([0, ...cuts.filter((cut) => cut < all.length), all.length])].sort(
            (a, b) => a - b,
          );
          const chunks = points.slice(1).map((end, index) => all.subarray(points[index], end));
          expect(linesOf(new LineDecoder(10_000), chunks)).toEqual(lines);
        },
      ),
      { seed: 7 },
    );
  });

  it('takes a line of exactly the limit and ends at one byte more', () => {
    expect(linesOf(new LineDecoder(4), [bytes('abcd\nx\n')])).toEqual(['abcd', 'x']);
    const broken = new LineDecoder(4);
    expect(linesOf(broken, [bytes('ok\nabc'), bytes('de\nlater\n')])).toEqual(['ok', '<too long>']);
    expect(linesOf(broken, [bytes('more\n')])).toEqual([]);
    expect(broken.end()).toBeNull();
  });

  it('counts bytes, not characters', () => {
    expect(linesOf(new LineDecoder(4), [bytes('éé\n')])).toEqual(['éé']);
    expect(linesOf(new LineDecoder(4), [bytes('ééx\n')])).toEqual(['<too long>']);
  });

  it('keeps what stands after the last line feed for the end', () => {
    const decoder = new LineDecoder(100);
    expect(linesOf(decoder, [bytes('a\nb')])).toEqual(['a']);
    expect(decoder.end()).toBe('b');
    expect(decoder.end()).toBeNull();
  });
});
