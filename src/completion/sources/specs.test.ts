import { describe, expect, it } from 'vitest';
import { sourcesStage } from '../../../test/helpers/completion-sources.ts';
import { GrammarCatalogue } from '../core/grammar.ts';
import { Prior } from '../core/prior.ts';
import { createSpecsSource } from './specs.ts';

const { lines } = sourcesStage();

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
