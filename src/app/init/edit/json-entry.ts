/** A part of an integration that is one value in a JSON configuration, such as the entry of an MCP server. */
import { isDeepStrictEqual } from 'node:util';
import { ok } from '../../../lib/result.ts';
import type { FilePart } from '../integration.ts';
import { checkJson, isEmptyJson, type JsonValue, removeValue, setValue, valueAt } from './json-edit.ts';

/** How a text is edited so that `value` stands at `path`. */
export function jsonEntry(
  path: readonly string[],
  value: JsonValue,
): Pick<FilePart, 'add' | 'remove' | 'isIn'> {
  return {
    add: (text) =>
      text !== null && isDeepStrictEqual(valueAt(text, [...path]), value)
        ? ok(text)
        : setValue(text, [...path], value),
    remove: (text, original) => {
      const removed = removeValue(text, [...path], original);
      if (!removed.ok) return removed;
      return ok(original === null && isEmptyJson(removed.value) ? null : removed.value);
    },
    // A text that does not parse may hold it all the same: then taking it out is refused, and that is said.
    isIn: (text) =>
      checkJson(text).ok ? valueAt(text, [...path]) !== undefined : text.includes(`"${path.at(-1)}"`),
  };
}
