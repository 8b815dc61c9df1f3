import { describe, expect, it } from 'vitest';
import { sourcesStage } from '../../../test/helpers/completion-sources.ts';
import { createPathsSource } from './paths.ts';

const NEVER = new AbortController().signal;
const stage = sourcesStage();
const { lines, now, query } = stage;

describe('paths', () => {
  const source = () => createPathsSource({ home: stage.dir, now });
  it.each([
    ['cat rea', ['cat read\\ me.txt', 'cat readme.md']],
    ['cat "read m', ['cat "read me.txt"']],
    ['cat ./src/', ['cat ./src/main.ts']],
    ['cat ~/src/m', ['cat ~/src/main.ts']],
    ['cd s', ['cd src/']],
    ['cd rea', []],
    ['cat .h', ['cat .hidden']],
    ['cat 世', ['cat 世界.txt']],
    ['cat "odd', [String.raw`cat "odd \"\$x\"\!.log"`]],
    [String.raw`cat odd\ `, [String.raw`cat odd\ \"\$x\"\!.log`]],
    ["cat 'it", ["cat 'it'\\''s.cfg'"]],
    ['cat "it', ['cat "it\'s.cfg"']],
    ['cd doc', ['cd Docs/']],
    ['cat Docs/gui', ['cat Docs/Guide.md']],
    ['cat README', ['cat readme.md']],
    ['wc -l < rea', ['wc -l < read\\ me.txt', 'wc -l < readme.md']],
    ['git st', []],
    ['cat $HOME/re', []],
    ['cat -', []],
    ['./sr', ['./src/']],
    ['git add rea', ['git add read\\ me.txt', 'git add readme.md']],
    ['git add readme.md rea', ['git add readme.md read\\ me.txt']],
    ['git checkout rea', []],
    ['git checkout -- readme', ['git checkout -- readme.md']],
    ['git log --oneline -- s', ['git log --oneline -- src/']],
    ['make rea', []],
    ['tar rea', []],
  ])('%j', async (line, expected) => {
    expect(await lines(source(), line)).toEqual(expected);
  });

  it.each([
    ['python .mixed/', ['run.py', 'sub/', 'a.txt', 'z.tar.gz']],
    ['tar xf .mixed/', ['z.tar.gz', 'sub/', 'a.txt', 'run.py']],
    ['tar czf .mixed/', ['sub/', 'a.txt', 'run.py', 'z.tar.gz']],
    ['cat .mixed/', ['sub/', 'a.txt', 'run.py', 'z.tar.gz']],
    ['python < .mixed/', ['sub/', 'a.txt', 'run.py', 'z.tar.gz']],
  ])('%j begins with what the command reads', async (line, names) => {
    const found = await source().suggest(query(line), NEVER);
    expect(found.map((one) => one.line)).toEqual(names.map((name) => line + name));
    const likeliest = [...found].sort((a, b) => b.probability - a.probability)[0];
    expect(likeliest?.line).toBe(line + names[0]);
  });

  it('offers nothing in missing folders', async () => {
    expect(await lines(source(), 'cat x', '/nonexistent')).toEqual([]);
    expect(await lines(source(), 'cat x', 'relative')).toEqual([]);
  });

  it('keeps the text after the cursor and places the cursor before it', async () => {
    const [suggestion] = await source().suggest({ ...query('cat readme | wc'), cursor: 10 }, NEVER);
    expect(suggestion).toMatchObject({ line: 'cat readme.md | wc', cursor: 13 });
  });
});
