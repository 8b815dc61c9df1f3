import { describe, expect, it } from 'vitest';
import { lowestShown, shownText } from './shown-turn.ts';

function isShown(rows: readonly string[], prompt: string, response = ''): boolean {
  return lowestShown(shownText(rows), { prompt, response }) >= 0;
}

describe('a turn on a screen', () => {
  it.each<[string, string[], string, string]>([
    ['a prompt after a gutter', ['  ┃', '  ┃  Question two, please.'], 'Question two, please.', ''],
    [
      'a prompt wrapped at the width',
      ['> explain the tokeni', '  zer to me'],
      'explain the tokenizer to me',
      '',
    ],
    [
      'wrapped wide characters',
      ['❯ 日本語の文章で説', '  明してください'],
      '日本語の文章で説明してください',
      '',
    ],
    ['a short prompt on a row of its own', ['❯ go on', '● Working…'], 'go on', ''],
    [
      'the end of an answer without its Markdown',
      ['● Both looks agree.'],
      'scrolled away',
      'x\n\nBoth **looks** `agree`.\n',
    ],
    [
      'an answer that ends in a fence',
      ['  end() { this.flush(); }'],
      'p',
      '```ts\nend() { this.flush(); }\n```',
    ],
  ])('%s', (_, rows, prompt, response) => {
    expect(isShown(rows, prompt, response)).toBe(true);
  });

  it.each<[string, string[], string, string]>([
    ['a short prompt within other words', ['● We go on with the next one.'], 'go on', ''],
    [
      'a turn that is not on the screen',
      ['❯ something else entirely'],
      'Question two, please.',
      'Answer two, done.',
    ],
    ['a prompt without letters', ['🙂'], '🙂', ''],
    ['anything on an empty screen', [], 'Question two, please.', 'x'],
  ])('not %s', (_, rows, prompt, response) => {
    expect(isShown(rows, prompt, response)).toBe(false);
  });

  it('lower text is further down, however short', () => {
    const screen = shownText(['Question one, please.', 'The first answer.', 'go on', 'The second answer.']);
    const first = lowestShown(screen, { prompt: 'Question one, please.', response: 'The first answer.' });
    expect(lowestShown(screen, { prompt: 'go on', response: '' })).toBeGreaterThan(first);
  });
});
