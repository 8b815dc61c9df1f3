import { expect, test } from 'vitest';
import { proposeTool } from '../loop/edits.ts';
import { toolDescriptions } from '../tools/tool-box.ts';
import { answerForm } from './answer-form.ts';

test('names each tool with its arguments; optional ones may be null', () => {
  const form = JSON.parse(JSON.stringify(answerForm(toolDescriptions())));
  const calls = form.properties.tool_calls.items.oneOf;
  expect(calls.map((call: { properties: { name: object } }) => call.properties.name)).toEqual(
    toolDescriptions().map(({ name }) => ({ const: name })),
  );
  expect(calls[1].properties.arguments.properties).toMatchObject({
    file_path: { type: 'string' },
    end_line: { oneOf: [{ type: 'integer' }, { type: 'null' }] },
  });
});

test('includes lists of objects, and uses only what a grammar can express', () => {
  const text = JSON.stringify(answerForm([proposeTool()]));
  expect(text).toContain('"operation":{"enum":["replace","insert","delete","delete_file","rename_file"]}');
  expect(text).not.toMatch(/maxLength|minimum|maximum|pattern|default|description/);
});

test('without tools there is only text', () => {
  expect(answerForm([])).toMatchObject({
    type: 'object',
    properties: { message: { type: 'string' } },
    required: ['message'],
  });
});
