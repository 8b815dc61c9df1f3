/** Tokens, the history index, the token model, the prior, the ranking. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMsOf } from '../../../test/helpers/cpu-time.ts';
import { addAll } from '../../../test/helpers/history.ts';
import { growLine } from './expand.ts';
import { HistoryIndex } from './history-index.ts';
import { Knowledge } from './knowledge.ts';
import { append, type Piece, piecesOf } from './pieces.ts';
import { Prior } from './prior.ts';
import { rank } from './rank.ts';
import { SequenceModel } from './sequence-model.ts';
import type { Executed, Query, Suggestion } from './suggestion.ts';
import { TokenModel } from './token-model.ts';
import { commandWords, contextAt, tokenize } from './tokens.ts';

const ran = (line: string, more: Partial<Executed> = {}): Executed => ({
  line,
  cwd: '/p',
  session: 's',
  at: 0,
  exit: 0,
  ...more,
});

const pieces = (line: string): readonly Piece[] => piecesOf(line) ?? [];

describe('tokenize', () => {
  it.each([
    ['git commit -m "a b"', ['git', 'commit', '-m', '"a b"']],
    ["echo 'it''s' a\\ b", ['echo', "'it''s'", 'a\\ b']],
    ['a|b && c;d', ['a', '|', 'b', '&&', 'c', ';', 'd']],
    ['x=$(ls | wc) y', ['x=$(ls | wc)', 'y']],
    ['cat <in >>out', ['cat', '<in', '>>out']],
    ['make test 2>&1 | tee log', ['make', 'test', '2>&1', '|', 'tee', 'log']],
    ['x &>all.log &', ['x', '&>all.log', '&']],
    ['exec 3<>f {fd}>&-', ['exec', '3<>f', '{fd}>&-']],
    ['a=(b c) d', ['a=(b c)', 'd']],
    ['diff <(sort a) >(wc) =(ls)', ['diff', '<(sort a)', '>(wc)', '=(ls)']],
    [`ls *(.) f{a,b} $\{x:-"a b"}`, ['ls', '*(.)', 'f{a,b}', `$\{x:-"a b"}`]],
    ['cat <<< "a b" > out # why', ['cat', '<<< "a b"', '> out', '# why']],
    ['echo $\'it\\\'s\' "$(date "+%F")"', ['echo', "$'it\\'s'", '"$(date "+%F")"']],
    ['sleep 1 &! ls', ['sleep', '1', '&!', 'ls']],
    ['echo "open', ['echo', '"open']],
    ['', []],
  ])('%j', (line, words) => {
    expect(tokenize(line).map(({ text }) => text)).toEqual(words);
  });

  it('loses no letter but blanks, and never fails', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (line) => {
        let at = 0;
        for (const { start, end, text } of tokenize(line)) {
          expect(line.slice(at, start).replace(/[ \t\r]/g, '')).toBe('');
          expect(line.slice(start, end)).toBe(text);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(line.slice(at).replace(/[ \t\r]/g, '')).toBe('');
      }),
      { seed: 2, numRuns: 500 },
    );
  });
});

describe('piecesOf', () => {
  const line = fc
    .array(
      fc.constantFrom(
        'a',
        'b c',
        ' ',
        '  ',
        '\t',
        '|',
        '&&',
        ';',
        '2>&1',
        '> f',
        '$(x y)',
        '"q r"',
        "'s'",
        '{',
        '}',
        '(',
        ')',
        '#',
        '\n',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));

  it('cuts a line so that its pieces make up the line again', () => {
    fc.assert(
      fc.property(line, (typed) => {
        const [first = '', ...rest] = piecesOf(typed) ?? [];
        const whole = rest.reduce(append, first);
        if (first !== '') expect(typed.replace(/^[ \t]+/, '').startsWith(whole)).toBe(true);
      }),
      { seed: 5, numRuns: 2_000 },
    );
  });

  it.each(['echo "open', 'cat <<EOF\nx\nEOF', 'make >', 'a \\'])('does not cut %j', (typed) => {
    expect(piecesOf(typed)).toBeNull();
  });
});

describe('contextAt', () => {
  it.each([
    ['git st', ['git'], 'st', 0, false],
    ['git ', ['git'], '', 0, false],
    ['ls | gr', [], 'gr', 5, false],
    ['cd a && vim src/', ['vim'], 'src/', 8, false],
    ['sort < fi', ['sort'], 'fi', 0, true],
    ['sort < ', ['sort'], '', 0, true],
    ['make 2>er', ['make'], 'er', 0, true],
    ['make 2>&1 | te', [], 'te', 12, false],
  ])('%j', (left, words, current, commandStart, redirect) => {
    expect(contextAt(left)).toMatchObject({ words, current, commandStart, redirect });
  });

  it('knows what stands before a command', () => {
    expect(commandWords(['A=1', 'sudo', 'git', 'push'])).toEqual(['git', 'push']);
  });
});

describe('HistoryIndex', () => {
  const query = { prefix: 'git', cwd: '/p', previous: '', limit: 10 };
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

  it('prefers the recent, the near and the usual successor', () => {
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

  it('demotes what failed and forgets for ever', () => {
    const index = new HistoryIndex();
    index.add(ran('git good'), '');
    index.add(ran('git bad', { exit: 1 }), '');
    expect(linesOf(index)[0]).toBe('git good');
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
  it('learns what follows and backs off to shorter contexts', () => {
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

  it('does not lose its mind over a million repeats', () => {
    const model = new TokenModel({ decay: 0.9 });
    for (let round = 0; round < 5_000; round += 1) model.learn(['a', round % 2 ? 'b' : 'c']);
    const [first] = model.next(['a'], '', 2);
    expect(first?.probability).toBeGreaterThan(0.3);
    expect(first?.probability).toBeLessThan(0.7);
  });
});

describe('growLine', () => {
  it('grows while the model is sure, and offers the start as well', () => {
    const model = new TokenModel();
    for (let round = 0; round < 9; round += 1) model.learn(pieces('docker compose up -d'));
    const grown = growLine(model, 'doc', { branches: 3, sure: 0.5, maxWords: 6 }).map(({ left }) => left);
    expect(grown).toContain('docker compose up -d');
    // Each start on the way; where more always follows, with its blank.
    expect(grown).toEqual(['docker ', 'docker compose ', 'docker compose up ', 'docker compose up -d']);
  });

  it('goes on behind a word that may be whole', () => {
    const model = new TokenModel();
    for (const line of ['git status', 'git push', 'gitk']) model.learn(pieces(line));
    const grown = growLine(model, 'git', { branches: 3, sure: 0.9, maxWords: 6 }).map(({ left }) => left);
    expect(grown).toEqual(expect.arrayContaining(['gitk', 'git push', 'git status']));
  });

  it('puts no blank behind a word that often ends the line', () => {
    const model = new TokenModel();
    for (const line of ['zeta', 'zeta', 'zeta', 'zeta x']) model.learn(pieces(line));
    const grown = growLine(model, 'ze', { branches: 3, sure: 0.9, maxWords: 6 }).map(({ left }) => left);
    expect(grown).toEqual(['zeta']);
  });
});

describe('TokenModel and the command of a word', () => {
  it('knows the words of a command wherever they stood in it, and not those of another', () => {
    const model = new TokenModel();
    model.learn(pieces('nmap -A host-one'));
    model.learn(pieces('ls | grep -v other'));
    expect(model.next(['nmap', '-sV', '-p', '80'], '', 9).map(({ word }) => word)).toContain('host-one');
    expect(model.next(['ls', '-la'], '', 9).map(({ word }) => word)).not.toContain('host-one');
    expect(model.next(['cat', 'x', '|', 'grep', '-i'], '', 9).map(({ word }) => word)).toContain('other');
  });

  it('looks at few words however many followed a command', () => {
    const model = new TokenModel();
    for (let at = 0; at < 30_000; at += 1) model.learn(['cd', `folder-${at}`]);
    const looked = model.next(['cd'], '', 1_000_000);
    expect(looked.length).toBeLessThan(3_000);
    expect(looked.map(({ word }) => word)).toContain('folder-29999');
  });
});

describe('SequenceModel', () => {
  it('tells what follows two lines apart from what follows the last one alone', () => {
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
  it('knows the shares under a prefix', () => {
    expect(prior.next(['tar'], 'x', 5)).toEqual([
      { word: 'xf', probability: 0.5 },
      { word: 'xzf', probability: 0.5 },
    ]);
    expect(prior.next([], 'ti', 5)[0]?.word).toBe('tig');
    expect(prior.next([], 't', 5)).toEqual([]);
    expect(prior.next(['nope'], '', 5)).toEqual([]);
  });
});

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
    ['what does not continue it', 'ls'],
    ['a control character', 'git st\u001b[31m'],
    ['a secret', 'git st --password=hunter22'],
    ['a newline out of nothing', 'git st\nls'],
  ])('never shows %s', (_name, line) => {
    expect(rank([suggest(line, 0.9)], query)).toEqual([]);
  });

  it('shows what saves most beside what is likeliest, not several ends of the same', () => {
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

  it('says of the start of a line how likely it is that the line is not what is wanted', () => {
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

  it('gives probabilities, the highest first, whatever the sources say', () => {
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
          // The least that is said of a row is a little too much.
          expect(confidences.reduce((sum, one) => sum + one, 0)).toBeLessThan(1.01);
        },
      ),
      { seed: 5, numRuns: 300 },
    );
  });

  it('is surer for who repeats himself', () => {
    const of = (familiarity: number) =>
      rank([suggest('git status', 0.5, { source: 'history' })], query, { familiarity, experience: 500 })[0]
        ?.confidence ?? 0;
    expect(of(0.9)).toBeGreaterThan(of(0.1));
  });

  it('shows a fix although it does not continue the line', () => {
    expect(rank([suggest('got st', 0.9, { kind: 'fix' })], query)).toHaveLength(1);
  });
});

describe('Knowledge', () => {
  it('counts a reported command once, although the history file has it too', () => {
    const knowledge = new Knowledge();
    knowledge.learn(ran('make'));
    knowledge.learnFromFile(ran('make'), '');
    expect(knowledge.history.usesOf('make')).toBe(1);
    knowledge.learnFromFile(ran('make'), '');
    expect(knowledge.history.usesOf('make')).toBe(2);
  });

  it('learns nothing private and nothing secret', () => {
    const knowledge = new Knowledge();
    for (const line of [' ls', 'mysql -u root -phunter2', '']) knowledge.learn(ran(line));
    expect(knowledge.history.size).toBe(0);
    expect(knowledge.recent('s')).toEqual([]);
  });
});

it('takes a line with quotes inside each other without end as one open word', () => {
  for (const nest of ['$("', '"$(', '$(`"'])
    expect(tokenize(nest.repeat(30_000))).toMatchObject([{ kind: 'word', open: true }]);
  expect(contextAt('echo "$(git log "$(git rev-parse "a")")" b').words).toHaveLength(2);
});
