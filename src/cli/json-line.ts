/** Formats the output of `--json`: one value per line, with `snake_case` field names as on the wire. */
import { visibleJson } from '../lib/visible-json.ts';

/** Renames the fields of copane's own records only; keys that come from the user stay as they are. */
export const jsonLine = (value: unknown): string => `${visibleJson(value, snakeCased)}\n`;

function snakeCased(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [wireName(name), field]));
}

/** `startedAt` is `started_at`. */
const wireName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
