/**
 * Checks a host socket's traffic against `docs/commands.schema.json`: the `params` from clients, the `value` of each
 * answer, every event. An undocumented field is a fault, too. `line-tap.mjs` records the lines.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkAgainst, readDocument, type Schema } from './wire-contract.ts';

interface Line {
  readonly id?: unknown;
  readonly command?: string;
  readonly params?: unknown;
  readonly ok?: boolean;
  readonly value?: unknown;
  readonly type?: string;
  readonly body?: unknown;
}

const { $defs } = readDocument('commands.schema.json') as {
  readonly $defs: Readonly<Record<string, Schema>>;
};

/** How often each command was answered; `event` for events. Throws at the first line that is not as documented. */
export function checkLines(folder: string): Map<string, number> {
  const seen = new Map<string, number>();
  const check = (what: string, name: string, value: unknown) => {
    const schema = $defs[what];
    if (schema === undefined) throw new Error(`${what} is not documented`);
    checkAgainst(what, schema, $defs, value);
    seen.set(name, (seen.get(name) ?? 0) + 1);
  };
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.in'))) {
    const asked = new Map<string, Line>();
    for (const line of linesOf(path.join(folder, file)))
      if (line.command !== undefined) asked.set(JSON.stringify(line.id), line);
    for (const line of linesOf(path.join(folder, file.replace(/\.in$/, '.out')))) {
      if (line.type === 'event') check('event body', 'event', line.body);
      const { command, params = {} } = asked.get(JSON.stringify(line.id)) ?? {};
      if (line.ok !== true || command === undefined) continue;
      check(`${command} params`, `${command} params`, params);
      check(`${command} value`, command, line.value);
    }
  }
  return seen;
}

/** The whole JSON lines of a record; the last one may be cut where a process was killed. */
function linesOf(file: string): Line[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text) => {
      try {
        return [JSON.parse(text) as Line];
      } catch {
        return [];
      }
    });
}
