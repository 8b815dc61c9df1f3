/** Arguments of this session's last commands: what was just listed, edited or copied is what comes next. */
import type { Knowledge } from '../core/knowledge.ts';
import type { Query, Suggestion } from '../core/suggestion.ts';
import { contextAt, tokenize } from '../core/tokens.ts';
import type { Source } from './source.ts';

const WORDS_MAX = 4;
/** Of two words the more recent is this much likelier. */
const RECENCY = 0.8;
/** Shorter ones are typed faster than found. */
const WORD_MIN_CHARS = 3;

export function createWordsSource(knowledge: Knowledge): Source {
  return {
    name: 'words',
    suggest(query: Query): readonly Suggestion[] {
      const left = query.line.slice(0, query.cursor);
      const right = query.line.slice(query.cursor);
      const { words, current, start } = contextAt(left);
      if (words.length === 0 || (right !== '' && !/^\s/.test(right))) return [];
      const used = new Set(words);
      return recentArguments(knowledge, query.session)
        .filter(({ word }) => word.startsWith(current) && word !== current && !used.has(word))
        .slice(0, WORDS_MAX)
        .map(({ word, age }) => ({
          line: left.slice(0, start) + word + right,
          cursor: right === '' ? null : start + word.length,
          source: 'words',
          probability: (current === '' ? 0.25 : 0.5 + 0.1 * Math.min(3, current.length)) * RECENCY ** age,
          partial: true,
          signals: [Math.log1p(age), words.length === 1 ? 1 : 0, /[/.]/.test(word) ? 1 : 0],
          why: 'an argument of a command before',
        }));
    },
  };
}

/** Arguments of the session, the most recent first, each once. */
function recentArguments(knowledge: Knowledge, session: string): { word: string; age: number }[] {
  const found = new Map<string, number>();
  for (const { line } of [...knowledge.recent(session)].reverse()) {
    const [, ...rest] = tokenize(line).filter(({ kind }) => kind === 'word');
    for (const { text } of rest.reverse())
      if (text.length >= WORD_MIN_CHARS && !text.startsWith('-') && !found.has(text))
        found.set(text, found.size);
  }
  return [...found].map(([word, age]) => ({ word, age }));
}
