/** Our engine as a predictor: the same sources and ranking as in the daemon, those that need no file system. */
import { Knowledge } from '../../src/completion/core/knowledge.ts';
import type { Prior } from '../../src/completion/core/prior.ts';
import { rank } from '../../src/completion/core/rank.ts';
import type { SourceName, Suggestion } from '../../src/completion/core/suggestion.ts';
import { pureSources } from '../../src/completion/sources/pure.ts';
import type { Predictor } from './replay.ts';

export interface OursOptions {
  readonly prior: Prior | null;
  /** Sources that are left out, to see what each gives. */
  readonly without?: readonly SourceName[];
}

const SESSION = 'replay';
const NEVER = new AbortController().signal;

export function createOurs(options: OursOptions): Predictor {
  const knowledge = new Knowledge();
  const sources = pureSources(knowledge, options.prior).filter(
    ({ name }) => !options.without?.includes(name),
  );
  return {
    predict(typed, cwd) {
      const query = { line: typed, cursor: typed.length, cwd, session: SESSION, limit: 4 };
      const suggestions: Suggestion[] = [];
      for (const source of sources) {
        const found = source.suggest(query, NEVER);
        if (!(found instanceof Promise)) suggestions.push(...found);
      }
      return rank(suggestions, query);
    },
    learn: ({ line, cwd, at, exit }) => knowledge.learn({ line, cwd, at, exit, session: SESSION }),
  };
}
