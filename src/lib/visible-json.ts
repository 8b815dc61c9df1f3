/** JSON for people's eyes, too: programs read the same value, and what nobody would see is escaped (`\u202e`). */
import { findHidden, PLAIN } from './hidden-text.ts';

/** Text that is not plain, with both neighbours: all that decides whether a character is hidden. */
const UNUSUAL = new RegExp(`[^]?[^${PLAIN.source.slice('^['.length, -']*$'.length)}]+[^]?`, 'g');

/** `JSON.stringify` with hidden characters as escapes. */
export function visibleJson(
  value: unknown,
  replacer?: (key: string, value: unknown) => unknown,
  indent?: number,
): string {
  return JSON.stringify(value, replacer, indent).replace(UNUSUAL, escaped);
}

function escaped(part: string): string {
  let shown = '';
  let from = 0;
  for (const { at, codePoint } of findHidden(part)) {
    const hidden = String.fromCodePoint(codePoint);
    shown += part.slice(from, at);
    for (let unit = 0; unit < hidden.length; unit += 1)
      shown += `\\u${hidden.charCodeAt(unit).toString(16).padStart(4, '0')}`;
    from = at + hidden.length;
  }
  return shown + part.slice(from);
}
