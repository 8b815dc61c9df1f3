import { expect, test } from 'vitest';
import { MatchStream } from './search-project.ts';

const OUTPUT = Buffer.from('./a.md\x001:\n./a.md\x001:\n./a.md\x007:\n./b\nc.md\x003:\n');

test('is the same at every split of the output', () => {
  for (let at = 0; at <= OUTPUT.length; at += 1) {
    const stream = new MatchStream(100);
    stream.push(OUTPUT.subarray(0, at));
    stream.push(OUTPUT.subarray(at));
    expect([...stream.files]).toEqual([
      ['./a.md', [1, 7]],
      ['./b\nc.md', [3]],
    ]);
    expect(stream.overflowed).toBe(false);
  }
});

test('stops at the limit', () => {
  const stream = new MatchStream(2);
  expect(stream.push(OUTPUT)).toBe(false);
  expect(stream.overflowed).toBe(true);
  expect(new MatchStream(4).push(OUTPUT)).toBe(true);
});
