import { describe, expect, it } from 'vitest';
import { isFailure, otherForms } from './repair.ts';

const REFS = {
  branches: ['topic'],
  tags: ['v1'],
  remotes: ['fork', 'origin'],
  tracked: ['origin/main'],
  head: 'work',
  hasUpstream: false,
};
const forms = (line: string, changed: Partial<Parameters<typeof otherForms>[1]> = {}) =>
  otherForms(line, { exit: 1, isRoot: false, refs: REFS, folders: new Set(['src', 'a b']), ...changed });

describe('otherForms', () => {
  it.each([
    ['$(x)', '\\$\\(x\\)'],
    ['a;b', 'a\\;b'],
    ['`x`', '\\`x\\`'],
    ['fix#1', 'fix\\#1'],
    ['-x', null],
    ['+x', null],
    ['=ls', '\\=ls'],
    ['a=b', 'a=b'],
    ['a\nb', null],
    ['a\u202eb', null],
  ])('writes the name %j so that the shell runs nothing of it, or not at all', (name, quoted) => {
    const pushes = (remote: string, head: string) =>
      quoted === null ? [] : [`git push --set-upstream ${remote} ${head}`];
    expect(forms('git push', { refs: { ...REFS, head: name } })).toEqual(pushes('origin', quoted ?? ''));
    expect(forms('git push', { refs: { ...REFS, remotes: [name] } })).toEqual(pushes(quoted ?? '', 'work'));
  });

  it.each([
    ['git push', ['git push --set-upstream origin work']],
    ['git push fork', ['git push --set-upstream fork work']],
    ['git push origin work', []],
    ['git push | cat', []],
    ['git push --force', ['git push --force --set-upstream origin work']],
    ['git push -q', ['git push -q --set-upstream origin work']],
    ['git push --delete', []],
    ['git push --all', []],
    ['git checkout brand-new', ['git checkout -b brand-new']],
    ['git switch  brand-new', ['git switch -c  brand-new']],
    ['git checkout topic', []],
    ['git checkout -q', []],
    ['git commit', []],
    ['cd not/there', ['mkdir -p not/there && cd not/there']],
    ['cd $HOME/x', []],
    ['cd -', []],
    ['mkdir a/b', ['mkdir -p a/b']],
    ['mkdir -p a/b', []],
    ['mkdir a', []],
    ['cp src dst', ['cp -r src dst']],
    ['cp -a src dst', []],
    ['cp file src', []],
    ['apt install "a  b"', ['sudo apt install "a  b"']],
    ['rm -r src', []],
    ['', []],
  ])('of %j', (line, expected) => {
    expect(forms(line)).toEqual(expected);
  });

  it('recognizes what an exit status means, who runs it, and what is followed', () => {
    expect(forms('./run.sh  x', { exit: 126 })).toEqual(['chmod +x ./run.sh && ./run.sh  x']);
    expect(forms('apt update', { isRoot: true })).toEqual([]);
    expect(forms('git push', { refs: { ...REFS, hasUpstream: true } })).toEqual([]);
    expect(forms('git push', { refs: { ...REFS, remotes: [] } })).toEqual([]);
    expect(forms('git push -f', { refs: { ...REFS, remotes: [] } })).toEqual([]);
    expect([0, 1, 126, 127, 128, 130, 137, 148, null].map(isFailure)).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
      true,
      false,
      false,
    ]);
  });
});
