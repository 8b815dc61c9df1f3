/** Proposes words and parts of words of the session's last commands: users often reuse what they listed or edited. */
import type { Knowledge } from '../core/knowledge.ts';
import type { Executed, Query, Suggestion } from '../core/suggestion.ts';
import { contextAt } from '../core/tokens.ts';
import { isJoinable, type Word, wordsOf as wordsOfLine } from '../core/vocabulary.ts';
import type { Source } from './source.ts';

const WORDS_MAX = 12;
/** Each word is this much less likely than the one used after it. */
const RECENCY = 0.8;
/** How many older words are proposed, and how many letters that needs. */
const OLDER_MAX = 4;
const OLDER_FROM_CHARS = 2;
/** The age of a word that is not among the session's last. */
const OLD_AGE = 400;

interface RecentWord extends Word {
  /** The number of other words since. */
  readonly age: number;
}

export function createWordsSource(knowledge: Knowledge): Source {
  /** Cache for the last session: it asks for every letter, and its words change only with a command. */
  let known: readonly RecentWord[] = [];
  let [knownOf, knownLast]: readonly [readonly Executed[] | null, Executed | undefined] = [null, undefined];
  const wordsOf = (session: string): readonly RecentWord[] => {
    const commands = knowledge.recent(session);
    const last = commands.at(-1);
    if (knownOf !== commands || knownLast !== last) known = recentWords(commands);
    [knownOf, knownLast] = [commands, last];
    return known;
  };
  return {
    name: 'words',
    suggest(query: Query): readonly Suggestion[] {
      const left = query.line.slice(0, query.cursor);
      const right = query.line.slice(query.cursor);
      const { words, current } = contextAt(left);
      if (words.length === 0 || (right !== '' && !/^\s/.test(right))) return [];
      const used = new Set(words);
      const fragments = fragmentsOf(current);
      const found: Suggestion[] = [];
      const proposed = new Set<string>();
      const propose = (typed: string, { text, age, isPart }: RecentWord, share = RECENCY ** age) => {
        const line = left.slice(0, left.length - typed.length) + text;
        if (proposed.has(line)) return;
        proposed.add(line);
        found.push({
          line: line + right,
          cursor: right === '' ? null : line.length,
          source: 'words',
          probability: (typed === '' ? 0.25 : 0.5 + 0.1 * Math.min(3, typed.length)) * share,
          partial: true,
          signals: [Math.log1p(age), words.length === 1 ? 1 : 0, isPart ? 1 : 0],
          why: isPart ? 'part of a word of an earlier command' : 'an argument of an earlier command',
        });
      };
      for (const word of wordsOf(query.session)) {
        if (found.length >= WORDS_MAX) break;
        const fits = (typed: string) => word.text.startsWith(typed) && word.text !== typed;
        if (!word.isPart && fits(current) && !used.has(word.text)) propose(current, word);
        else {
          // Within a word, words and their parts may be repeated.
          const typed = isJoinable(word.text)
            ? fragments.find((one) => (word.isPart || one !== current) && fits(one))
            : undefined;
          if (typed !== undefined) propose(typed, word);
        }
      }
      for (const typed of new Set([current, ...fragments]))
        if (typed.length >= OLDER_FROM_CHARS)
          for (const word of knowledge.vocabulary.startingWith(
            typed,
            left.slice(0, left.length - typed.length),
            OLDER_MAX,
          ))
            if (typed === current ? !word.isPart && !used.has(word.text) : isJoinable(word.text))
              propose(typed, { ...word, age: OLD_AGE }, word.share);
      return found;
    },
  };
}

/** The parts of the typed word that may start another word: after the last word separator, and after the last joint. */
function fragmentsOf(word: string): readonly string[] {
  const [strict = ''] = /[^/@:=,]*$/.exec(word) ?? [];
  const [loose = ''] = /[^/@:=,._-]*$/.exec(word) ?? [];
  return [strict, loose].filter((fragment) => fragment !== '');
}

/** Distinct words of the commands and their parts, the most recent first. */
function recentWords(commands: readonly Executed[]): readonly RecentWord[] {
  const found = new Map<string, RecentWord>();
  let age = 0;
  for (const { line } of [...commands].reverse())
    for (const { text, isPart } of wordsOfLine(line)) {
      if (!found.has(text)) found.set(text, { text, age, isPart });
      if (!isPart) age += 1;
    }
  return [...found.values()];
}
