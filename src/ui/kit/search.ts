/** Searches lines of text: lower case finds both cases, a capital only itself. Pure. */
import { widthOf } from '../../lib/width.ts';
import { markCells, type Row } from './row.ts';

/** A query's test and finder. */
export interface Matcher {
  readonly matches: (text: string) => boolean;
  /** All matches in `text`, in UTF-16 offsets. */
  readonly places: (text: string) => readonly { readonly start: number; readonly end: number }[];
}

/** Makes a query's matcher; an empty query matches nothing. */
export function createMatcher(query: string): Matcher {
  const isExact = query !== query.toLowerCase();
  const fold = (text: string) => (isExact ? text : text.toLowerCase());
  const needle = fold(query);
  return {
    matches: (text) => needle !== '' && fold(text).includes(needle),
    places: (text) => {
      const folded = fold(text);
      // Lower case may change a text's length (İ), which would shift the offsets.
      if (needle === '' || folded.length !== text.length) return [];
      const found = [];
      for (let at = folded.indexOf(needle); at !== -1; at = folded.indexOf(needle, at + needle.length)) {
        found.push({ start: at, end: at + needle.length });
      }
      return found;
    },
  };
}

/** The next index after `from` (before it for -1) that `matches`, wrapping around; -1 if none does. */
export function findNext(
  count: number,
  from: number,
  step: 1 | -1,
  matches: (index: number) => boolean,
): number {
  for (let moved = 1; moved <= count; moved += 1) {
    const index = (((from + step * moved) % count) + count) % count;
    if (matches(index)) return index;
  }
  return -1;
}

/** Marks the matches within one drawn row. A match broken over two rows is found but not marked. */
export function markMatches(row: Row, drawn: string, matcher: Matcher, isCurrent: boolean): Row {
  let marked = row;
  for (const { start, end } of matcher.places(drawn)) {
    const from = widthOf(drawn.slice(0, start));
    marked = markCells(
      marked,
      from,
      from + widthOf(drawn.slice(start, end)),
      isCurrent ? 'match-current' : 'match',
    );
  }
  return marked;
}
