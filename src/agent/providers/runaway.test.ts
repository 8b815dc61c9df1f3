import { expect, test } from 'vitest';
import { Runaway } from './step-stream.ts';

const LONG = 1_000_000;

function heard(text: string, maxChars = LONG): string | null {
  const runaway = new Runaway(maxChars);
  for (let at = 0; at < text.length; at += 37) runaway.hear(text.slice(at, at + 37));
  return runaway.problem;
}

test.each([1, 24, 499])('detects a repeated piece of %i characters', (length) => {
  const piece = Array.from({ length }, (_, at) => String.fromCharCode(97 + ((at * at) % 26))).join('');
  expect(heard(`Well. ${piece.repeat(Math.ceil(12_000 / length))}`)).toContain('repeated the same text');
});

test('ignores lists, tables and code that are only similar', () => {
  const rows = Array.from({ length: 2_000 }, (_, at) => `| row ${at} | 0 | 0 | 0 |\n`).join('');
  expect(heard(rows)).toBeNull();
  expect(heard(`${'-'.repeat(4_000)}\n${rows}${'='.repeat(4_000)}`)).toBeNull();
});

test('an answer longer than the context of the model does not end', () => {
  const words = Array.from({ length: 400 }, (_, at) => `${at} `).join('');
  expect(heard(words, words.length)).toBeNull();
  expect(heard(words, words.length - 1)).toContain(`stopped after ${words.length - 1} characters`);
});
