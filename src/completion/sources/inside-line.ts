/** Completes a word in the middle of a line by a source that knows only the ends of lines. */
import type { Query, Suggestion } from '../core/suggestion.ts';
import type { Source } from './source.ts';

/** The rest of the word at the start of a text; blanks belong to it only behind a backslash. */
const REST_OF_WORD = /^(?:\\.|[^\s\\])*/;

/** Asks the source as if the line ended at the cursor, and keeps what it adds to that word. The rest of the line stays. */
export function insideLine(source: Source): Source {
  const suggest = async (query: Query, signal: AbortSignal): Promise<readonly Suggestion[]> => {
    const left = query.line.slice(0, query.cursor);
    const right = query.line.slice(query.cursor);
    if (/^\S/.test(right)) return [];
    const proposed = await source.suggest({ ...query, line: left }, signal);
    const seen = new Set<string>();
    return proposed.flatMap((suggestion) => {
      if (!suggestion.line.startsWith(left)) return [];
      const word = REST_OF_WORD.exec(suggestion.line.slice(left.length))?.[0] ?? '';
      if (word === '' || seen.has(word)) return [];
      seen.add(word);
      return [{ ...suggestion, line: left + word + right, cursor: left.length + word.length }];
    });
  };
  return {
    ...source,
    suggest: (query, signal) =>
      query.cursor === query.line.length ? source.suggest(query, signal) : suggest(query, signal),
  };
}
