import { expect, it } from 'vitest';
import type { Query } from '../core/suggestion.ts';
import { insideLine } from './inside-line.ts';
import type { Source } from './source.ts';

/** A source that continues any line by these texts. */
function adding(...texts: readonly string[]): Source {
  return {
    name: 'specs',
    suggest: ({ line }) =>
      texts.map((text) => ({
        line: line + text,
        cursor: null,
        source: 'specs',
        probability: 0.5,
        partial: true,
        why: 'test',
      })),
  };
}

/** What is proposed for a line, `|` being the cursor, with the cursor of each proposal. */
async function proposed(source: Source, shown: string): Promise<readonly string[]> {
  const cursor = shown.indexOf('|');
  const query: Query = { line: shown.replace('|', ''), cursor, cwd: '/', session: 's', limit: 4 };
  const found = await insideLine(source).suggest(query, new AbortController().signal);
  return found.map(({ line, cursor: at }) => (at === null ? line : `${line.slice(0, at)}|${line.slice(at)}`));
}

it.each([
  ['git lo| main', ['g --oneline', 'g'], ['git log| main']],
  ['git lo|', ['g --oneline', 'g'], ['git log --oneline', 'git log']],
  ['cat a| | wc', ['\\ b.txt', 'c'], ['cat a\\ b.txt| | wc', 'cat ac| | wc']],
  ['git log| main', [' --oneline'], []],
  ['git l|o main', ['og'], []],
  ['git | main', ['log'], ['git log| main']],
])('completes %s', async (shown, texts, expected) => {
  expect(await proposed(adding(...texts), shown)).toEqual(expected);
});

it('drops a proposal that changes what stands before the cursor', async () => {
  const other: Source = {
    ...adding(),
    suggest: () => [
      { line: 'got log', cursor: null, source: 'specs', probability: 1, partial: true, why: 'test' },
    ],
  };
  expect(await proposed(other, 'git lo| main')).toEqual([]);
});
