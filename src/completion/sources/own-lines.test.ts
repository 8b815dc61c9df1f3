/** Lines offered from the history are exactly as typed, byte for byte. */
import { describe, expect, it } from 'vitest';
import { filed } from '../../../test/helpers/history.ts';
import { Knowledge } from '../core/knowledge.ts';
import type { Query } from '../core/suggestion.ts';
import { tokenize } from '../core/tokens.ts';
import { pureSources } from './all.ts';
import type { Source } from './source.ts';

const LINES: readonly string[] = [
  'make test 2>&1 | tee log',
  'make test  2>&1|tee log',
  'make clean && make install && make test',
  'cmd &>all.log',
  './run >out.log 2>err.log &',
  'exec 3<>f',
  'exec {fd}>&-',
  'arr=(a b c); echo $arr[1]',
  'diff <(sort a) <(sort b)',
  'cp file.{txt,bak}',
  'cp src/{a,b}/{c,d}.ts /tmp',
  'echo $(date +%F) "$(hostname -s)" > host.txt',
  'cat <<< "a b" | wc -w',
  'cat <<EOF\na b\nEOF',
  'git log # the last commits of today',
  'for i in 1 2 3; do echo $i; done',
  'if [[ -f a && -f b ]]; then cat a b; fi',
  'while read -r x; do print -r -- $x; done < list',
  'case $x in a) echo a;; b) echo b;; esac',
  'f() { echo a; echo b }',
  '(cd /tmp && ls -la)',
  'ls *(.om[1,3]) **/*.ts~node_modules/*',
  "awk '{ print $1 }' a|sort|uniq -c|sort -rn",
  'git commit -m "fix: a | b && c"',
  'echo one\necho two',
  'make \\\n  all',
  'a;b;c',
  'sleep 5 & sleep 6 &! echo x',
  'A=1 B="x y" env | grep A',
  'curl -s "https://example.org/?a=1&b=2"|jq .',
  `echo \`date\` $\{HOME:-"no home"} $((1 + 2))`,
  'tar czf - . | ssh h "cat > /tmp/x.tgz"',
  'grep -rn -- "->" src | head -n 20',
  '!! && echo ok',
  'print -P "%F{red}x%f"',
  'find . -name "*.ts" -exec grep -l x {} +',
  'find . \\( -name a -o -name b \\) -print',
  '[[ a =~ ^b ]] || echo no',
  'echo a >| b',
  'echo a >>! b 2>/dev/null',
  `x=$\{$\{(f)"$(ls)"}[1]}`,
  'echo {1..3}{a,b}',
  'noglob scp h:a\\ b .',
  '((i++)); ((x = 3 > 2 ? 1 : 0)); echo $i',
  'for ((i=0; i<10; i++)) { print $i }',
  'if (( $#a > 3 )); then print $a[1]; fi',
  '((cat a) | (cat b))',
  'foo() { print a }; foo',
  'function bar { print b }',
  '{ print a; print b } always { print c }',
  'repeat 3 { print x }',
  'while (( n-- )) do print $n; done',
  'case $1 in (a) echo a ;| (b) echo b ;; esac',
  'diff =(sort a) =(sort b)',
  'sleep 9 &! disown %1',
  "git diff HEAD~3..HEAD -- ':!*.lock'",
  'alias g="git" ll="ls -la"',
  '^foo^bar',
  'cmd > >(tee out.log) 2> >(tee err.log >&2)',
  'cat a >&- 2>&- <&-',
  'cmd >out.log 2>err.log </dev/null &|',
  'coproc tail -f log; read -p line',
  `print -l $\{(s.:.)PATH} $\{#$\{(f)"$(<a.txt)"}}`,
  'echo "$(echo "a $(echo "b c") d")" e',
  "echo $'a\\tb\\'c' $\"loc\"",
  `x=$(cat <<< "a b"); echo $\{x//a/b}`,
  'for f (*.c) cc -c $f',
  'foreach x (a b) echo $x; end',
  'while getopts ab: o; do case $o in (a) A=1 ;; (b) B=$OPTARG ;; esac; done',
  'select x in a b; do break; done',
  'if [[ $a == (x|y)* && ! -e $b ]] { print c } elif (( d )) { print e } else { print f }',
  '() { local x=$1; print $x } a b',
  `typeset -A h=(a 1 "b c" 2); print $\{h[b c]}`,
  '[[ "a b" =~ "^a (.*)$" ]] && echo $match[1]',
  'print -r -- {01..10..3}{x,"y z",$w}',
  'echo a\\ b\\;c \\#d #e',
  "sed -e 's/a b/c|d/;s/\"//g' -- *.txt(N) | tee >(wc -l) >/dev/null",
  'time ( sleep 1; echo a ) 2>&1 | cat -A',
  'git log --format="%h %s" | while IFS= read -r l; do echo "$l"; done',
  'export A="$HOME/x y":$A B=\'c d\'',
  'f() if true; then echo a; fi',
  'echo $((16#ff + (2*3))) $[1+1]',
  'cat <<-X | tr a b\n\ta b\n\tX',
];

/** Everything offered from the history, for every start of every line. */
async function offered(sources: readonly Source[], line: string): Promise<ReadonlySet<string>> {
  const all = new Set<string>();
  for (let cursor = 0; cursor <= line.length; cursor += 1) {
    const query: Query = { line: line.slice(0, cursor), cursor, cwd: '/p', session: 's', limit: 20 };
    for (const source of sources)
      for (const found of await source.suggest(query, new AbortController().signal)) all.add(found.line);
  }
  return all;
}

describe('a single line in the history', () => {
  it.each(LINES)('%j is offered only by its starts', async (line) => {
    const knowledge = new Knowledge();
    knowledge.learn(filed(line));
    const sources = pureSources(knowledge, null).filter(({ name }) => name !== 'typo');
    for (const one of await offered(sources, line)) expect(line.startsWith(one), one).toBe(true);
  });
});

describe('a start that is offered', () => {
  it('never leaves a quote, bracket or heredoc open', async () => {
    const knowledge = new Knowledge();
    for (const line of LINES) knowledge.learn(filed(line));
    const tokens = pureSources(knowledge, null).filter(({ name }) => name === 'tokens');
    const query = (line: string): Query => ({
      line,
      cursor: line.length,
      cwd: '/p',
      session: 's',
      limit: 20,
    });
    const offers = async (line: string) => [...(await offered(tokens, line))].map((one) => one.trimEnd());
    for (const line of ['f', 'i', 'whi', '(', 'case', 'arr'])
      for (const one of await offers(line)) expect(one).not.toMatch(/\b(?:do|then|in)$|\{$|\($/);
    for (const line of ['echo a;', 'a;', 'print', 'exec {fd}>&-;', 'make clean && '])
      for (const one of await offers(line)) expect(one).not.toMatch(/[;\s](?:done|do|fi|then|esac|\})$/);
    for (const one of await offers('((')) expect(one).not.toMatch(/\+\+\)?$/);
    expect(tokens[0]?.suggest(query('make test 2>'), new AbortController().signal)).toEqual(
      expect.arrayContaining([expect.objectContaining({ line: expect.stringMatching(/^make test 2>&1/) })]),
    );
  });

  it('never ends inside a pair of quotes or brackets', async () => {
    const knowledge = new Knowledge();
    for (const line of LINES) knowledge.learn(filed(line));
    const words = pureSources(knowledge, null).filter(({ name }) => name === 'words');
    const isOpen = (line: string) => tokenize(line).some(({ open }) => open);
    for (const line of ['cat >l', 'cat >f', 'vi x/s', 'ls a=c', 'cp a:', 'ls */1', 'ls src/t'])
      for (const one of await offered(words, line)) expect(isOpen(one), one).toBe(isOpen(line));
  });
});
