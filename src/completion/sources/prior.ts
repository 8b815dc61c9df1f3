/** The next words as people in general use them, for commands that the user has not used yet. */
import { growLine } from '../core/expand.ts';
import type { GrammarCatalogue } from '../core/grammar.ts';
import type { Knowledge } from '../core/knowledge.ts';
import type { Prior } from '../core/prior.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { commandWords, contextAt } from '../core/tokens.ts';
import { wantsScript } from './project.ts';
import type { Source } from './source.ts';

/** A file or folder of whoever wrote the example. */
const NAMES_A_FILE = /\.[A-Za-z]\w{0,4}(?:\s|$)|\//;

const GROWTH = { branches: 4, sure: 0.75, maxWords: 4 } as const;

/** `specs`: subcommands that they do not have, of add-ons, are offered where the add-on is installed. */
export function createPriorSource(
  knowledge: Knowledge,
  prior: Prior,
  specs: GrammarCatalogue | null = null,
): Source {
  return {
    name: 'prior',
    suggest(query: Query): readonly Suggestion[] {
      const left = query.line.slice(0, query.cursor);
      const right = query.line.slice(query.cursor);
      if (left.trim() === '' || right.trim() !== '') return [];
      const { words, current, commandStart } = contextAt(left);
      if (!current.startsWith('-') && wantsScript(commandWords(words))) return [];
      const head = left.slice(0, commandStart);
      return growLine(prior, left.slice(commandStart), GROWTH)
        .filter(
          (growth) =>
            isThere(knowledge, specs, growth.left) &&
            !NAMES_A_FILE.test(growth.left.slice(left.length - commandStart)),
        )
        .map((growth) => ({
          line: head + growth.left,
          cursor: null,
          source: 'prior',
          probability: growth.probability,
          partial: true,
          why: 'a common continuation',
        }));
    },
  };
}

/** A command that is not installed is no help. */
function isThere(knowledge: Knowledge, specs: GrammarCatalogue | null, line: string): boolean {
  const [name = '', word = ''] = line.split(' ');
  if (!knowledge.knowsNames) return true;
  if (!knowledge.exists(name)) return false;
  const known = specs?.placeAfter([name])?.subcommands ?? [];
  return (
    known.length === 0 || !/^[a-z]/.test(word) || known.includes(word) || knowledge.exists(`${name}-${word}`)
  );
}
