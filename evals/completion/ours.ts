/** Our engine as a predictor: the daemon's sources and ranking, except sources that need the file system. */
import type { GrammarCatalogue } from '../../src/completion/core/grammar.ts';
import { Knowledge } from '../../src/completion/core/knowledge.ts';
import type { Prior } from '../../src/completion/core/prior.ts';
import { rank } from '../../src/completion/core/rank.ts';
import type { SourceName, Suggestion } from '../../src/completion/core/suggestion.ts';
import { pureSources } from '../../src/completion/sources/all.ts';
import { createSpecsSource } from '../../src/completion/sources/specs.ts';
import type { Predictor } from './replay.ts';

export interface OursOptions {
  readonly prior: Prior | null;
  /** The command grammar, if built. */
  readonly specs?: GrammarCatalogue | null;
  /** Sources to leave out, to measure the effect of each. */
  readonly without?: readonly SourceName[];
}

const SESSION = 'replay';
const NEVER = new AbortController().signal;

export interface Ours extends Predictor {
  /** What all sources suggest, unordered. */
  propose(typed: string, cwd: string): readonly Suggestion[];
}

export function createOurs(options: OursOptions): Ours {
  const knowledge = new Knowledge();
  const catalogue = options.specs ? [createSpecsSource(options.specs, options.prior)] : [];
  const sources = [...pureSources(knowledge, options.prior, options.specs), ...catalogue].filter(
    ({ name }) => !options.without?.includes(name),
  );
  const queryAt = (typed: string, cwd: string) => ({
    line: typed,
    cursor: typed.length,
    cwd,
    session: SESSION,
    limit: 4,
  });
  const propose = (typed: string, cwd: string): readonly Suggestion[] =>
    sources.flatMap((source) => {
      const found = source.suggest(queryAt(typed, cwd), NEVER);
      return found instanceof Promise ? [] : found;
    });
  let previous = '';
  return {
    propose,
    learnFromFile(command) {
      const entry = { ...command, session: '' };
      if (knowledge.learnFromFile(entry, previous)) knowledge.learnHabits(entry, previous);
      previous = command.line;
    },
    predict: (typed, cwd) => rank(propose(typed, cwd), queryAt(typed, cwd), knowledge.habits),
    learn: ({ line, cwd, at, exit }) => knowledge.learn({ line, cwd, at, exit, session: SESSION }),
  };
}
