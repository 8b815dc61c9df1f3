import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { append, piecesOf } from './pieces.ts';
import { commandWords, contextAt, tokenize } from './tokens.ts';

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

  it('drops nothing but spaces, and never fails', () => {
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

  it('splits a line into pieces that together give the line again', () => {
    fc.assert(
      fc.property(line, (typed) => {
        const [first = '', ...rest] = piecesOf(typed) ?? [];
        const whole = rest.reduce(append, first);
        if (first !== '') expect(typed.replace(/^[ \t]+/, '').startsWith(whole)).toBe(true);
      }),
      { seed: 5, numRuns: 2_000 },
    );
  });

  it.each(['echo "open', 'cat <<EOF\nx\nEOF', 'make >', 'a \\'])('does not split %j', (typed) => {
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

  it('returns the words before a command', () => {
    expect(commandWords(['A=1', 'sudo', 'git', 'push'])).toEqual(['git', 'push']);
  });
});

it('reads a line with endlessly nested quotes as one open word', () => {
  for (const nest of ['$("', '"$(', '$(`"'])
    expect(tokenize(nest.repeat(30_000))).toMatchObject([{ kind: 'word', open: true }]);
  expect(contextAt('echo "$(git log "$(git rev-parse "a")")" b').words).toHaveLength(2);
});
