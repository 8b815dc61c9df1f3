/** The next words by the user's own habits, for lines that never ran as a whole. */
import { growLine } from '../core/expand.ts';
import type { GrammarCatalogue } from '../core/grammar.ts';
import type { Knowledge } from '../core/knowledge.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { commandWords, contextAt } from '../core/tokens.ts';
import type { Source } from './source.ts';

/** A word of other commands where a command has subcommands of its own is this much less likely. */
const FOREIGN_SHARE = 0.05;
/** So many words after a command are its user's habits. */
const HABITS_MAX = 256;

const GROWTH = { branches: 6, sure: 0.55, maxWords: 8 } as const;

/** `specs`: what commands have subcommands; without it words of other commands are as good as any. */
export function createTokensSource(knowledge: Knowledge, specs: GrammarCatalogue | null = null): Source {
  return {
    name: 'tokens',
    suggest(query: Query): readonly Suggestion[] {
      const left = query.line.slice(0, query.cursor);
      const right = query.line.slice(query.cursor);
      if (left.trim() === '' || (right !== '' && !/^\s/.test(right))) return [];
      const isForeign = foreignWords(knowledge, specs, left);
      return growLine(knowledge.tokens, left, GROWTH).map((growth) => {
        // The blank behind the word is there already.
        const grown = right === '' ? growth.left : growth.left.trimEnd();
        return {
          line: grown + right,
          cursor: right === '' ? null : grown.length,
          source: 'tokens',
          probability: growth.probability * (isForeign(growth.left) ? FOREIGN_SHARE : 1),
          partial: growth.partial,
          why: 'words that you often use together',
        };
      });
    },
  };
}

/** Tells of a grown line whether its word behind the command's name is neither a subcommand nor a habit of the user. */
function foreignWords(
  knowledge: Knowledge,
  specs: GrammarCatalogue | null,
  left: string,
): (grown: string) => boolean {
  const { words, start } = contextAt(left);
  const command = commandWords(words);
  const subcommands = command.length === 1 ? (specs?.placeAfter(command)?.subcommands ?? []) : [];
  if (subcommands.length === 0) return () => false;
  const habits = knowledge.tokens.next(command, '', HABITS_MAX).map(({ word }) => word);
  const known = new Set([...subcommands, ...habits]);
  return (grown) => {
    const word = /^\S*/.exec(grown.slice(start))?.[0] ?? '';
    return !word.startsWith('-') && !known.has(word);
  };
}
