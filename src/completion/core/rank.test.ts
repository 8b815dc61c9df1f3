import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ran } from '../../../test/helpers/history.ts';
import { Knowledge } from './knowledge.ts';
import { rank } from './rank.ts';
import type { Query, Suggestion } from './suggestion.ts';

describe('rank', () => {
  const query: Query = { line: 'git st', cursor: 6, cwd: '/', session: 's', limit: 4 };
  const suggest = (line: string, probability: number, more: Partial<Suggestion> = {}): Suggestion => ({
    line,
    cursor: null,
    source: 'paths',
    probability,
    partial: false,
    why: '',
    ...more,
  });

  it('sorts, merges, limits', () => {
    const ranked = rank(
      [
        suggest('git status', 0.5),
        suggest('git status', 0.4, { source: 'git' }),
        suggest('git stash', 0.2),
        ...Array.from({ length: 9 }, (_, at) => suggest(`git st${at}`, 0.05)),
      ],
      query,
    );
    expect(ranked).toHaveLength(4);
    expect(ranked[0]).toMatchObject({ line: 'git status', sources: ['paths', 'git'] });
    const confidences = ranked.map(({ confidence }) => confidence);
    expect(confidences).toEqual([...confidences].sort((a, b) => b - a));
    expect(new Set(ranked.map(({ line }) => line)).size).toBe(4);
  });

  it.each([
    ['the input itself', 'git st'],
    ['the input with a blank', 'git st '],
    ['a line that does not continue it', 'ls'],
    ['a control character', 'git st\u001b[31m'],
    ['a secret', 'git st --password=hunter22'],
    ['a new newline', 'git st\nls'],
  ])('never shows %s', (_name, line) => {
    expect(rank([suggest(line, 0.9)], query)).toEqual([]);
  });

  it('shows the row that saves most keys beside the likeliest, not several endings of one line', () => {
    const long = 'git stash push --include-untracked';
    const shown = rank(
      [
        ...['git sta', 'git stas', 'git stash', 'git status'].map((line) => suggest(line, 0.6)),
        suggest(long, 0.5),
      ],
      { ...query, limit: 2 },
    ).map(({ line }) => line);
    expect(shown).toContain(long);
  });

  it('prefers a short, likely word to a long, unlikely one', () => {
    const lines = [
      suggest('git stash pop', 0.6),
      suggest('git stash', 0.3),
      suggest('git status', 0.2),
      ...['git stripspace', 'git stage --patch', 'git standup --since'].map((line) => suggest(line, 0.002)),
    ];
    expect(rank(lines, query).map(({ line }) => line)).toContain('git status');
  });

  it('gives the start of a line the probability that the line itself is not wanted', () => {
    const row = (suggestions: readonly Suggestion[], line: string) =>
      rank(suggestions, { ...query, line: 'gi', cursor: 2 }).find((one) => one.line === line)?.confidence ??
      0;
    const start = suggest('git ', 0.6, { partial: true });
    const line = suggest('git status', 0.5);
    expect(row([start, line], 'git ')).toBeLessThan(row([start], 'git '));
    expect(row([start, line], 'git status')).toBe(row([line], 'git status'));
  });

  it('puts a likely line before its start, and the start before a guess', () => {
    const first = (probability: number) =>
      rank([suggest('git ', 0.7, { partial: true }), suggest('git status', probability)], {
        ...query,
        line: 'gi',
        cursor: 2,
      })[0]?.line;
    expect(first(0.6)).toBe('git status');
    expect(first(0.1)).toBe('git ');
  });

  it('gives probabilities, the highest first, for any suggestions', () => {
    const words = fc.constantFrom('git ', 'git status', 'git stash', 'git stash pop', 'git st', 'gi');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(words, fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 12 }),
        (pairs) => {
          const rows = rank(
            pairs.map(([line, probability]) => suggest(line, probability)),
            { ...query, line: 'g', cursor: 1, limit: 6 },
          );
          const confidences = rows.map(({ confidence }) => confidence);
          expect(confidences).toEqual([...confidences].sort((a, b) => b - a));
          expect(confidences.every((one) => one > 0 && one < 1)).toBe(true);
          // The minimum confidence of a row can make the sum slightly too large.
          expect(confidences.reduce((sum, one) => sum + one, 0)).toBeLessThan(1.01);
        },
      ),
      { seed: 5, numRuns: 300 },
    );
  });

  it('is more confident for a user who often repeats lines', () => {
    const of = (familiarity: number) =>
      rank([suggest('git status', 0.5, { source: 'history' })], query, { familiarity, experience: 500 })[0]
        ?.confidence ?? 0;
    expect(of(0.9)).toBeGreaterThan(of(0.1));
  });

  it('shows a fix even if it does not continue the line', () => {
    expect(rank([suggest('got st', 0.9, { kind: 'fix' })], query)).toHaveLength(1);
  });
});

describe('Knowledge', () => {
  it('counts a reported command once, even if the history file also has it', () => {
    const knowledge = new Knowledge();
    knowledge.learn(ran('make'));
    knowledge.learnFromFile(ran('make'), '');
    expect(knowledge.history.usesOf('make')).toBe(1);
    knowledge.learnFromFile(ran('make'), '');
    expect(knowledge.history.usesOf('make')).toBe(2);
  });

  it('learns no private line and no secret', () => {
    const knowledge = new Knowledge();
    for (const line of [' ls', 'mysql -u root -phunter2', '']) knowledge.learn(ran(line));
    expect(knowledge.history.size).toBe(0);
    expect(knowledge.recent('s')).toEqual([]);
  });
});
