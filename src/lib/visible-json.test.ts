import { expect, it } from 'vitest';
import { HOSTILE_NAME, rawIn } from '../../test/helpers/hostile-text.ts';
import { visibleJson } from './visible-json.ts';

it('escapes what nobody would see, in keys as well, and means the same', () => {
  const value = { [HOSTILE_NAME]: [HOSTILE_NAME, '\ud800', '\u00a0', 'می\u200cخواهم 👩🏽\u200d🚀 é 漢字'] };
  const json = visibleJson(value);
  expect(rawIn(json)).toEqual([]);
  expect(JSON.parse(json)).toEqual(value);
  expect(json).toContain('d\\u202ee\\u2066f\\udb40\\udc41');
  expect(json).toContain('می\u200cخواهم 👩🏽\u200d🚀 é 漢字');
});

it('is what JSON.stringify gives for a text without them, with its indent', () => {
  const value = { a: ['Ελληνικά, кириллица\n\t"x"', 1, null], b: {} };
  expect(visibleJson(value, undefined, 1)).toBe(JSON.stringify(value, null, 1));
});
