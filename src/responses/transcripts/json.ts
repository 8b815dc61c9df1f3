/** Reads JSON of unknown shape: a wrong type counts as absent and never throws. */
export { parseJson } from '../../lib/parse-json.ts';

export type JsonObject = { readonly [key: string]: unknown };

/** `value` as an object; null for arrays, scalars and null. */
export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asString = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** An ISO date or a number of ms as ms since the epoch; null if it is neither. */
export function asTime(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Number.isFinite(time) ? time : null;
}
