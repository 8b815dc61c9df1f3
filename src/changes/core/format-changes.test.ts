import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { git } from '../../../test/helpers/git-fixture.ts';
import { put, scratchFolder } from '../../../test/helpers/recorded-session.ts';
import { exactBytes, exactText } from './file-text.ts';
import { formatPatch, formatStat } from './format-changes.ts';
import { turnChanges } from './turn-changes.ts';
import type { FileChange, TurnEdit } from './turn-edits.ts';
import { unifiedHunks } from './unified-hunks.ts';

const root = scratchFolder();
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Told = Pick<TurnEdit, 'path' | 'kind'> & Partial<TurnEdit>;

function changesOf(...edits: readonly Told[]) {
  const full = edits.map((edit, order): TurnEdit => {
    const fixed = { at: null, source: 'tool', by: 'tool', lineEnds: 'exact' } as const;
    return { ...fixed, order, outcome: 'applied', ...edit };
  });
  return turnChanges([{ turnId: 't', edits: full, commands: [], interrupted: false, rewound: false }]);
}

const text = (before: string | null, after: string | null) => ({
  ...(before === null ? {} : { before: exactText(before) }),
  ...(after === null ? {} : { after: exactText(after) }),
});

it('has one summary line per file, whatever its name contains, with blanks and any letters unchanged', () => {
  const names = [
    'a b.txt',
    'new\nline.txt',
    'tab\there.txt',
    'q"uote.txt',
    'back\\slash.txt',
    '日本語.txt',
    'e\u0301.txt',
  ];
  const edits = names.map((name): Told => ({ path: `/p/${name}`, kind: 'edit', ...text('a\n', 'b\n') }));
  const lines = formatStat(changesOf(...edits), '/p')
    .trimEnd()
    .split('\n');
  expect(lines.slice(0, -1).map((line) => line.split(' | ')[0]?.trim())).toEqual([
    'a b.txt',
    '"back\\\\slash.txt"',
    'e\u0301.txt',
    '"new\\nline.txt"',
    '"q\\"uote.txt"',
    '"tab\\there.txt"',
    '日本語.txt',
  ]);
});

it('calls a link a link and a binary file Bin', () => {
  const file = { kind: 'edit', hunks: [], exact: true, binary: true } as const;
  const modes = [0o120000, 0o120000] as const;
  const files: FileChange[] = [
    { ...file, path: '/p/link', modes },
    { ...file, path: '/p/made', kind: 'add', modes: [0, 0o120000] },
    { ...file, path: '/p/picture' },
  ];
  expect(formatStat({ files, added: 0, removed: 0, sources: [] }, '/p').split('\n').slice(0, 3)).toEqual([
    ' link    | Link',
    ' made    | Link',
    ' picture |  Bin',
  ]);
});

describe('a patch of changes', () => {
  it('makes a file executable, and names a link that it leaves out', () => {
    const project = path.join(root, 'modes');
    mkdirSync(project);
    git(project, 'init', '-q');
    put(path.join(project, 'run.sh'), 'x\n');
    const seen = { exact: true, binary: false, hunks: [] } as const;
    const file = (name: string) => path.join(project, name);
    const fresh = changesOf({ path: file('new.sh'), kind: 'add', ...text(null, 'y\n') }).files;
    const files: FileChange[] = [
      { ...seen, path: file('run.sh'), kind: 'edit', modes: [0o100644, 0o100755] },
      { ...seen, path: file('link'), kind: 'edit', binary: true, modes: [0o120000, 0o120000] },
      ...fresh.map((one) => ({ ...one, modes: [0, 0o100755] as const })),
    ];
    const { bytes, left } = formatPatch({ files, added: 1, removed: 0, sources: [] }, project);
    expect(left).toEqual([{ path: 'link', why: 'it is a symbolic link' }]);
    writeFileSync(path.join(root, 'modes.patch'), bytes);
    git(project, 'apply', path.join(root, 'modes.patch'));
    for (const name of ['run.sh', 'new.sh']) expect(statSync(file(name)).mode & 0o111).not.toBe(0);
  });

  it('is accepted by git, for any file names and line ends', () => {
    const project = path.join(root, 'project');
    mkdirSync(project);
    git(project, 'init', '-q');
    const files: Record<string, readonly [string | null, string | null]> = {
      'edit.txt': ['1\n2\n3\n4\n5\n6\n7\n8\n9\n', 'ONE\n2\n3\n4\n5\n6\n7\n8\nNINE'],
      'crlf.txt': ['a\r\nb\r\n', 'a\r\nB\r\n'],
      'with blank.txt': ['a', 'b'],
      'ünï\tcode.txt': ['a\n', 'b\n'],
      'sub/new.txt': [null, 'hello\n'],
      'empty.txt': [null, ''],
      'gone.txt': ['x\ny\n', null],
    };
    for (const [name, [before]] of Object.entries(files))
      if (before !== null) put(path.join(project, name), before);
    put(path.join(project, 'old.txt'), 'same\n');
    put(path.join(project, 'moved.txt'), 'a\nb\nc\n');
    git(project, 'add', '-A');
    const edits = Object.entries(files).map(([name, [before, after]]): Told => {
      const kind = before === null ? 'add' : after === null ? 'delete' : 'edit';
      return { path: path.join(project, name), kind, ...text(before, after) };
    });
    const changes = changesOf(
      ...edits,
      {
        path: path.join(project, 'renamed.txt'),
        movedFrom: path.join(project, 'old.txt'),
        kind: 'rename',
        ...text('same\n', 'same\n'),
      },
      {
        path: path.join(project, 'm2.txt'),
        movedFrom: path.join(project, 'moved.txt'),
        kind: 'rename',
        ...text('a\nb\nc\n', 'a\nB\nc\n'),
      },
    );
    const { bytes, left } = formatPatch(changes, project);
    expect(left).toEqual([]);
    writeFileSync(path.join(root, 'p.patch'), bytes);
    git(project, 'apply', '--whitespace=nowarn', path.join(root, 'p.patch'));
    for (const [name, [, after]] of Object.entries(files)) {
      if (after !== null) expect(readFileSync(path.join(project, name), 'utf8'), name).toBe(after);
    }
    expect(readFileSync(path.join(project, 'm2.txt'), 'utf8')).toBe('a\nB\nc\n');
    expect(git(project, 'ls-files', '-d').trim().split('\n').sort()).toEqual([
      'gone.txt',
      'moved.txt',
      'old.txt',
    ]);
    git(project, 'apply', '-R', '--whitespace=nowarn', path.join(root, 'p.patch'));
    expect(
      git(project, 'status', '--porcelain')
        .split('\n')
        .filter((line) => !line.startsWith('A  ')),
    ).toEqual(['']);
  });

  it('of hunks with one line of context is also accepted', () => {
    const project = path.join(root, 'thin');
    put(path.join(project, 'a.txt'), '1\n2\n3\n4\n5\n6\n7\n8\n9\n');
    const hunks = unifiedHunks('@@ -1,2 +1,2 @@\n-1\n+ONE\n 2\n@@ -6,3 +6,3 @@\n 6\n-7\n+SEVEN\n 8\n') ?? [];
    const changes = changesOf({ path: path.join(project, 'a.txt'), kind: 'edit', patch: hunks });
    writeFileSync(path.join(root, 'thin.patch'), formatPatch(changes, project).bytes);
    git(project, 'apply', path.join(root, 'thin.patch'));
    expect(readFileSync(path.join(project, 'a.txt'), 'utf8')).toBe('ONE\n2\n3\n4\n5\n6\nSEVEN\n8\n9\n');
  });

  it('names files that it cannot hold', () => {
    const binary = { before: exactBytes(Uint8Array.of(0, 1)), after: exactBytes(Uint8Array.of(0, 2)) };
    const latin = { before: exactBytes(Uint8Array.of(0xe9, 10)), after: exactBytes(Uint8Array.of(0xe8, 10)) };
    const changes = changesOf(
      { path: '/p/bin', kind: 'edit', ...binary },
      { path: '/p/latin', kind: 'edit', ...latin },
      { path: '/p/lost', kind: 'edit', lost: 'not-committed' },
      { path: '/outside', kind: 'edit', ...text('a\n', 'b\n') },
    );
    const { bytes, left } = formatPatch(changes, '/p');
    expect(bytes).toHaveLength(0);
    expect(left.map(({ path: name, why }) => [name, why.split(' ').slice(0, 4).join(' ')])).toEqual([
      ['/outside', 'it is outside of'],
      ['bin', 'it is binary'],
      ['latin', 'it is not UTF-8'],
      ['lost', 'the AI CLI committed'],
    ]);
  });
});

describe('a summary of changes', () => {
  it('has the format of git', () => {
    const long = `${'x\n'.repeat(200)}`;
    const changes = changesOf(
      { path: '/p/a.txt', kind: 'edit', ...text('a\nb\n', 'a\nB\nc\n') },
      { path: '/p/sub/new.txt', kind: 'add', ...text(null, long) },
      { path: '/p/b.txt', movedFrom: '/p/c.txt', kind: 'rename', ...text('a\n', 'a\n') },
    );
    const lines = formatStat(changes, '/p').split('\n');
    expect(lines[0]).toBe(' a.txt          |   3 +-');
    expect(lines[1]).toBe(' c.txt => b.txt |   0');
    expect(lines[2]).toMatch(/^ sub\/new\.txt {4}\| 200 \++$/);
    expect(lines.slice(3)).toEqual([' 3 files changed, 202 insertions(+), 1 deletion(-)', '']);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });
});
