import { describe, expect, it } from 'vitest';
import { riskOf, withoutDanger } from './risk.ts';
import type { Candidate, Query } from './suggestion.ts';

const FILES = new Set(['file.txt', 'out.log']);
const risk = (line: string) => riskOf(line, (word) => FILES.has(word));

describe('withoutDanger', () => {
  const rows = (...lines: string[]) =>
    lines.map((line): Candidate => ({ line, sources: ['paths'] }) as unknown as Candidate);
  const shown = (typed: string, ...lines: string[]) =>
    withoutDanger(rows(...lines), { line: typed, cursor: typed.length } as Query, risk).map(
      ({ line }) => line,
    );
  it('completes no half word to a destructive command', () => {
    expect(shown('git reset --h', 'git reset --hard', 'git reset --help')).toEqual(['git reset --help']);
    expect(shown('rm -rf .', 'rm -rf .git/')).toEqual([]);
  });
  it('puts a safe row before it, and shows none if there is no safe one', () => {
    expect(shown('git push ', 'git push --force', 'git push origin')).toEqual([
      'git push origin',
      'git push --force',
    ]);
    expect(shown('rm -rf ', 'rm -rf build', 'rm -rf dist')).toEqual([]);
    expect(shown('', 'rm -rf build', 'ls')).toEqual(['ls', 'rm -rf build']);
  });
  it.each([
    ['kubectl d', ['kubectl delete', 'kubectl describe'], ['kubectl describe', 'kubectl delete']],
    ['gh repo d', ['gh repo delete', 'gh repo deploy-key'], ['gh repo deploy-key', 'gh repo delete']],
    ['docker r', ['docker rm ', 'docker run', 'docker rmi '], ['docker run', 'docker rm ', 'docker rmi ']],
    ['kubectl delet', ['kubectl delete'], ['kubectl delete']],
    ['kubectl ', ['kubectl delete', 'kubectl get'], ['kubectl delete', 'kubectl get']],
    ['npm u', ['npm uninstall', 'npm update', 'npm unlink'], ['npm update', 'npm unlink', 'npm uninstall']],
  ])('%j becomes a destructive verb only below another row', (typed, lines, expected) => {
    expect(shown(typed, ...lines)).toEqual(expected);
  });
  it.each([
    ['> ', ['> file.txt', '> new/'], ['> new/', '> file.txt']],
    ['ls >| ', ['ls >| file.txt'], []],
    ['echo x > f', ['echo x > file.txt'], []],
    ['cmd &> o', ['cmd &> out.log', 'cmd &> old/'], ['cmd &> old/', 'cmd &> out.log']],
    ['mv x ', ['mv x file.txt', 'mv x out.log', 'mv x new/'], ['mv x new/', 'mv x file.txt', 'mv x out.log']],
    ['sort a -o ', ['sort a -o file.txt'], []],
  ])('%j overwrites a file only by a later row', (typed, lines, expected) => {
    expect(shown(typed, ...lines)).toEqual(expected);
  });
  it('marks what a row would do, and leaves it first if it ran before', () => {
    const [row] = rows('mv a file.txt');
    const ran = { ...row, sources: ['paths', 'history'] } as Candidate;
    const [first] = withoutDanger([ran], { line: 'mv a ', cursor: 5 } as Query, risk);
    expect(first?.risk).toBe('overwrites');
  });
});
