/**
 * Words of this session's last commands, and parts of them: what was just listed, edited or copied is what comes
 * next, and a host, a folder or a file comes again inside of another word.
 */
import type { Knowledge } from '../core/knowledge.ts';
import type { Executed, Query, Suggestion } from '../core/suggestion.ts';
import { contextAt, tokenize } from '../core/tokens.ts';
import type { Source } from './source.ts';

const WORDS_MAX = 12;
/** Of two words the more recent is this much likelier. */
const RECENCY = 0.8;
/** Shorter ones are typed faster than found. */
const WORD_MIN_CHARS = 3;

/** What parts of a word are joined by. */
const JOINTS = /[/@:=,._-]/g;
/** Quotes, brackets and blanks: a part has one of a pair, and means something else in another word. */
const PAIRED = /[\s"'`\\(){}[\]]/;

interface RecentWord {
  readonly text: string;
  /** How many other words came since. */
  readonly age: number;
  /** It stood inside of a word. */
  readonly isPart: boolean;
}

export function createWordsSource(knowledge: Knowledge): Source {
  /** Of the session that asked last: it asks for every letter, and its words change with a command only. */
  let known: { readonly last: Executed | undefined; readonly words: readonly RecentWord[] } | null = null;
  const wordsOf = (session: string): readonly RecentWord[] => {
    const commands = knowledge.recent(session);
    const last = commands.at(-1);
    if (known === null || known.last !== last) known = { last, words: recentWords(commands) };
    return known.words;
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
      const propose = (typed: string, { text, age, isPart }: RecentWord) => {
        const line = left.slice(0, left.length - typed.length) + text;
        if (proposed.has(line)) return;
        proposed.add(line);
        found.push({
          line: line + right,
          cursor: right === '' ? null : line.length,
          source: 'words',
          probability: (typed === '' ? 0.25 : 0.5 + 0.1 * Math.min(3, typed.length)) * RECENCY ** age,
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
          // Inside of a word, whole words and parts of them may come again.
          const typed = PAIRED.test(word.text)
            ? undefined
            : fragments.find((one) => (word.isPart || one !== current) && fits(one));
          if (typed !== undefined) propose(typed, word);
        }
      }
      return found;
    },
  };
}

/** What is typed behind the last joint, of those that part words and of all: each may be the start of another word. */
function fragmentsOf(word: string): readonly string[] {
  const [strict = ''] = /[^/@:=,]*$/.exec(word) ?? [];
  const [loose = ''] = /[^/@:=,._-]*$/.exec(word) ?? [];
  return [strict, loose].filter((fragment) => fragment !== '');
}

/** Words of the commands and their parts, the most recent first, each once. */
function recentWords(commands: readonly Executed[]): readonly RecentWord[] {
  const found = new Map<string, RecentWord>();
  let age = 0;
  const add = (text: string, isPart: boolean) => {
    if (text.length < WORD_MIN_CHARS || text.startsWith('-') || found.has(text)) return;
    found.set(text, { text, age, isPart });
  };
  for (const { line } of [...commands].reverse()) {
    const [, ...rest] = tokenize(line).filter(({ kind }) => kind === 'word');
    for (const { text } of rest.reverse()) {
      add(text, false);
      for (const part of partsOf(text)) add(part, true);
      age += 1;
    }
  }
  return [...found.values()];
}

/** From the start or behind a joint, up to a later joint or to the end. A folder keeps its slash. */
function* partsOf(text: string): Iterable<string> {
  const joints = [...text.matchAll(JOINTS)].map(({ index }) => index);
  for (const start of [0, ...joints.map((at) => at + 1)]) {
    if (start > 0 && !isEnding(text, start)) yield text.slice(start);
    for (const end of joints.filter((at) => at > start).reverse())
      yield text.slice(start, text[end] === '/' ? end + 1 : end);
  }
}

/** The ending of a file's name begins at `start`: nobody types it alone. */
function isEnding(text: string, start: number): boolean {
  return /\w\.$/.test(text.slice(0, start)) && /^\w+$/.test(text.slice(start));
}
