/** Every candidate source, in one list. A new source is a file beside this one and a line in it. */
import type { Knowledge } from '../core/knowledge.ts';
import type { WorkerSettings } from '../worker-protocol.ts';
import { createHistorySource } from './history.ts';
import type { Source } from './source.ts';
import { createTokensSource } from './tokens.ts';
import { createTypoSource } from './typo.ts';

export function createSources(knowledge: Knowledge, _settings: WorkerSettings): readonly Source[] {
  return [createHistorySource(knowledge), createTokensSource(knowledge), createTypoSource(knowledge)];
}
