import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourcesStage } from '../../../test/helpers/completion-sources.ts';
import { createGitSource } from './git.ts';
import { createRefs } from './git-refs.ts';

const stage = sourcesStage();
const { lines, now } = stage;

describe('git', () => {
  const source = () => createGitSource(createRefs(now));
  it.each([
    ['git checkout ', ['git checkout feature/one', 'git checkout packed', 'git checkout v1.0']],
    ['git switch fea', ['git switch feature/one']],
    ['git push ', ['git push fork', 'git push origin']],
    ['git merge v', ['git merge v1.0']],
    ['git push origin ', ['git push origin feature/one', 'git push origin main', 'git push origin packed']],
    ['git checkout -b ', []],
    ['git switch -c fea', []],
    ['git -C . switch fea', ['git -C . switch feature/one']],
    ['git checkout -- ', []],
    ['ls ', []],
  ])('%j', async (line, expected) => {
    expect(await lines(source(), line)).toEqual(expected);
  });
  it.each([
    ['git switch ', ['git switch \\$\\(x\\)', 'git switch a\\;b', 'git switch fix\\#1']],
    ['git switch a', ['git switch a\\;b']],
    ['git switch a;', []],
    ['git switch fix#', ['git switch fix#1']],
  ])('%j is never continued with a name that the shell would run', async (line, expected) => {
    const branches = ['$(x)', 'a;b', 'fix#1', 'c\nd', 'e\u001b[2J', 'f\u202e'];
    const hostile = createGitSource(async () => ({
      branches,
      tags: [],
      remotes: [],
      tracked: [],
      head: null,
      hasUpstream: false,
    }));
    expect(await lines(hostile, line)).toEqual(expected);
  });
  it('finds the repository from below, and none outside', async () => {
    expect(await lines(source(), 'git switch p', path.join(stage.dir, 'src'))).toEqual(['git switch packed']);
    expect(await lines(source(), 'git switch p', '/')).toEqual([]);
  });
});
