/** Proposes subcommands and options from a command's grammar that the user has not used yet. */
import type { GrammarCatalogue } from '../core/grammar.ts';
import { Prior } from '../core/prior.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { commandWords, contextAt } from '../core/tokens.ts';
import type { Source } from './source.ts';

const PROPOSALS_MAX = 4;
/** The probability that one of the names is meant. */
const TRUST = 0.6;
const TRUST_UNTYPED = 0.25;

const NO_PRIOR = new Prior([]);

/** `prior` sorts by what people type most. */
export function createSpecsSource(catalogue: GrammarCatalogue, prior: Prior | null): Source {
  return {
    name: 'specs',
    suggest(query: Query): readonly Suggestion[] {
      const left = query.line.slice(0, query.cursor);
      const { words, current, start, redirect } = contextAt(left);
      const command = commandWords(words);
      if (command.length === 0 || redirect || command.includes('--')) return [];
      const place = catalogue.placeAfter(command);
      if (place === null) return [];
      const used = new Set(words);
      const names = current.startsWith('-') ? place.options : place.subcommands;
      const matches = names.filter((name) => name.startsWith(current) && name !== current && !used.has(name));
      const likely = (prior ?? NO_PRIOR).byUse(
        command.filter((word) => !word.startsWith('-')),
        matches,
      );
      return likely.slice(0, PROPOSALS_MAX).map(({ name, share }) => ({
        line: left.slice(0, start) + name,
        cursor: null,
        source: 'specs',
        // Even one typed letter makes these names far likelier.
        probability: (current === '' ? TRUST_UNTYPED : TRUST) * share,
        partial: true,
        why: current.startsWith('-') ? 'an option of this command' : 'a subcommand of this command',
      }));
    },
  };
}
