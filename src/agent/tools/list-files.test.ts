import { afterAll, beforeAll, expect, test } from 'vitest';
import { buffersOf, projectFolder, toolContext } from '../../../test/helpers/agent-tools.ts';
import { LIST_FILES_CAP } from './limits.ts';
import { listFiles, listOutputSchema } from './list-files.ts';
import type { ToolContext } from './tool.ts';

let project: ReturnType<typeof projectFolder>;

beforeAll(() => {
  const many = Array.from({ length: LIST_FILES_CAP + 1 }, (_, i) => [
    `many/${String(i).padStart(4, '0')}`,
    '',
  ]);
  project = projectFolder({
    'a.md': '',
    'team/b.md': '',
    'team/deep/c.txt': '',
    'teamwork.md': '',
    '.hidden': '',
    '.git/config': '',
    '.gitignore': 'ignored\n',
    ignored: '',
    ...Object.fromEntries(many),
  });
});
afterAll(() => project.remove());

async function list(given: Record<string, unknown>, changes: Partial<ToolContext> = {}) {
  const outcome = await listFiles.run(listFiles.input.parse(given), toolContext(project.root, changes));
  if (!outcome.ok) throw new Error(outcome.error.message);
  return listOutputSchema.parse(outcome.value.output);
}

test.each([
  { given: { glob: '*.md' }, files: ['a.md', 'team/b.md', 'teamwork.md'] },
  { given: { prefix: 'team' }, files: ['team/b.md', 'team/deep/c.txt'] },
  { given: { prefix: 'team/' }, files: ['team/b.md', 'team/deep/c.txt'] },
  { given: { prefix: './team/../team' }, files: ['team/b.md', 'team/deep/c.txt'] },
  { given: { prefix: 'tea' }, files: ['team/b.md', 'team/deep/c.txt', 'teamwork.md'] },
  { given: { prefix: 'a.md' }, files: ['a.md'] },
  { given: { prefix: '.', glob: '{.hidden,ignored,.git/**}' }, files: ['.hidden'] },
  { given: { prefix: 'nothing' }, files: [] },
])('$given', async ({ given, files }) => {
  expect(await list(given)).toEqual({ files, total: files.length, notice: null });
});

test('is cut at the limit, and says so', async () => {
  const found = await list({ prefix: 'many' });
  expect(found.files).toHaveLength(LIST_FILES_CAP);
  expect(found.total).toBe(LIST_FILES_CAP + 1);
  expect(found.notice).toContain(`${LIST_FILES_CAP} of ${LIST_FILES_CAP + 1}`);
  expect((await list({ prefix: 'many/04' })).notice).toBeNull();
});

test('buffers count: files not yet on disk, deleted files', async () => {
  const buffers = buffersOf({ 'team/new.md': '', 'team/b.md': null, 'team/deep/c.txt': 'changed' });
  expect((await list({ prefix: 'team' }, { buffers })).files).toEqual(['team/deep/c.txt', 'team/new.md']);
});

test.each(['..', '/etc', 'team/../../x'])('the prefix %s is refused', async (prefix) => {
  const outcome = await listFiles.run(listFiles.input.parse({ prefix }), toolContext(project.root));
  expect(outcome).toMatchObject({ ok: false, error: { code: 'refused' } });
});
