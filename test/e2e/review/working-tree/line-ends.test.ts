/** Line ends, ident and encodings: text that git converts is reviewed and written as on disk. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, makeRepository, putTree, readText } from '../../../helpers/git-fixture.ts';
import { IN_PLACE, numbered, workingTree } from '../../../helpers/working-tree.ts';

const tree = workingTree();

describe('line ends', () => {
  const crlf = (changed: Readonly<Record<number, string>> = {}) => numbered(changed, '\r\n');

  test.each([
    ['text=auto with eol=crlf', { '.gitattributes': '* text=auto eol=crlf\n' }, null],
    ['eol=crlf alone', { '.gitattributes': '*.txt eol=crlf\n' }, null],
    ['core.autocrlf=true', {}, 'true'],
    ['core.autocrlf=input', {}, 'input'],
  ] as const)('%s: a CRLF file with one LF line', async (_, files, autocrlf) => {
    tree.root = makeRepository({ ...files, 'f.txt': 'x\n' });
    if (autocrlf !== null) git(tree.root, 'config', 'core.autocrlf', autocrlf);
    putTree(tree.root, { 'f.txt': crlf() });
    tree.git('add', '-A');
    tree.git('commit', '-qm', 'crlf');
    const edited = crlf({ 3: 'three\n', 15: 'fifteen\r\nmore\n' });
    putTree(tree.root, { 'f.txt': edited });
    const { id, hunks, notes } = await tree.review(IN_PLACE, { stage: true });
    expect([hunks.length, notes]).toEqual([2, []]);
    await tree.decide(id, hunks[0]?.id ?? '', 'reject');
    expect(readText(tree.root, 'f.txt')).toBe(crlf({ 15: 'fifteen\r\nmore\n' }));
    await tree.undo(id, hunks[0]?.id ?? '');
    expect(readText(tree.root, 'f.txt')).toBe(edited);
    await tree.decide(id, hunks[1]?.id ?? '', 'accept');
    expect(tree.git('show', ':f.txt')).toBe(numbered({ 15: 'fifteen\nmore\n' }));
    await tree.decide(id, hunks[0]?.id ?? '', 'reject');
    await tree.commit(id);
    expect(tree.git('show', 'HEAD:f.txt')).toBe(numbered({ 15: 'fifteen\nmore\n' }));
    expect(tree.git('status', '--porcelain')).toBe('');
  });

  test.each([
    ['no setting, and a line that ends with CRLF', '', 'false', numbered(), numbered({ 3: 'three\r\n' })],
    ['-text', '*.txt -text\n', 'input', numbered(), numbered({ 3: 'three\r\n' })],
    ['text', '*.txt text\n', 'false', numbered(), numbered({ 3: 'three\r\n' })],
    ['core.autocrlf=input over CRLF in the repository', '', 'input', crlf(), crlf({ 3: 'three\r\n' })],
    ['core.autocrlf=true over both', '', 'true', crlf({ 5: 'five\n' }), crlf({ 3: 'three\n', 5: 'five\n' })],
    ['text=auto over CRLF', '* text=auto\n', 'false', crlf(), crlf({ 3: 'three\n', 9: '' })],
    ['core.autocrlf=input and a lone CR', '', 'input', numbered(), numbered({ 3: 'a\rb\r\n' })],
  ])('%s: the commit has what git would add', async (_, attributes, autocrlf, before, after) => {
    tree.root = makeRepository({ 'f.txt': before });
    putTree(tree.root, { '.gitattributes': attributes });
    tree.git('add', '.gitattributes');
    tree.git('commit', '-qm', 'attributes');
    git(tree.root, 'config', 'core.autocrlf', autocrlf);
    putTree(tree.root, { 'f.txt': after });
    tree.run('cp .git/index .git/other; GIT_INDEX_FILE=.git/other git add f.txt 2>/dev/null');
    tree.run('GIT_INDEX_FILE=.git/other git ls-files -s f.txt >.git/added');
    const { id } = await tree.review();
    await tree.decide(id, 'all', 'accept');
    await tree.commit(id);
    expect(tree.git('ls-files', '-s', 'f.txt')).toBe(readText(tree.root, '.git/added'));
    expect(tree.git('diff', '--cached', '--name-only')).toBe('');
    expect(tree.git('status', '--porcelain')).toBe('');
  });

  test('half of the line ends are CRLF, the last line has none: a restored line is as git writes it', async () => {
    tree.root = makeRepository({ 'f.txt': 'f\n' });
    git(tree.root, 'config', 'core.autocrlf', 'true');
    putTree(tree.root, { 'f.txt': 'a\r\nb\r\nc' });
    tree.git('commit', '-qam', 'crlf');
    putTree(tree.root, { 'f.txt': 'a\r\nB\nc' });
    const { id } = await tree.review();
    await tree.decide(id, 'all', 'reject');
    expect(readText(tree.root, 'f.txt')).toBe('a\r\nb\r\nc');
  });

  test('a deleted CRLF file is restored with CRLF', async () => {
    tree.root = makeRepository({
      '.gitattributes': '* text=auto eol=crlf\n',
      'f.txt': 'x\n',
      'g.txt': 'g\n',
    });
    rmSync(path.join(tree.root, 'f.txt'));
    tree.git('checkout', '--', 'f.txt');
    rmSync(path.join(tree.root, 'f.txt'));
    const { id, hunks } = await tree.review();
    await tree.decide(id, hunks[0]?.id ?? '', 'reject');
    expect(readText(tree.root, 'f.txt')).toBe('x\r\n');
    expect(tree.git('status', '--porcelain', '--', 'f.txt')).toBe('');
  });

  test('ident: what git expands is not a change', async () => {
    tree.root = makeRepository({ '.gitattributes': '*.txt ident\n', 'f.txt': `$Id$\n${numbered()}` });
    rmSync(path.join(tree.root, 'f.txt'));
    tree.git('checkout', '--', 'f.txt');
    const expanded = readText(tree.root, 'f.txt') ?? '';
    expect(expanded).toMatch(/^\$Id: [0-9a-f]+ \$/);
    putTree(tree.root, { 'f.txt': expanded.replace('line 1\n', 'one\n') });
    const { id, hunks } = await tree.review();
    expect(hunks).toHaveLength(1);
    await tree.decide(id, hunks[0]?.id ?? '', 'reject');
    expect(readText(tree.root, 'f.txt')).toBe(expanded);
  });

  test('working-tree-encoding: only that file is left out, and named', async () => {
    tree.root = makeRepository({ 'f.txt': 'f\n' });
    const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').toString('latin1');
    putTree(tree.root, { '.gitattributes': '*.u16 working-tree-encoding=UTF-16\n', 'a.u16': utf16('a\n') });
    tree.git('add', '-A');
    tree.git('commit', '-qm', 'u16');
    putTree(tree.root, { 'f.txt': 'F\n', 'a.u16': utf16('A\n') });
    const { files, notes } = await tree.review();
    expect(files).toEqual(['f.txt']);
    expect(notes).toEqual([expect.stringMatching(/^a\.u16: stored in another encoding/)]);
  });
});
