/** Corrects an unknown command name, or first argument, that is one typo away from a known one. */
import { BUILTINS, hasBuiltinFrom, isBuiltin } from '../core/builtins.ts';
import type { GrammarCatalogue } from '../core/grammar.ts';
import type { Knowledge } from '../core/knowledge.ts';
import type { Prior } from '../core/prior.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { commandWords, type Token, tokenize } from '../core/tokens.ts';
import { corrections, type KnownWord, LIKELY_SLIP } from '../core/typo.ts';
import type { Source } from './source.ts';

const FIXES_MAX = 3;
const FOLLOWERS_LOOKED_AT = 64;
/** How many uses a generally known word counts for. */
const USUAL_USES = 1;
/** A shorter unfinished word may still become a known one. */
const MIN_LETTERS_AT_END = 3;

/** The probability that an unknown name is a typo: with all existing names known, and without. */
const TRUST = 0.9;
const TRUST_WITHOUT_NAMES = 0.4;
/** A name that exists on other machines is seldom a typo, and never two; elsewhere two are half as likely as one. */
const TRUST_IN_USUAL = 0.25;
const TRUST_IN_FAR = 0.5;
const TRUST_IN_SUBCOMMAND = 0.6;

/** `prior`: words that are no typos even if unused here. `specs`: subcommands to correct to. */
export function createTypoSource(
  knowledge: Knowledge,
  prior: Prior | null = null,
  specs: GrammarCatalogue | null = null,
): Source {
  const isKnown = (name: string) =>
    isBuiltin(name) || knowledge.exists(name) || (knowledge.usesOf(name) > 1 && !knowledge.knowsNames);
  const isUsual = (name: string) => prior?.has([name]) ?? true;
  const suggestName = (query: Query, name: Token, argument: Token | undefined): readonly Suggestion[] => {
    const typing = name.end === query.cursor;
    const joined = splitName(name.text, isKnown);
    if (joined !== null) return [fixOf(query, name, joined, TRUST)];
    const longer = typing ? knowledge.namesFrom(name.text) : [];
    if (
      typing &&
      (hasBuiltinFrom(name.text) || longer.some((one) => knowledge.usesOf(one) > 0 || isUsual(one)))
    )
      return [];
    if (typing && name.text.length < MIN_LETTERS_AT_END && !knowledge.exists(swapped(name.text))) return [];
    const trust = knowledge.knowsNames ? TRUST : TRUST_WITHOUT_NAMES;
    let sure = prior?.has([name.text]) ? { trust: trust * TRUST_IN_USUAL, slips: 1 } : { trust, slips: 2 };
    // It may become a name that hardly anybody uses.
    if (longer.length > 0) sure = { trust: trust * TRUST_IN_FAR, slips: LIKELY_SLIP };
    const moved = argument === undefined ? [] : moveBlank(query, name, argument);
    // Two known words are not a coincidence.
    return moved.length > 0 ? moved : fixes(query, name, namesOf(knowledge, prior), sure);
  };
  /** `gi tstatus` and `gits tatus`. */
  const moveBlank = (query: Query, name: Token, argument: Token): readonly Suggestion[] =>
    [1, -1].flatMap((by) => {
      const letters = name.text + argument.text;
      const [first, second] = [letters.slice(0, name.text.length + by), letters.slice(name.text.length + by)];
      if (!isKnown(first)) return [];
      if (specs?.placeAfter([first])?.subcommands.includes(second) !== true) return [];
      const both = { ...name, text: query.line.slice(name.start, argument.end) };
      return [fixOf(query, both, `${first} ${second}`, TRUST)];
    });
  const suggestSubcommand = (
    query: Query,
    before: readonly string[],
    argument: Token,
  ): readonly Suggestion[] => {
    const known = new Map<string, number>();
    const note = (word: string, uses: number) => {
      if (/^[a-z][a-z-]+$/.test(word)) known.set(word, (known.get(word) ?? 0) + uses);
    };
    const place = specs?.placeAfter(before);
    if (place?.aliases.includes(argument.text)) return [];
    const names = place?.subcommands ?? [];
    for (const word of names) note(word, 0);
    // Behind a subcommand come names of the user's, too.
    for (const model of [knowledge.tokens, prior])
      for (const { word, probability } of model?.next(before, '', FOLLOWERS_LOOKED_AT) ?? [])
        if (before.length === 1 || names.includes(word)) note(word, probability * 10);
    const typing = argument.end === query.cursor;
    // The failed line was learned, too.
    for (const word of query.isRepair ? [] : known.keys())
      if (word === argument.text || (typing && word.startsWith(argument.text))) return [];
    if (prior?.has([...before, argument.text])) return [];
    const words = [...known].map(([word, uses]) => ({ word, uses }));
    const sure = { trust: TRUST_IN_SUBCOMMAND, slips: 2 };
    const found = fixes(query, argument, words, sure);
    const aliases = found.length > 0 ? [] : (place?.aliases ?? []);
    return aliases.length === 0 ? found : fixes(query, argument, aliases.map(unused), sure);
  };
  return {
    name: 'typo',
    suggest(query: Query): readonly Suggestion[] {
      for (const [name, ...args] of commandsOf(query.line)) {
        if (name === undefined || !/^[A-Za-z][\w.+-]+$/.test(name.text)) continue;
        if (!isKnown(name.text)) return suggestName(query, name, args[0]);
        // Arguments are corrected only for commands with a few fixed ones, such as `git` or `docker image`.
        const before = [name.text];
        for (const argument of args) {
          if (!/^[a-z][a-z-]+$/.test(argument.text)) break;
          const found = suggestSubcommand(query, before, argument);
          if (found.length > 0) return found;
          before.push(argument.text);
          if (!specs?.placeAfter(before)?.subcommands.length) break;
        }
      }
      return [];
    },
  };
}

/** All names; existing ones that people in general type count as used. */
function* namesOf(knowledge: Knowledge, prior: Prior | null): Iterable<KnownWord> {
  for (const { word, uses } of knowledge.names())
    yield { word, uses: uses + (prior?.has([word]) ? USUAL_USES + Math.sqrt(prior.usesOf(word)) : 0) };
  for (const word of BUILTINS)
    if (!knowledge.exists(word)) yield { word, uses: knowledge.usesOf(word) + USUAL_USES };
}

/** The words of each command of a line, without `sudo` and the like. */
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

/** Adds the missing blank to `ls-la` or `cd..`; null for other words. */
function splitName(text: string, isKnown: (name: string) => boolean): string | null {
  const [, name = '', rest = ''] = /^([a-z]{2,}?)(-[a-z]{1,4}|\.{2}\S*)$/.exec(text) ?? [];
  return name !== '' && isKnown(name) ? `${name} ${rest}` : null;
}

const unused = (word: string): KnownWord => ({ word, uses: 0 });

/** Swaps the first two letters. */
const swapped = (text: string): string => text.slice(1, 2) + text.slice(0, 1) + text.slice(2);

/** `slips`: the largest distance of a correction. */
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
