/** Every candidate source, in one list. A new source is a file beside this one and a line in it. */

import type { GrammarCatalogue } from '../core/grammar.ts';
import type { Knowledge } from '../core/knowledge.ts';
import type { Prior } from '../core/prior.ts';
import { withAliases } from './aliases.ts';
import { createGitSource } from './git.ts';
import type { RefsAt } from './git-refs.ts';
import { createHistorySource } from './history.ts';
import { createHostsSource } from './hosts.ts';
import { insideLine } from './inside-line.ts';
import { createPathsSource } from './paths.ts';
import { createPriorSource } from './prior.ts';
import { createProjectSource } from './project.ts';
import { createRepairSource } from './repair.ts';
import { createSequenceSource } from './sequence.ts';
import type { Source } from './source.ts';
import { createSpecsSource } from './specs.ts';
import { createTokensSource } from './tokens.ts';
import { createTypoSource } from './typo.ts';
import { createWordsSource } from './words.ts';
import { createZshSource, type ZshCompletions } from './zsh.ts';

export interface AllSourcesOptions {
  readonly home: string;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  readonly refsAt: RefsAt;
  /** `$KUBECONFIG` */
  readonly kubeconfig: string | undefined;
  readonly prior: Prior | null;
  readonly specs: GrammarCatalogue | null;
  /** The user's own completion functions; null where no hidden shell is wanted. */
  readonly zsh: ZshCompletions | null;
}

export function createSources(knowledge: Knowledge, options: AllSourcesOptions): readonly Source[] {
  const aliasOf = (name: string) => knowledge.aliasOf(name);
  const places = [
    createPathsSource(options),
    createGitSource(options.refsAt),
    ...[
      createProjectSource(options),
      createHostsSource(options),
      ...(options.specs === null ? [] : [createSpecsSource(options.specs, options.prior)]),
      ...(options.zsh === null ? [] : [createZshSource(knowledge, options.zsh, options)]),
    ].map(insideLine),
  ];
  const repair = createRepairSource(knowledge, {
    typo: createTypoSource(knowledge, options.prior, options.specs),
    places: places.filter(({ name }) => name !== 'zsh' && name !== 'specs'),
    refsAt: options.refsAt,
    isRoot: process.getuid?.() === 0,
  });
  return [
    repair,
    // The user's lines were learned with aliases; the prior knows none.
    ...pureSources(knowledge, options.prior, options.specs).map((source) =>
      source.name === 'prior' ? withAliases(source, aliasOf) : source,
    ),
    ...places.map((source) => withAliases(source, aliasOf)),
  ];
}

/** The sources that need only learned knowledge, and that a replay can measure. */
export function pureSources(
  knowledge: Knowledge,
  prior: Prior | null,
  specs: GrammarCatalogue | null = null,
): readonly Source[] {
  return [
    createHistorySource(knowledge),
    createSequenceSource(knowledge),
    createTokensSource(knowledge),
    createWordsSource(knowledge),
    createTypoSource(knowledge, prior, specs),
    ...(prior === null ? [] : [insideLine(createPriorSource(knowledge, prior, specs))]),
  ];
}
