/** The sources that need nothing but what was learned: the ones that a replay can measure. */
import type { GrammarCatalogue } from '../core/grammar.ts';
import type { Knowledge } from '../core/knowledge.ts';
import type { Prior } from '../core/prior.ts';
import { createHistorySource } from './history.ts';
import { createPriorSource } from './prior.ts';
import { createSequenceSource } from './sequence.ts';
import type { Source } from './source.ts';
import { createTokensSource } from './tokens.ts';
import { createTypoSource } from './typo.ts';
import { createWordsSource } from './words.ts';

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
    ...(prior === null ? [] : [createPriorSource(knowledge, prior, specs)]),
  ];
}
