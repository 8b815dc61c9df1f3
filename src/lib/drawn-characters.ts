/** Splits a line into characters, each as written and as shown. A hidden character counts as one. */
import { findHidden } from './hidden-text.ts';
import { shownAs } from './sanitize.ts';
import { graphemesOf } from './width.ts';

/** A user-perceived character or a hidden one, as written and as shown. */
export interface Drawn {
  readonly raw: string;
  readonly shown: string;
}

/** UTF-16 code units around a joiner that decide whether it belongs there: a whole flag. */
const NEIGHBOURS = 16;

/** The characters of `[from, to)`, shown as they appear within the whole line. */
export function drawnCharacters(line: string, from = 0, to = line.length): readonly Drawn[] {
  const start = Math.max(0, from - NEIGHBOURS);
  const hidden = findHidden(line.slice(start, to + NEIGHBOURS));
  const graphemes = graphemesOf(line.slice(from, to));
  if (hidden.length === 0) return graphemes.map((raw) => ({ raw, shown: raw }));
  const marked = new Set(hidden.map(({ at }) => start + at));
  const drawn: Drawn[] = [];
  let at = from;
  for (const grapheme of graphemes) {
    let kept = '';
    const keep = () => {
      if (kept !== '') drawn.push({ raw: kept, shown: kept });
      kept = '';
    };
    for (const character of grapheme) {
      if (marked.has(at)) {
        keep();
        drawn.push({ raw: character, shown: shownAs(character.codePointAt(0) ?? 0) });
      } else kept += character;
      at += character.length;
    }
    keep();
  }
  return drawn;
}
