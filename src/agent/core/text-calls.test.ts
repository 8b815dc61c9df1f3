import { expect, it } from 'vitest';
import { callsInText, wordsBeside } from './text-calls.ts';

const CALL = '{\n  "name": "read_file",\n  "arguments": { "file_path": "a.ts" }\n}';
const READ = { name: 'read_file', arguments: { file_path: 'a.ts' } };
const LOOK = '{ "name": "list_files", "arguments": {} }';

it.each([
  ['the whole answer', CALL, [READ]],
  ['the end of the answer', `I look into the file first.\n\n${CALL}\n`, [READ]],
  [
    'several at the end',
    `First both:\n${CALL},\n  ${LOOK}<|im_end|>`,
    [READ, { name: 'list_files', arguments: {} }],
  ],
  ['an example followed by words', `Use this:\n\n${CALL}\n\nThat is how a tool call looks.`, []],
  [
    'an example, then a call',
    `Use this:\n\n${CALL}\n\nNow I look:\n${LOOK}`,
    [{ name: 'list_files', arguments: {} }],
  ],
  ['a truncated one', 'I look.\n{ "name": "read_file", "arguments": { "file_path": "a.ts" }', [READ]],
])('of JSON without a fence, %s', (_, text, calls) => {
  expect(callsInText(text)).toMatchObject(calls);
});

const TAGGED = `<tool_call>\n${LOOK}\n</tool_call>`;
it.each([
  ['after a call in tags', `One.\n${TAGGED}\nTwo.`, 'One.\n\nTwo.'],
  ['between calls', `One.\n${TAGGED}\nTwo.\n${TAGGED} Three.`, 'One.\n\nTwo.\n\nThree.'],
  [
    'with code',
    `I set \`x[0]\` to {a}:\n${TAGGED}\nSo:\n\`\`\`ts\nx\n\`\`\`\nDone.`,
    'I set `x[0]` to {a}:\n\nSo:\n```ts\nx\n```\nDone.',
  ],
  ['after a fence', `One.\n\`\`\`json\n${LOOK}\n\`\`\`\nTwo.`, 'One.\n\nTwo.'],
  ['around tags in a fence', `One.\n\`\`\`xml\n${TAGGED}\n\`\`\`\nTwo.`, 'One.\n\nTwo.'],
  [
    'around an invoke tag',
    'One.\n<function_calls>\n<invoke name="list_files">\n</invoke>\n</function_calls>\nTwo.',
    'One.\n\nTwo.',
  ],
  ['after a name and JSON', `One.\n[TOOL_CALLS]list_files{}\nTwo.`, 'One.\n\nTwo.'],
  ['behind Python', 'One.\n```tool_code\nlist_files()\n```\nTwo.', 'One.\n\nTwo.'],
  ['before JSON', `An Array<string>:\n${LOOK}<|im_end|>`, 'An Array<string>:'],
  ['before an invented result', `${TAGGED}\nOne.\n<tool_response>\n{}\n</tool_response>\nTwo.`, 'One.'],
  ['and none', TAGGED, ''],
])('keeps the words %s', (_, text, words) => {
  const calls = callsInText(text);
  expect(calls).not.toEqual([]);
  expect(wordsBeside(text, calls)).toBe(words);
});

// Far too slow for a test's time limit if each object is read to the end of the text.
it.each(['{ color: red; }\n', '{\n}\n', '{"a":1}\n', '{ color: red; }\nwords\n'])(
  'reads an endless %j in linear time',
  (piece) => {
    expect(callsInText(piece.repeat(100_000))).toEqual([]);
  },
);
