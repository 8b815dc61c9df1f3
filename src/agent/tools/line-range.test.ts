import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLineRange, splitLines } from './line-range.ts';

function sourceOf(text: string, chunk = Number.POSITIVE_INFINITY) {
  const bytes = Buffer.from(text);
  return {
    version: '1',
    read: async (into: Buffer, position: number) =>
      bytes.copy(into, 0, position, Math.min(bytes.length, position + Math.min(into.length, chunk))),
  };
}

const { signal } = new AbortController();

test('returns the lines of a plain split, for every chunk size', async () => {
  const line = fc.stringMatching(/^[a\r日]{0,4}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 7 }),
      async (lines, startLine, maxLines, chunk) => {
        const text = lines.join('\n');
        const all = splitLines(text);
        const range = await readLineRange(sourceOf(text, chunk), {
          startLine,
          maxLines,
          maxBytes: 1_000,
          count: true,
          signal,
        });
        expect(range.bytes.toString()).toBe(all.slice(startLine - 1, startLine - 1 + maxLines).join(''));
        expect(range.totalLines).toBe(all.length);
        expect(range.endLine).toBe(Math.max(startLine - 1, Math.min(all.length, startLine - 1 + maxLines)));
      },
    ),
    { seed: 3, numRuns: 300 },
  );
});

test.each([
  { name: 'room for all', maxBytes: 9, bytes: 'one\ntwo\nx', endLine: 3, cutInLine: false },
  { name: 'a byte less than the last line', maxBytes: 8, bytes: 'one\ntwo\n', endLine: 2, cutInLine: false },
  { name: 'a byte less than the second', maxBytes: 7, bytes: 'one\n', endLine: 1, cutInLine: false },
  { name: 'less than one line', maxBytes: 3, bytes: 'one', endLine: 1, cutInLine: true },
])('cuts at a line end: $name', async ({ maxBytes, bytes, endLine, cutInLine }) => {
  for (const chunk of [1, 2, 100]) {
    const wanted = { startLine: 1, maxLines: 10, maxBytes, count: true, signal };
    const range = await readLineRange(sourceOf('one\ntwo\nx', chunk), wanted);
    expect({ ...range, bytes: range.bytes.toString() }).toEqual({ bytes, endLine, cutInLine, totalLines: 3 });
  }
});

test('stops when the job is cancelled', async () => {
  const wanted = { startLine: 1, maxLines: 1, maxBytes: 10, count: true, signal: AbortSignal.abort() };
  await expect(readLineRange(sourceOf('a\nb'), wanted)).rejects.toThrow(/abort/i);
});
