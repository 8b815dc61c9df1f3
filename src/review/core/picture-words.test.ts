import { expect, test } from 'vitest';
import { pictureWords } from './picture-words.ts';

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex.replace(/\s/g, ''), 'hex'));
const PNG = '89504e470d0a1a0a 0000000d 49484452 00000028 0000001e 0802000000';
const FRAME = '0011 08 001e 0028 03 012200 021101 031101';

test.each([
  ['PNG of 40 × 30 pixels', PNG],
  ['GIF of 40 × 30 pixels', '474946383961 2800 1e00 f00000'],
  ['JPEG of 40 × 30 pixels', `ffd8 ffe0 0010 4a46494600010101004800480000 ffdb 0004 0001 ffc0 ${FRAME}`],
  ['JPEG of 40 × 30 pixels', `ffd8 ffc4 0004 0001 ff ffc2 ${FRAME}`],
  ['WebP of 40 × 30 pixels', '52494646 00000000 57454250 56503858 0a000000 00000000 270000 1d0000'],
  ['WebP of 40 × 30 pixels', '52494646 00000000 57454250 56503820 10000000 000000 9d012a 2800 1e00'],
  ['WebP of 40 × 30 pixels', '52494646 00000000 57454250 5650384c 10000000 2f 27400700'],
])('%s', (words, hex) => {
  expect(pictureWords(bytes(hex))).toBe(words);
});

test('a picture that is cut off anywhere has no size, and no error', () => {
  const whole = bytes(PNG);
  for (let length = 0; length < 24; length += 1) expect(pictureWords(whole.subarray(0, length))).toBeNull();
  for (const hex of [
    'ffd8ff',
    'ffd8 ffe0 ffff 00',
    `ffd8 ffda 0000 ${'00'.repeat(9)}`,
    `ffd8${'ff'.repeat(40)}`,
  ])
    expect(pictureWords(bytes(hex))).toBeNull();
});

test.each(['', 'GIF', 'plain text', '\x89PNG\n', 'RIFF1234WAVEfmt '])('%j is no picture', (text) => {
  expect(pictureWords(new Uint8Array(Buffer.from(text, 'latin1')))).toBeNull();
});
