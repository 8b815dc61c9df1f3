import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameBytes } from './bytes.ts';
import { lineStartsOf } from './line-table.ts';

/** Checks byte by byte. */
function plainStarts(bytes: Uint8Array): number[] {
  const starts = bytes.length === 0 ? [] : [0];
  for (let at = 0; at < bytes.length; at += 1)
    if (bytes[at] === 10 && at + 1 < bytes.length) starts.push(at + 1);
  return [...starts, bytes.length];
}

describe('lineStartsOf', () => {
  // Bytes that the word test may mistake for line ends beside a real one.
  const byte = fc.constantFrom(0x0a, 0x0b, 0x09, 0x8a, 0x00, 0xff, 0x61);

  it('finds the same as a check of every byte, at any alignment', () => {
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 200 }), fc.nat(7), (bytes, offset) => {
        const whole = Uint8Array.from([...new Array<number>(offset).fill(0x0a), ...bytes]);
        const part = whole.subarray(offset);
        expect([...lineStartsOf(part)]).toEqual(plainStarts(part));
      }),
      { seed: 21, numRuns: 2_000 },
    );
  });

  it('grows for more lines than expected, and keeps no unused capacity', () => {
    const dense = new Uint8Array(100_003).fill(0x0a);
    expect(lineStartsOf(dense)).toEqual(Uint32Array.from(plainStarts(dense)));
    expect(lineStartsOf(new Uint8Array(100_000).fill(0x61)).buffer.byteLength).toBe(8);
  });
});

describe('sameBytes', () => {
  it('compares every byte, at any alignment of both', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(7), fc.nat(39), (bytes, offset, at) => {
        const moved = new Uint8Array([...new Array<number>(offset).fill(0), ...bytes]).subarray(offset);
        expect(sameBytes(bytes, moved)).toBe(true);
        if (at >= bytes.length) return;
        const other = Uint8Array.from(moved);
        other[at] = ((other[at] ?? 0) + 1) % 256;
        expect(sameBytes(bytes, other)).toBe(false);
      }),
      { seed: 22, numRuns: 500 },
    );
    expect(sameBytes(new Uint8Array(3), new Uint8Array(4))).toBe(false);
  });
});
