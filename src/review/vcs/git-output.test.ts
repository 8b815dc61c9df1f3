import { expect, it } from 'vitest';
import { utf8Bytes } from '../core/bytes.ts';
import { namesAsArguments, namesAsInput } from './git-output.ts';

it('names files as arguments, or all if they are many or one is not text', () => {
  expect(namesAsArguments([utf8Bytes('ä.txt'), 'b'])).toEqual(['ä.txt', 'b']);
  expect(namesAsArguments(['b', '\xff'])).toEqual([]);
  expect(namesAsArguments(Array.from({ length: 201 }, (_, i) => `f${i}`))).toEqual([]);
});

it('names files as input byte for byte', () => {
  expect(namesAsInput(['\xff', 'b'])).toEqual(Buffer.from([0xff, 0, 0x62, 0]));
  expect(namesAsInput([])).toHaveLength(0);
});
