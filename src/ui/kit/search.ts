/** Searching lines of text: small letters find both, a capital finds itself. Pure. */
import { widthOf } from '../../lib/width.ts';
import { markCells, type Row } from './row.ts';

/** A test and a finder for one query. */
export interface Matcher {
  readonly matches: (text: string) => boolean;
  /** Every place of the query in `text`, as UTF-16 offsets. */
  readonly places: (text: string) => readonly { readonly start: number; readonly end: number }[];
}

/** Makes the matcher of a query; an empty query matches nothing. */
export function createMatcher(query: string): Matcher {
  const isExact = query !== query.toLowerCase();
  const fold = (text: string) => (isExact ? text : text.toLowerCase());
  const needle = fold(query);
  return {
    matches: (text) => needle !== '' && fold(text).includes(needle),
    places: (text) => {
      const folded = fold(text);
      // Lower case may change the length of a text (İ); offsets would then point beside the match.
      if (needle === '' || folded.length !== text.length) return [];
      const found = [];
      for (let at = folded.indexOf(needle); at !== -1; at = folded.indexOf(needle, at + needle.length)) {
        found.push({ start: at, end: at + needle.length });
      }
      return found;
    },
  };
}

/** The next index after `from` (before it for -1) that `matches`, round the end; -1 when there is none. */
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

/** Marks the matches that lie in one drawn row; one that is broken over two rows is found but not marked. */
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
