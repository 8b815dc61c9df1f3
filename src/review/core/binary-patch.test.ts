import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runAtOnce } from '../../lib/steps.ts';
import { applyDelta, formatLiteral, parseBinary } from './binary-patch.ts';
import { fromLatin1 } from './bytes.ts';

test('reads a literal as it was written', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = formatLiteral(bytes.length, deflateSync(bytes));
      const parsed = runAtOnce(parseBinary(fromLatin1(text), 0));
      if (!parsed.ok) throw new Error(parsed.error.message);
      expect(parsed.value.end).toBe(text.length);
      expect(parsed.value.forward).toMatchObject({ kind: 'literal', size: bytes.length });
      expect(Uint8Array.from(inflateSync(parsed.value.forward.deflated))).toEqual(bytes);
    }),
    { seed: 4 },
  );
});

describe('deltas', () => {
  const base = fromLatin1('0123456789');
  // Sizes 10 and 8; copy 4 bytes from 2; insert "ab"; copy 2 bytes from 0 (no offset byte).
  const delta = Uint8Array.of(10, 8, 0x91, 2, 4, 2, 0x61, 0x62, 0x90, 2);
  test('copies and inserts', () => {
    expect(applyDelta(base, delta)).toEqual({ ok: true, value: fromLatin1('2345ab01') });
  });
  test.each([
    ['other base', fromLatin1('0123'), delta],
    ['copy beyond the end', base, Uint8Array.of(10, 4, 0x91, 9, 4)],
    ['insert beyond the end', base, Uint8Array.of(10, 4, 4, 0x61)],
    ['short result', base, Uint8Array.of(10, 9, 1, 0x61)],
    ['reserved instruction', base, Uint8Array.of(10, 1, 0)],
  ])('refuses: %s', (_, from, bytes) => {
    expect(applyDelta(from, bytes).ok).toBe(false);
  });
});

test.each([
  ['no end', 'literal 3\nDcmZQz\n'],
  ['a wrong length letter', 'literal 3\nZcmZQz\n\n'],
  ['a character outside the alphabet', 'literal 3\nDcm"Qz\n\n'],
  ['no header', 'what 3\n\n'],
])('refuses a part with %s', (_, text) => {
  expect(runAtOnce(parseBinary(fromLatin1(text), 0)).ok).toBe(false);
});
