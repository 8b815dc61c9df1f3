import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buffersOf, projectFolder } from '../../../test/helpers/agent-tools.ts';
import { must, temporaryHome } from '../../../test/helpers/host-fakes.ts';
import { secretRule } from '../../review/core/secret-files.ts';
import { ProjectCopy } from './project-copy.ts';

let project: ReturnType<typeof projectFolder>;
let home: ReturnType<typeof temporaryHome>;
beforeEach(() => {
  project = projectFolder({
    'a.md': 'one\n',
    'notes/b.md': 'two\n',
    '.env': 'TOKEN=1\n',
    '.gitignore': '*.log\n',
  });
  home = temporaryHome();
});
afterEach(() => {
  project.remove();
  home.remove();
});

const copies = () => path.join(home.home, 'copies');
async function copyOf(buffers = buffersOf(), signal = new AbortController().signal): Promise<ProjectCopy> {
  const options = {
    root: project.root,
    home: copies(),
    env: process.env,
    skipIgnored: true,
    isSecret: secretRule([]),
    buffers,
    signal,
  };
  return must(await ProjectCopy.make(options));
}
const put = (copy: ProjectCopy, name: string, text: string | Uint8Array) => {
  mkdirSync(path.dirname(path.join(copy.folder, name)), { recursive: true });
  writeFileSync(path.join(copy.folder, name), text);
};

it('never follows a link that the agent puts into the copy', async () => {
  const copy = await copyOf();
  const secret = path.join(home.home, 'secret');
  mkdirSync(secret);
  writeFileSync(path.join(secret, 'b.md'), 'secret\n');
  for (const [name, target] of [
    ['a.md', path.join(secret, 'b.md')],
    ['notes', secret],
  ] as const) {
    rmSync(path.join(copy.folder, name), { recursive: true });
    symlinkSync(target, path.join(copy.folder, name));
  }
  const why = 'is a link, or not a regular file, in the copy';
  expect(must(await copy.changes())).toEqual([
    { kind: 'left_out', path: 'a.md', why },
    { kind: 'left_out', path: 'notes/b.md', why },
  ]);
});

describe('the copy', () => {
  it('has the files, named like the project, without secrets and links', async () => {
    symlinkSync('/etc/passwd', path.join(project.root, 'link'));
    const { folder } = await copyOf();
    expect(path.basename(folder)).toBe(path.basename(project.root));
    expect(readdirSync(folder).sort()).toEqual(['.gitignore', 'a.md', 'notes']);
    expect(readFileSync(path.join(folder, 'notes/b.md'), 'utf8')).toBe('two\n');
  });

  it('has files as the user sees them if the disk lacks unsaved changes', async () => {
    const copy = await copyOf(buffersOf({ 'a.md': 'ONE\n', 'notes/b.md': null, 'c.md': 'new\n' }));
    expect(readFileSync(path.join(copy.folder, 'a.md'), 'utf8')).toBe('ONE\n');
    expect(existsSync(path.join(copy.folder, 'notes/b.md'))).toBe(false);
    put(copy, 'c.md', 'newer\n');
    expect(must(await copy.changes())).toEqual([
      { kind: 'text', path: 'c.md', before: 'new\n', after: 'newer\n' },
    ]);
  });

  it('is deleted completely, also if its process is gone', async () => {
    mkdirSync(path.join(copies(), '999999999-left'), { recursive: true });
    const copy = await copyOf();
    expect(readdirSync(copies())).toHaveLength(1);
    await copy.remove();
    expect(readdirSync(copies())).toEqual([]);
  });

  it('is not started after the job has ended', async () => {
    await expect(copyOf(buffersOf(), AbortSignal.abort())).rejects.toThrow();
    expect(readdirSync(copies())).toEqual([]);
  });
});

describe('its changes', () => {
  it('are the written, new and deleted files, except those with equal bytes', async () => {
    const copy = await copyOf();
    put(copy, 'a.md', 'one\n');
    put(copy, 'notes/b.md', 'TWO\n');
    put(copy, 'deep/er/c.md', 'three\n');
    put(copy, 'noise.log', 'noise\n');
    put(copy, 'picture', Uint8Array.of(0));
    put(copy, 'empty', '');
    rmSync(path.join(copy.folder, '.gitignore'));
    put(copy, '.gitignore', '*.log\n');
    expect(must(await copy.changes())).toEqual([
      { kind: 'text', path: 'deep/er/c.md', before: null, after: 'three\n' },
      { kind: 'left_out', path: 'empty', why: 'is new and empty' },
      { kind: 'text', path: 'notes/b.md', before: 'two\n', after: 'TWO\n' },
      { kind: 'left_out', path: 'picture', why: 'is not UTF-8 text' },
    ]);
  });

  it('report files of the project that changed meanwhile', async () => {
    const copy = await copyOf();
    put(copy, 'a.md', 'ONE\n');
    put(copy, 'new.md', 'mine\n');
    writeFileSync(path.join(project.root, 'a.md'), 'changed by the user\n');
    writeFileSync(path.join(project.root, 'new.md'), 'made by the user\n');
    expect(must(await copy.changes())).toEqual([
      { kind: 'moved', path: 'a.md' },
      { kind: 'moved', path: 'new.md' },
    ]);
  });
});

it('names what changed in the project while its copy was left alone, and nothing else', async () => {
  symlinkSync('a.md', path.join(project.root, 'link.md'));
  const copy = await copyOf(buffersOf({ 'a.md': 'unsaved\n' }));
  expect(must(await copy.changes())).toEqual([]);
  // A save of what the copy was made of.
  writeFileSync(path.join(project.root, 'a.md'), 'unsaved\n');
  writeFileSync(path.join(project.root, 'notes/b.md'), 'by a command\n');
  writeFileSync(path.join(project.root, 'new.md'), 'new\n');
  writeFileSync(path.join(project.root, '.env'), 'TOKEN=2\n');
  expect(must(await copy.changes())).toEqual([
    { kind: 'touched', path: 'new.md' },
    { kind: 'touched', path: 'notes/b.md' },
  ]);
});

it('says that it cannot look for new files in the project any more', async () => {
  const copy = await copyOf();
  rmSync(project.root, { recursive: true });
  const unlisted = must(await copy.changes()).filter((one) => one.kind === 'unlisted');
  expect(unlisted).toEqual([{ kind: 'unlisted', why: expect.stringContaining('ripgrep did not work') }]);
});
