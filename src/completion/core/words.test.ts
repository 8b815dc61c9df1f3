/** The expected next words and lines: the history index, the token and sequence models, the prior. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMsOf } from '../../../test/helpers/cpu-time.ts';
import { addAll, ran } from '../../../test/helpers/history.ts';
import { growLine } from './expand.ts';
import { HistoryIndex } from './history-index.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { Prior } from './prior.ts';
import { SequenceModel } from './sequence-model.ts';
import { TokenModel } from './token-model.ts';

const pieces = (line: string): readonly Piece[] => piecesOf(line) ?? [];

describe('HistoryIndex', () => {
  const query = { prefix: 'git', cwd: '/', previous: '', limit: 10 };
  const linesOf = (index: HistoryIndex, more: Partial<typeof query> = {}) =>
    index.match({ ...query, ...more }).matches.map(({ line }) => line);

  it('finds exactly the lines that start with the prefix', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 }), {
          maxLength: 40,
        }),
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 2 }),
        (lines, prefix) => {
          const index = new HistoryIndex();
          for (const line of lines) index.add(ran(line), '');
          const found = linesOf(index, { prefix, limit: 100 }).sort();
          expect(found).toEqual([...new Set(lines)].filter((line) => line.startsWith(prefix)).sort());
        },
      ),
      { seed: 4 },
    );
  });

  it('prefers recent lines, lines of the folder, and the usual next line', () => {
    const index = new HistoryIndex();
    addAll(index, [ran('git a', { cwd: '/x' }), ran('git b', { cwd: '/y' })]);
    expect(linesOf(index)[0]).toBe('git b');
    expect(linesOf(index, { cwd: '/x' })[0]).toBe('git a');
    const pairs = new HistoryIndex();
    for (const line of ['make', 'git push', 'make', 'git push', 'git log', 'git log'])
      pairs.add(ran(line), '');
    pairs.add(ran('git push'), 'make');
    pairs.add(ran('git log'), '');
    expect(linesOf(pairs, { previous: 'make' })[0]).toBe('git push');
  });

  it('ranks commands that failed lower, and never offers a forgotten one again', () => {
    const index = new HistoryIndex();
    index.add(ran('git good'), '');
    index.add(ran('git bad', { exit: 1 }), '');
    expect(linesOf(index)[0]).toBe('git good');
    expect(['git good', 'git bad', 'git new'].map((line) => index.hasOnlyFailed(line))).toEqual([
      false,
      true,
      false,
    ]);
    index.forget('git good');
    index.add(ran('git good'), '');
    expect(linesOf(index)).toEqual(['git bad']);
  });

  it('answers fast in a long history', () => {
    const index = new HistoryIndex();
    addAll(
      index,
      Array.from({ length: 200_000 }, (_, at) => ran(`git command ${at}`)),
    );
    linesOf(index);
    const ms = cpuMsOf(() => {
      for (let round = 0; round < 20; round += 1) linesOf(index, { prefix: 'g' });
    });
    expect(ms / 20).toBeLessThan(50);
  });
});

describe('TokenModel', () => {
  it('learns following words and backs off to shorter contexts', () => {
    const model = new TokenModel();
    for (let round = 0; round < 5; round += 1) model.learn(['git', 'commit', '-m']);
    model.learn(['git', 'push']);
    expect(model.next(['git'], '', 3)[0]?.word).toBe('commit');
    expect(model.next(['sudo', 'git'], '', 3)[0]?.word).toBe('commit');
    expect(model.next(['git'], 'p', 3)[0]?.word).toBe('push');
  });

  it('gives probabilities', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'ab');
    fc.assert(
      fc.property(
        fc.array(fc.array(word, { maxLength: 4 }), { maxLength: 30 }),
        fc.array(word, { maxLength: 3 }),
        (lines, before) => {
          const model = new TokenModel();
          for (const line of lines) model.learn(line);
          const next = model.next(before, '', 100);
          const total = next.reduce((sum, { probability }) => sum + probability, 0);
          expect(total).toBeLessThanOrEqual(1 + 1e-9);
          expect(next.every(({ probability }) => probability > 0)).toBe(true);
        },
      ),
      { seed: 9 },
    );
  });

  it('stays balanced between two words after thousands of repeats', () => {
    const model = new TokenModel();
    for (let round = 0; round < 5_000; round += 1) model.learn(['a', round % 2 ? 'b' : 'c']);
    const [first] = model.next(['a'], '', 2);
    expect(first?.probability).toBeGreaterThan(0.3);
    expect(first?.probability).toBeLessThan(0.7);
  });
});

describe('growLine', () => {
  it('extends the line while the model is confident, and offers each start too', () => {
    const model = new TokenModel();
    for (let round = 0; round < 9; round += 1) model.learn(pieces('docker compose up -d'));
    const grown = growLine(model, 'doc', { branches: 3, sure: 0.5, maxWords: 6 }).map(({ left }) => left);
    expect(grown).toContain('docker compose up -d');
    // Each start on the way; if more always follows, with its blank.
    expect(grown).toEqual(['docker ', 'docker compose ', 'docker compose up ', 'docker compose up -d']);
  });

  it('continues after a word that may be complete', () => {
    const model = new TokenModel();
    for (const line of ['git status', 'git push', 'gitk']) model.learn(pieces(line));
    const grown = growLine(model, 'git', { branches: 3, sure: 0.9, maxWords: 6 }).map(({ left }) => left);
    expect(grown).toEqual(expect.arrayContaining(['gitk', 'git push', 'git status']));
  });

  it('adds no space after a word that often ends the line', () => {
    const model = new TokenModel();
    for (const line of ['zeta', 'zeta', 'zeta', 'zeta x']) model.learn(pieces(line));
    const grown = growLine(model, 'ze', { branches: 3, sure: 0.9, maxWords: 6 }).map(({ left }) => left);
    expect(grown).toEqual(['zeta']);
  });
});

describe('TokenModel and the command of a word', () => {
  it('offers the words of a command in any position, and not those of another', () => {
    const model = new TokenModel();
    model.learn(pieces('nmap -A host-one'));
    model.learn(pieces('ls | grep -v other'));
    expect(model.next(['nmap', '-sV', '-p', '80'], '', 9).map(({ word }) => word)).toContain('host-one');
    expect(model.next(['ls', '-la'], '', 9).map(({ word }) => word)).not.toContain('host-one');
    expect(model.next(['cat', 'x', '|', 'grep', '-i'], '', 9).map(({ word }) => word)).toContain('other');
  });

  it('checks few words however many followed a command', () => {
    const model = new TokenModel();
    for (let at = 0; at < 30_000; at += 1) model.learn(['cd', `folder-${at}`]);
    const looked = model.next(['cd'], '', 1_000_000);
    expect(looked.length).toBeLessThan(3_000);
    expect(looked.map(({ word }) => word)).toContain('folder-29999');
  });
});

describe('SequenceModel', () => {
  it('predicts by the last two lines, not by the last one alone', () => {
    const model = new SequenceModel();
    const run = (lines: readonly string[]) =>
      lines.reduce<readonly [string, string]>(
        ([beforeLast, last], line) => {
          model.learn(line, { beforeLast, last, cwd: '/w' });
          return [last, line];
        },
        ['', ''],
      );
    for (let round = 0; round < 4; round += 1) {
      run(['edit', 'make', 'test']);
      run(['pull', 'make', 'install']);
    }
    const following = (beforeLast: string, last: string) =>
      model.next({ beforeLast, last, cwd: '/w' }, '', 3).map(({ line }) => line);
    expect(following('edit', 'make')[0]).toBe('test');
    expect(following('pull', 'make')[0]).toBe('install');
    expect(following('never', 'seen')).not.toEqual([]);
    expect(
      model.next({ beforeLast: 'edit', last: 'make', cwd: '/w' }, 'in', 3).map(({ line }) => line),
    ).toEqual(['install']);
  });

  it('gives probabilities', () => {
    const model = new SequenceModel();
    for (const line of ['a', 'b', 'a', 'c']) model.learn(line, { beforeLast: '', last: 'x', cwd: '' });
    const sum = model
      .next({ beforeLast: '', last: 'x', cwd: '' }, '', 9)
      .reduce((total, { probability }) => total + probability, 0);
    expect(sum).toBeGreaterThan(0.5);
    expect(sum).toBeLessThan(1);
  });
});

describe('Prior', () => {
  const prior = new Prior(['tar czf', 'tar tf', 'tar xf', 'tar xzf', 'tig'].sort());
  it('returns the shares under a prefix', () => {
    expect(prior.next(['tar'], 'x', 5)).toEqual([
      { word: 'xf', probability: 0.5 },
      { word: 'xzf', probability: 0.5 },
    ]);
    expect(prior.next([], 'ti', 5)[0]?.word).toBe('tig');
    expect(prior.next([], 't', 5)).toEqual([]);
    expect(prior.next(['nope'], '', 5)).toEqual([]);
  });
});
