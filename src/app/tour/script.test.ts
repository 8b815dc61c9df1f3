import { expect, test } from 'vitest';
import { TOUR_BANNER, tourAnswer } from './script.ts';

test('says that it is scripted', () => {
  expect(TOUR_BANNER.join('\n')).toContain('SCRIPTED AI, not a real one');
});

test('repeats what arrived, without the markers', () => {
  const prompt = '### PROMPT 2026-01-02 03:04:05\n\nwhat about CRLF?\n\n### END PROMPT';
  const answer = tourAnswer(prompt, 2);
  expect(answer).toContain('I received 1 line,');
  expect(answer).toContain('  what about CRLF?');
  expect(answer).not.toContain('### ');
});
