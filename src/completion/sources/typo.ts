/** Repairs the name of a command, or the first word after it, that nothing knows but that is one slip away from one that is used. */
import { BUILTINS, hasBuiltinFrom, isBuiltin } from '../core/builtins.ts';
import type { GrammarCatalogue } from '../core/grammar.ts';
import type { Knowledge } from '../core/knowledge.ts';
import type { Prior } from '../core/prior.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { commandWords, type Token, tokenize } from '../core/tokens.ts';
import { corrections, type KnownWord } from '../core/typo.ts';
import type { Source } from './source.ts';

const FIXES_MAX = 3;
const FOLLOWERS_LOOKED_AT = 64;
/** What people in general type counts as so many uses. */
const USUAL_USES = 1;
/** An unfinished word may still become one that is known: it is not yet a slip. */
const MIN_LETTERS_AT_END = 3;

/** How sure it is that a name that nothing here knows is a slip: with the names that exist, and without. */
const TRUST = 0.9;
const TRUST_WITHOUT_NAMES = 0.4;
/** A name that other people's machines have is seldom a slip, and never two; elsewhere two are half as likely as one. */
const TRUST_IN_USUAL = 0.25;
const TRUST_IN_FAR = 0.5;
const TRUST_IN_SUBCOMMAND = 0.6;

/**
 * `prior`: what people in general type is not a slip, even if it is not there or was never used here. `specs`: subcommands
 * that a slip may have been meant to be.
 */
export function createTypoSource(
  knowledge: Knowledge,
  prior: Prior | null = null,
  specs: GrammarCatalogue | null = null,
): Source {
  const isKnown = (name: string) =>
    isBuiltin(name) || knowledge.exists(name) || (knowledge.usesOf(name) > 1 && !knowledge.knowsNames);
  const suggestName = (query: Query, name: Token): readonly Suggestion[] => {
    const typing = name.end === query.cursor;
    const joined = splitName(name.text, isKnown);
    if (joined !== null) return [fixOf(query, name, joined, TRUST)];
    if (typing && (knowledge.hasNameFrom(name.text) || hasBuiltinFrom(name.text))) return [];
    if (typing && name.text.length < MIN_LETTERS_AT_END && !knowledge.exists(swapped(name.text))) return [];
    const trust = knowledge.knowsNames ? TRUST : TRUST_WITHOUT_NAMES;
    const sure = prior?.has([name.text]) ? { trust: trust * TRUST_IN_USUAL, slips: 1 } : { trust, slips: 2 };
    return fixes(query, name, namesOf(knowledge, prior), sure);
  };
  const suggestSubcommand = (query: Query, name: string, argument: Token): readonly Suggestion[] => {
    const known = new Map<string, number>();
    const note = (word: string, uses: number) => {
      if (/^[a-z][a-z-]+$/.test(word)) known.set(word, (known.get(word) ?? 0) + uses);
    };
    for (const word of specs?.placeAfter([name])?.subcommands ?? []) note(word, 0);
    for (const model of [knowledge.tokens, prior])
      for (const { word, probability } of model?.next([name], '', FOLLOWERS_LOOKED_AT) ?? [])
        note(word, probability * 10);
    const typing = argument.end === query.cursor;
    // What failed was learned like anything else.
    for (const word of query.isRepair ? [] : known.keys())
      if (word === argument.text || (typing && word.startsWith(argument.text))) return [];
    if (prior?.has([name, argument.text])) return [];
    const words = [...known].map(([word, uses]) => ({ word, uses }));
    return fixes(query, argument, words, { trust: TRUST_IN_SUBCOMMAND, slips: 2 });
  };
  return {
    name: 'typo',
    suggest(query: Query): readonly Suggestion[] {
      for (const [name, argument] of commandsOf(query.line)) {
        if (name === undefined || !/^[A-Za-z][\w.+-]+$/.test(name.text)) continue;
        if (!isKnown(name.text)) return suggestName(query, name);
        // A second word: only where the command is used with a few fixed words, such as `git` or `docker`.
        if (argument === undefined || !/^[a-z][a-z-]+$/.test(argument.text)) continue;
        const found = suggestSubcommand(query, name.text, argument);
        if (found.length > 0) return found;
      }
      return [];
    },
  };
}

/** The names, with what people type in general counting for those that are there. */
function* namesOf(knowledge: Knowledge, prior: Prior | null): Iterable<KnownWord> {
  for (const { word, uses } of knowledge.names())
    yield { word, uses: uses + (prior?.has([word]) ? USUAL_USES + prior.usesOf(word) / 10 : 0) };
  for (const word of BUILTINS)
    if (!knowledge.exists(word)) yield { word, uses: knowledge.usesOf(word) + USUAL_USES };
}

/** The words of each command of a line, from its name on, behind `sudo` and the like. */
function* commandsOf(line: string): Iterable<readonly Token[]> {
  let words: Token[] = [];
  for (const token of tokenize(line)) {
    if (token.kind === 'word') words.push(token);
    else if (token.kind === 'operator') {
      yield withoutWrappers(words);
      words = [];
    }
  }
  yield withoutWrappers(words);
}

const withoutWrappers = (words: readonly Token[]): readonly Token[] =>
  words.slice(words.length - commandWords(words.map(({ text }) => text)).length);

/** `ls-la` and `cd..` with their blank; null when it is no such slip. */
function splitName(text: string, isKnown: (name: string) => boolean): string | null {
  const [, name = '', rest = ''] = /^([a-z]{2,}?)(-[a-z]{1,4}|\.{2}\S*)$/.exec(text) ?? [];
  return name !== '' && isKnown(name) ? `${name} ${rest}` : null;
}

/** A word of two letters the other way round. */
const swapped = (text: string): string => text.slice(1, 2) + text.slice(0, 1) + text.slice(2);

/** `slips`: of words farther away than so many none is offered. */
function fixes(
  query: Query,
  wrong: Token,
  known: Iterable<KnownWord>,
  { trust, slips }: { readonly trust: number; readonly slips: number },
): readonly Suggestion[] {
  return corrections(wrong.text, known, FIXES_MAX)
    .filter(({ distance }) => distance <= slips)
    .map(({ word, share, distance }) =>
      fixOf(query, wrong, word, share * trust * (distance > 1 ? TRUST_IN_FAR : 1)),
    );
}

function fixOf(query: Query, { text, start }: Token, right: string, probability: number): Suggestion {
  return {
    line: query.line.slice(0, start) + right + query.line.slice(start + text.length),
    cursor: null,
    source: 'typo',
    probability,
    partial: true,
    kind: 'fix',
    why: `"${text}" is not known, "${right}" is`,
  };
}
