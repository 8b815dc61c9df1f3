/** Parses one JSON text that may be invalid. */
import { isRecord } from './is-record.ts';

/** The value; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value, if it is an object; null for anything else. */
export function parseRecord(text: string): Record<string, unknown> | null {
  const value = parseJson(text);
  return isRecord(value) ? value : null;
}
