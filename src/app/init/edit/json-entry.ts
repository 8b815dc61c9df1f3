/** A part of an integration that consists of one value in a JSON configuration, such as the entry of an MCP server. */
import { isDeepStrictEqual } from 'node:util';
import { ok } from '../../../lib/result.ts';
import type { FilePart } from '../integration.ts';
import { checkJson, isEmptyJson, type JsonValue, removeValue, setValue, valueAt } from './json-edit.ts';

/** A part that sets `value` at `path`. */
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
    // A text that does not parse may still hold the value: removal then fails with a message.
    isIn: (text) =>
      checkJson(text).ok ? valueAt(text, [...path]) !== undefined : text.includes(`"${path.at(-1)}"`),
  };
}
