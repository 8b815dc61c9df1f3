import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectFolder, toolContext } from '../../../test/helpers/agent-tools.ts';
import { toolNameSchema, toolResultSchema } from '../../protocol/agent.ts';
import { runToolCall, toolDescriptions } from './tool-box.ts';

let project: ReturnType<typeof projectFolder>;
beforeAll(() => {
  project = projectFolder({ 'a.md': 'one needle\n' });
});
afterAll(() => project.remove());

const run = (name: string, args: Record<string, unknown>) =>
  runToolCall({ tool_call_id: 'tc_1', name, arguments: args }, toolContext(project.root));

test.each([
  ['search_project', { query: 'needle', limit: null }],
  ['read_file', { file_path: 'a.md', start_line: null }],
  ['list_files', {}],
])('%s gives a canonical result', async (name, args) => {
  const { result, blocks } = await run(name, args);
  expect(toolResultSchema.parse(result)).toMatchObject({ tool_call_id: 'tc_1', name, ok: true, error: null });
  expect(blocks[0]).toContain('a.md');
});

test.each([
  ['rm_rf', {}, 'unknown_tool', 'search_project, read_file, list_files, clarify_user'],
  ['read_file', {}, 'invalid_arguments', '"file_path"'],
  ['read_file', { file_path: 'a.md', start_line: '1' }, 'invalid_arguments', '"start_line"'],
  ['read_file', { file_path: 'a.md', start_line: 3, end_line: 2 }, 'invalid_arguments', 'end_line'],
  ['read_file', { file_path: '../x' }, 'refused', 'leaves the project'],
  [
    'search_project',
    { query: 'x', glob: '{a,b,c,d,e,f,g,h}{a,b,c,d,e,f,g,h}{a,b}' },
    'invalid',
    'alternatives',
  ],
])('%s %j is the error %s, with a message that a model can act on', async (name, args, code, words) => {
  const { result, blocks } = await run(name, args);
  expect(toolResultSchema.parse(result)).toMatchObject({ ok: false, result: null, error: { code } });
  expect(blocks.join()).toContain(words);
});

test('describes every tool to models, by flat schemas', () => {
  const descriptions = toolDescriptions();
  expect(descriptions.map((one) => one.name)).toEqual(toolNameSchema.options);
  for (const { parameters } of descriptions) {
    expect(parameters).toMatchObject({ type: 'object' });
    expect(JSON.stringify(parameters)).not.toMatch(/oneOf|anyOf|\$schema|\$ref/);
  }
});
