import { expect, test } from 'vitest';
import { MessageStream } from './json-protocol.ts';

test.each([
  ['{"message": "Hi there", "tool_calls": [{"name": "x"}]}', 'Hi there'],
  ['```json\n{ "message" : "a \\"quote\\"\\n\\u00e9 \\ud83e\\udd8a \\\\" }\n```', 'a "quote"\né 🦊 \\'],
  ['{"tool_calls": [], "message": "last"}', 'last'],
  ['{"tool_calls": []}', ''],
  ['{"message": ""}', ''],
  ['  Just words, {"message": "not this"}', '  Just words, {"message": "not this"}'],
])('%j at every split', (text, words) => {
  for (let at = 0; at <= text.length; at += 1) {
    const stream = new MessageStream();
    expect(stream.push(text.slice(0, at)) + stream.push(text.slice(at))).toBe(words);
  }
  const slow = new MessageStream();
  expect(
    text
      .split('')
      .map((one) => slow.push(one))
      .join(''),
  ).toBe(words);
});
