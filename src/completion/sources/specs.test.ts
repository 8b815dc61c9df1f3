import { describe, expect, it } from 'vitest';
import { sourcesStage } from '../../../test/helpers/completion-sources.ts';
import { GrammarCatalogue } from '../core/grammar.ts';
import { Prior } from '../core/prior.ts';
import { createSpecsSource } from './specs.ts';

const { lines } = sourcesStage();

describe('specs', () => {
  const source = createSpecsSource(
    new GrammarCatalogue(
      'zeta\t{"s":{"run":{"s":{"fast":{}},"o":["--quick","-q"]},"rm":{},"r":"run","go":"run"},"o":["--version"]}\n',
    ),
    new Prior([], ['git commit -m\t9', 'git commit --all\t3']),
  );
  it.each([
    ['zeta r', ['zeta rm', 'zeta run']],
    ['zeta run ', ['zeta run fast']],
    ['zeta run --', ['zeta run --quick']],
    ['zeta go --', ['zeta go --quick']],
    ['zeta go ', ['zeta go fast']],
    ['zeta g', []],
    ['zeta -', ['zeta --version']],
    ['zeta run x ', []],
    ['zeta constructor ', []],
    ['sudo zeta ru', ['sudo zeta run']],
    ['other ', []],
    ['zeta', []],
  ])('%j', async (line, expected) => {
    expect(await lines(source, line)).toEqual(expected);
  });

  it('tells a missing subcommand from one that may be an option, a file or a project’s own', () => {
    const catalogue = new GrammarCatalogue(
      'git\t{"s":{"status":{},"st":"status"}}\nzeta\t{"s":{"run":{}}}\n',
    );
    const lacks = [
      'git sttaus',
      'sudo git sttaus -s',
      'git status',
      'git st',
      'git -C x sttaus',
      'git',
      'zeta own',
    ];
    expect(lacks.map((line) => catalogue.lacksSubcommand(line))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
