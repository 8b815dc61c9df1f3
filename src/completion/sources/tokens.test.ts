import { describe, expect, it } from 'vitest';
import { linesOf, queryAt } from '../../../test/helpers/completion-sources.ts';
import { ran } from '../../../test/helpers/history.ts';
import { Knowledge } from '../core/knowledge.ts';
import type { Source } from './source.ts';
import { createTokensSource } from './tokens.ts';

const NEVER = new AbortController().signal;
const query = (line: string, cwd = '/') => queryAt(line, cwd);
const lines = (source: Source, line: string, cwd = '/') => linesOf(source, line, cwd);

describe('tokens', () => {
  it('adds no second space before the rest of the line', () => {
    const knowledge = new Knowledge();
    for (const line of ['git commit -m x', 'git commit -m y']) knowledge.learn(ran(line));
    const found = createTokensSource(knowledge).suggest({ ...query('git | less'), cursor: 3 }, NEVER);
    if (found instanceof Promise) throw new Error('it reads nothing');
    expect(found.map(({ line, cursor }) => [line, cursor])).toContainEqual(['git commit -m | less', 13]);
    for (const { line } of found) expect(line).toMatch(/\S \| less$/);
  });

  it.each([
    ['a word of another command', 'git com', 'git compose', false],
    ['a subcommand after another subcommand', 'git commit sta', 'git commit status', false],
    ['an option of another subcommand', 'git status --am', 'git status --amend', false],
    ['a word that only one line has, in another position', 'git commit main', 'git commit main', false],
    [
      'a word of the same command, known from two lines',
      'git push --tags or',
      'git push --tags origin',
      true,
    ],
  ])('%s', async (_name, typed, expected, isOffered) => {
    const knowledge = new Knowledge();
    for (const line of [
      'docker compose up',
      'git status -s',
      'git status',
      'git commit --amend',
      'git commit --amend -m x',
      'git push origin a',
      'git push -f origin b',
      'git push origin main',
    ])
      knowledge.learn(ran(line));
    const found = (await lines(createTokensSource(knowledge), typed)).map((one) => one.trimEnd());
    expect(found.includes(expected)).toBe(isOffered);
  });
});
