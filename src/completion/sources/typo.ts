/** Repairs a command name, or the first word after it, that nothing knows but that is one slip away from one that is used. */
import { isBuiltin } from '../core/builtins.ts';
import type { Knowledge } from '../core/knowledge.ts';
import type { Prior } from '../core/prior.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { tokenize } from '../core/tokens.ts';
import { corrections, type KnownWord } from '../core/typo.ts';
import type { Source } from './source.ts';

const FIXES_MAX = 3;
/** An unfinished word may still become one that is known: it is not yet a slip. */
const MIN_LETTERS_AT_END = 3;

/** How sure it is that a name that nothing here knows is a slip: with the names that exist, and without. */
const TRUST = 0.9;
const TRUST_WITHOUT_NAMES = 0.4;
/** A name that other people's machines have is a slip seldom, a word that is two slips away half as often. */
const TRUST_IN_USUAL = 0.25;
const TRUST_IN_FAR = 0.5;
const TRUST_IN_SUBCOMMAND = 0.6;

/** `prior`: what people in general type is not a slip, even if it is not there or was never used here. */
export function createTypoSource(knowledge: Knowledge, prior: Prior | null = null): Source {
  const isKnown = (name: string) =>
    isBuiltin(name) || knowledge.exists(name) || (knowledge.usesOf(name) > 1 && !knowledge.knowsNames);
  return {
    name: 'typo',
    suggest(query: Query): readonly Suggestion[] {
      const words = tokenize(query.line).filter((token) => token.kind === 'word');
      const [name, argument] = words;
      if (name === undefined || name.text.length < 2 || !/^[A-Za-z][\w.+-]*$/.test(name.text)) return [];
      const typing = name.end === query.cursor && words.length === 1;
      if (!isKnown(name.text)) {
        if (typing && (name.text.length < MIN_LETTERS_AT_END || knowledge.hasNameFrom(name.text))) return [];
        const trust = knowledge.knowsNames ? TRUST : TRUST_WITHOUT_NAMES;
        const usual = prior?.has([name.text]) ? TRUST_IN_USUAL : 1;
        return fixes(query, name.text, name.start, knowledge.names(), trust * usual);
      }
      // A second word: only where the command is used with a few fixed words, such as `git` or `docker`.
      if (argument === undefined || !/^[a-z][a-z-]{2,}$/.test(argument.text)) return [];
      if (argument.end === query.cursor && query.cursor === query.line.length && words.length === 2)
        return [];
      const followers = knowledge.tokens.next([name.text], '', 64);
      if (followers.some(({ word }) => word === argument.text)) return [];
      if (prior?.has([name.text, argument.text])) return [];
      const known = followers.map(({ word, probability }) => ({ word, uses: probability * 10 }));
      return fixes(query, argument.text, argument.start, known, TRUST_IN_SUBCOMMAND);
    },
  };
}

function fixes(
  query: Query,
  wrong: string,
  start: number,
  known: Iterable<KnownWord>,
  trust: number,
): readonly Suggestion[] {
  return corrections(wrong, known, FIXES_MAX).map(({ word, share, distance }) => ({
    line: query.line.slice(0, start) + word + query.line.slice(start + wrong.length),
    cursor: null,
    source: 'typo',
    probability: share * trust * (distance > 1 ? TRUST_IN_FAR : 1),
    partial: true,
    kind: 'fix',
    why: `"${wrong}" is not known, "${word}" is`,
  }));
}
