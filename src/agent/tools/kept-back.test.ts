/** What a model must not see, for every way to look. */
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFolder, toolContext } from '../../../test/helpers/agent-tools.ts';
import { git } from '../../../test/helpers/git-fixture.ts';
import { ProjectRows } from '../../app/agent/project-rows.ts';
import { mapProjectFile } from '../../app/file-maps.ts';
import { secretRule } from '../../review/core/secret-files.ts';
import { listFiles } from './list-files.ts';
import { readFile } from './read-file.ts';
import { searchProject } from './search-project.ts';
import type { ToolContext } from './tool.ts';

const SECRETS = [
  '.aws/credentials',
  'config/credentials.json',
  'secrets.yaml',
  '.npmrc',
  'prod.env',
  '.env.bak',
  '.ENV~',
];
const IGNORED = ['build/out.txt', 'notes.log'];
const OWN = 'deploy/hosts.crypt';
const GLOBS = ['*.crypt'];

let project: ReturnType<typeof projectFolder>;

beforeAll(() => {
  const files = [...SECRETS, ...IGNORED, OWN, 'src/a.ts', 'kept.log'].map(
    (name) => [name, 'needle: 1\n'] as const,
  );
  project = projectFolder({ ...Object.fromEntries(files), '.gitignore': 'build/\n*.log\n' });
  git(project.root, 'init', '-q');
  git(project.root, 'add', '-Af', '.aws', 'config', 'secrets.yaml', 'src', 'kept.log', '.gitignore');
  git(project.root, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x');
  symlinkSync('prod.env', path.join(project.root, 'settings.txt'));
  symlinkSync('src/a.ts', path.join(project.root, '.env'));
});
afterAll(() => project.remove());

const context = (more: Partial<ToolContext> = {}) =>
  toolContext(project.root, { isSecret: secretRule(GLOBS), ...more });

const read = (file: string, more: Partial<ToolContext> = {}) =>
  readFile.run(readFile.input.parse({ file_path: file }), context(more));

describe('a model is not shown', () => {
  it.each([...SECRETS, OWN, 'settings.txt', '.env', './src/../prod.env'])(
    '%s, if it reads it',
    async (file) => {
      const outcome = await read(file);
      expect(outcome).toMatchObject({ ok: false, error: { code: 'refused' } });
      expect(JSON.stringify(outcome)).toContain('secrets');
    },
  );

  it('a file with secrets that the user has named: a name adds it to the context, but does not open it', async () => {
    expect(await read('prod.env', { isNamed: () => true })).toMatchObject({ ok: false });
  });

  it('secrets, if it searches or lists', async () => {
    const found = await searchProject.run(searchProject.input.parse({ query: 'needle' }), context());
    if (!found.ok) throw new Error(found.error.message);
    expect(found.value.output.results.map((one) => one.file_path)).toEqual(['src/a.ts']);
    expect(JSON.stringify(found.value.blocks)).not.toMatch(/credential|npmrc|prod\.env|crypt/);
    const listed = await listFiles.run(listFiles.input.parse({}), context());
    if (!listed.ok) throw new Error(listed.error.message);
    expect(listed.value.output.files).toEqual(['.gitignore', 'src/a.ts']);
  });

  it.each(IGNORED)('%s, which git ignores, before the user names it', async (file) => {
    expect(await read(file)).toMatchObject({ ok: false, error: { message: 'Git ignores this file.' } });
    expect(await read(file, { isNamed: (name) => name === file })).toMatchObject({ ok: true });
    expect(await read(file, { skipIgnored: false })).toMatchObject({ ok: true });
  });

  it('but files in git, even if a pattern would ignore them', async () => {
    expect(await read('kept.log')).toMatchObject({ ok: true });
  });

  it('secrets, as an outline, after an @ or in the diff of the working tree', async () => {
    const isSecret = secretRule(GLOBS);
    const map = { env: process.env, root: project.root, isSecret };
    expect(await mapProjectFile({ ...map, file: 'secrets.yaml' }, {})).toMatchObject({ ok: false });
    expect(await mapProjectFile({ ...map, file: 'settings.txt' }, {})).toMatchObject({ ok: false });
    const rows = new ProjectRows(process.env, Date.now, () => isSecret);
    expect(await rows.complete(project.root, 'secret')).toEqual({ ok: true, value: [] });
    for (const file of ['secrets.yaml', 'src/a.ts'])
      writeFileSync(path.join(project.root, file), 'changed\n');
    const diff = await rows.read(project.root, { kind: 'diff' });
    if (!diff.ok) throw new Error(diff.error.message);
    expect(diff.value.content).toContain('src/a.ts');
    expect(diff.value.content).not.toContain('secrets.yaml');
    expect(await rows.read(project.root, { kind: 'file', path: 'prod.env' })).toMatchObject({ ok: true });
  });
});
