import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOf, makeSourcesFolder } from '../../../test/helpers/completion-sources.ts';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { GrammarCatalogue } from '../core/grammar.ts';
import { Prior } from '../core/prior.ts';
import type { Source } from './source.ts';
import { createSpecsSource } from './specs.ts';

let dir = '';
beforeAll(() => {
  dir = makeSourcesFolder();
});
afterAll(() => removeTree(dir));
const lines = (source: Source, line: string, cwd = dir) => linesOf(source, line, cwd);

describe('specs', () => {
  const source = createSpecsSource(
    new GrammarCatalogue(
      'zeta\t{"s":{"run":{"s":{"fast":{}},"o":["--quick","-q"]},"rm":{}},"o":["--version"]}\n',
    ),
    new Prior([], ['git commit -m\t9', 'git commit --all\t3']),
  );
  it.each([
    ['zeta r', ['zeta rm', 'zeta run']],
    ['zeta run ', ['zeta run fast']],
    ['zeta run --', ['zeta run --quick']],
    ['zeta -', ['zeta --version']],
    ['zeta run x ', []],
    ['zeta constructor ', []],
    ['sudo zeta ru', ['sudo zeta run']],
    ['other ', []],
    ['zeta', []],
  ])('%j', async (line, expected) => {
    expect(await lines(source, line)).toEqual(expected);
  });
});
