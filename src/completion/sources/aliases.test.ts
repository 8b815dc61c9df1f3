import { expect, it } from 'vitest';
import { GrammarCatalogue } from '../core/grammar.ts';
import type { Query } from '../core/suggestion.ts';
import { withAliases } from './aliases.ts';
import { createSpecsSource } from './specs.ts';

const ALIASES = new Map([
  ['k', 'kubectl'],
  ['gs', 'git stash'],
  ['loop', 'for x in'],
  ['odd', 'git $(x)'],
]);
const specs = new GrammarCatalogue(
  'kubectl\t{"s":{"get":{"s":{"pods":{}}}}}\ngit\t{"s":{"stash":{"s":{"pop":{}}}}}\n',
);
const source = withAliases(createSpecsSource(specs, null), (name) => ALIASES.get(name));

it.each([
  ['k get p', ['k get pods']],
  ['gs p', ['gs pop']],
  ['ls; k g', ['ls; k get']],
  ['kubectl get p', ['kubectl get pods']],
  ['odd s', []],
  ['k', []],
])('%s', async (line, expected) => {
  const query = { line, cursor: line.length, cwd: '/', session: 's', limit: 4 } satisfies Query;
  const found = await source.suggest(query, new AbortController().signal);
  expect(found.map((one) => one.line)).toEqual(expected);
});
