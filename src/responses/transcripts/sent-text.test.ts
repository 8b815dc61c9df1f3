import { describe, expect, it } from 'vitest';
import type { Turn } from '../../protocol/turn.ts';
import { matchSentText } from './sent-text.ts';

function turn(id: string, prompt: string): Turn {
  const rest = {
    kind: 'answer' as const,
    parts: [],
    response: '',
    startedAt: null,
    reflowed: false,
    warning: null,
  };
  return { id, prompt, source: 'transcript', progress: 'complete', ...rest };
}

const MARKED = '### PROMPT 2026-01-02 03:04:05\n\nhello\nworld\n\n### END PROMPT';

/** Sent text, the CLI's version of it, and whether they match. */
const CASES: [string, string, string, boolean][] = [
  ['equal', 'hello', 'hello', true],
  ['line ends and tabs changed', 'a\tb\nc', 'a    b\r\nc\n', true],
  ['markers around the sent text', MARKED, 'hello\nworld', true],
  ['markers in the file', 'hello\nworld', MARKED, true],
  ['a space before a pasted path', 'see/a/b', 'see /a/b', true],
  ['composed otherwise', 'é', 'e\u0301', true],
  ['control characters removed', 'a\u0001b\u001b', 'ab', true],
  ['one of two prompts submitted together', 'second\nline', 'first\nsecond\nline', true],
  ['a word in a longer prompt', 'yes', 'yes, please', false],
  ['a line with the same beginning', 'first', 'first and more\nsecond', false],
  ['a picture in place of its path', '/tmp/my shot.png', '[Image #2]', true],
  [
    'a picture removed from other words',
    'like this\n/tmp/a.PNG\nplease',
    '[Image #1]like this\nplease',
    true,
  ],
  ['a picture beside other words', '/tmp/a.png', '[Image #1] and more', false],
  ['words about a picture', 'what is [Image #1]?', 'what is [Image #1]?', true],
  [
    "text that looks like an editor's context",
    '# Context from my IDE setup:\na.ts\n## My request for Codex:\nkeep all',
    'keep all',
    true,
  ],
  ['another text', 'hello', 'hullo', false],
  ['a blank text', '  \n', '  ', false],
];

describe('matchSentText', () => {
  it.each(CASES)('%s', (_name, sent, written, isSame) => {
    const told = { turns: [turn('1', 'before'), turn('2', written)], queued: [] };
    expect(matchSentText(told, sent)?.kind).toBe(isSame ? 'delivered' : undefined);
    const held = { turns: [], queued: ['other', written] };
    expect(matchSentText(held, sent)).toEqual(isSame ? { kind: 'queued', index: 1 } : null);
  });

  it('matches the newest of equal prompts, and none from before the send', () => {
    const told = { turns: [turn('1', 'go on'), turn('2', 'go on')], queued: [] };
    const found = matchSentText(told, 'go on');
    expect(found?.kind === 'delivered' && found.turn.id).toBe('2');
    expect(matchSentText(told, 'go on', new Set(['1', '2']))).toBeNull();
  });
});
