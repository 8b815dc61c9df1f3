import { expect, test } from 'vitest';
import { LiveText } from './agent-output.ts';

test('streams the text of a model once, and starts each event on a new line', () => {
  let shown = '';
  const live = new LiveText((text) => {
    shown += text;
  });
  live.show('I look');
  live.show('I look around.');
  expect(live.end()).toBe(true);
  expect(live.end()).toBe(false);
  live.show('New.\n');
  live.show('Another message');
  live.end();
  expect(shown).toBe('I look around.\nNew.\nAnother message\n');
});
