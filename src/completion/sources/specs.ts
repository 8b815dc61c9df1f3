/** Subcommands and options that a command's grammar knows, for what the user has not used yet. */
import type { GrammarCatalogue } from '../core/grammar.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { commandWords, contextAt } from '../core/tokens.ts';
import type { Source } from './source.ts';

const PROPOSALS_MAX = 4;

export function createSpecsSource(catalogue: GrammarCatalogue): Source {
  return {
    name: 'specs',
    suggest(query: Query): readonly Suggestion[] {
      const left = query.line.slice(0, query.cursor);
      const { words, current, start, redirect } = contextAt(left);
      const command = commandWords(words);
      if (command.length === 0 || redirect || query.cursor !== query.line.length || command.includes('--'))
        return [];
      const place = catalogue.placeAfter(command);
      if (place === null) return [];
      const used = new Set(words);
      const names = current.startsWith('-') ? place.options : place.subcommands;
      const matches = names.filter((name) => name.startsWith(current) && name !== current && !used.has(name));
      return matches.slice(0, PROPOSALS_MAX).map((name) => ({
        line: left.slice(0, start) + name,
        cursor: null,
        source: 'specs',
        // A letter or two of the word make it far likelier that one of these is meant.
        probability: (current === '' ? 0.15 : 0.5) / Math.max(1, Math.min(matches.length, 12)),
        partial: true,
        why: current.startsWith('-') ? 'an option of this command' : 'a subcommand of this command',
      }));
    },
  };
}
