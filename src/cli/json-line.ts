/** What `--json` prints: one value a line, its fields in `snake_case` as the wire has them. */

/** Fields of our own records alone: what a record holds under names of the user's own is not printed. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value, snakeCased)}\n`;
}

function snakeCased(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [wireName(name), field]));
}

/** `startedAt` is `started_at`. */
function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
