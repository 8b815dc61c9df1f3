import { expect, it } from 'vitest';
import { wantsMarkers } from './marker-policy.ts';

it.each([
  ['auto', 'text', true, false],
  ['auto', 'text', false, true],
  ['auto', '/goal x', true, true],
  ['auto', '!ls', true, true],
  ['auto', ' /help', true, true],
  ['auto', '\n/help', true, true],
  ['auto', ' !ls', true, false],
  ['auto', 'see /help', true, false],
  ['auto', '- item /goal', true, false],
  ['auto', '/tmp/my shot.png', true, false],
  ['auto', '/help\n/tmp/a.png', true, true],
  ['always', 'text', true, true],
  ['never', '/goal x', false, false],
] as const)('%s, %j, transcript %s: %s', (policy, text, hasTranscript, expected) => {
  expect(wantsMarkers(policy, text, hasTranscript)).toBe(expected);
});
