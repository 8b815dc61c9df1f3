/** Edits TOML by statements: a key at the top, whole tables at the end. Pure. Checks that only our keys changed. */
import { parse } from 'smol-toml';
import { errorMessage, fail, ok, type Result } from '../../../lib/result.ts';
import { lineEndOf } from './block-part.ts';

type Table = Readonly<Record<string, unknown>>;

interface Statement {
  readonly kind: 'table' | 'pair';
  /** The header between its brackets, or the key, as written. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** Parses the text. */
export function readToml(text: string): Result<Table> {
  try {
    return ok(parse(text));
  } catch (thrown) {
    const [first = ''] = errorMessage(thrown).split('\n');
    return fail('invalid', `it is not valid TOML (${first})`);
  }
}

/** Sets `key = value` before the first table, or replaces the value if the key is there. `value` is TOML. */
export function setTopValue(text: string, key: string, value: string, comment: string): Result<string> {
  const found = topPair(text, key);
  const next =
    found === null
      ? `${comment}\n${key} = ${value}\n${text}`
      : text.slice(0, found.valueStart) + value + text.slice(found.valueEnd);
  return checked(text, next, [[key]]);
}

/** The value of a key at the top as it is written; null where there is none. */
export function topValue(text: string, key: string): string | null {
  const found = topPair(text, key);
  return found === null ? null : text.slice(found.valueStart, found.valueEnd);
}

/** Removes a key at the top, and the line `comment` before it. */
export function removeTopValue(text: string, key: string, comment: string): Result<string> {
  const found = topPair(text, key);
  if (found === null) return ok(text);
  const lead = `${comment}\n`;
  const start = text.slice(0, found.start).endsWith(lead) ? found.start - lead.length : found.start;
  return checked(text, text.slice(0, start) + text.slice(found.end), [[key]]);
}

/** Appends a table. `body` is TOML without the header. */
export function appendTable(
  text: string,
  path: readonly string[],
  body: string,
  comment: string,
): Result<string> {
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : `${lineEndOf(text)}\n`;
  return checked(text, `${text}${gap}${comment}\n[${path.join('.')}]\n${body}`, [path]);
}

/** Removes a table and its subtables, with the line `comment` and one blank line before it. */
export function removeTable(text: string, path: readonly string[], comment: string): Result<string> {
  const statements = statementsOf(text);
  const tables = statements.filter(({ kind }) => kind === 'table');
  let next = text;
  for (const [index, table] of [...tables.entries()].reverse()) {
    if (!isInside(table.name, path)) continue;
    const end = endOfTable(text, table, tables[index + 1], statements);
    let start = table.start;
    if (text.slice(0, start).endsWith(`${comment}\n`)) start -= comment.length + 1;
    if (/(?:^|\n)\n$/.test(text.slice(0, start))) start -= 1;
    next = next.slice(0, start) + next.slice(end);
  }
  return checked(text, next, [path]);
}

/** The end of its last pair: later comments belong to what follows. */
function endOfTable(
  text: string,
  table: Statement,
  following: Statement | undefined,
  statements: readonly Statement[],
): number {
  const limit = following?.start ?? text.length;
  const inside = statements.filter(({ start }) => start >= table.start && start < limit);
  return inside.at(-1)?.end ?? table.end;
}

function isInside(name: string, path: readonly string[]): boolean {
  const parts = name
    .replace(/^\[|\]$/g, '')
    .split('.')
    .map((part) => part.trim().replace(/^["']|["']$/g, ''));
  return path.every((part, index) => parts[index] === part);
}

function topPair(text: string, key: string): Statement | null {
  for (const statement of statementsOf(text)) {
    if (statement.kind === 'table') return null;
    if (statement.name.replace(/^["']|["']$/g, '') === key) return statement;
  }
  return null;
}

/** Checks that the edit changes only `paths`. */
function checked(before: string, after: string, paths: readonly (readonly string[])[]): Result<string> {
  const old = readToml(before);
  if (!old.ok) return old;
  const edited = readToml(after);
  if (!edited.ok) return fail('invalid', `the new lines do not fit into it: ${edited.error.message}`);
  const rest = (table: Table) => JSON.stringify(paths.reduce(without, table));
  return rest(old.value) === rest(edited.value)
    ? ok(after)
    : fail('invalid', 'its other content cannot be preserved while the lines are edited');
}

/** Removes the value at `path`, and a parent that becomes empty. */
function without(table: Table, path: readonly string[]): Table {
  const [key = '', ...deeper] = path;
  const { [key]: value, ...rest } = table;
  if (deeper.length === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return deeper.length === 0 ? rest : table;
  }
  const inner = without(value as Table, deeper);
  return Object.keys(inner).length === 0 ? rest : { ...rest, [key]: inner };
}

/** The statements in order. Expects a valid text and skips everything else. */
function statementsOf(text: string): readonly Statement[] {
  const found: Statement[] = [];
  let at = 0;
  while (at < text.length) {
    const lineEnd = endOfLine(text, at);
    const start = at + (/^[ \t]*/.exec(text.slice(at, lineEnd))?.[0].length ?? 0);
    const first = text[start];
    if (first === undefined || first === '#' || first === '\n' || first === '\r') at = lineEnd;
    else if (first === '[') {
      const end = closeOfHeader(text, start);
      const name = text.slice(start + 1, end);
      at = endOfLine(text, end);
      found.push({
        kind: 'table',
        name,
        start: lineStart(text, start),
        end: at,
        valueStart: end,
        valueEnd: end,
      });
    } else {
      const equals = endOfKey(text, start);
      const valueStart = equals + 1 + (/^[ \t]*/.exec(text.slice(equals + 1))?.[0].length ?? 0);
      const valueEnd = endOfValue(text, valueStart);
      at = endOfLine(text, valueEnd);
      const name = text.slice(start, equals).trim();
      found.push({ kind: 'pair', name, start: lineStart(text, start), end: at, valueStart, valueEnd });
    }
  }
  return found;
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

/** The offset of the header's closing bracket; its keys may be quoted. */
function closeOfHeader(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"' || character === "'") at = endOfString(text, at) - 1;
    else if (character === ']') return text[at + 1] === ']' ? at + 1 : at;
    else if (character === '\n') return at;
  }
  return text.length;
}

function endOfKey(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"' || character === "'") at = endOfString(text, at) - 1;
    else if (character === '=' || character === '\n') return at;
  }
  return text.length;
}

/** The offset after a value: lists and inline tables may span lines and contain comments. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let end = start;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '#' || character === '\n' || character === '\r') {
      if (depth === 0) return end;
      if (character === '#') at = endOfLine(text, at) - 1;
      continue;
    }
    if (character === '"' || character === "'") at = endOfString(text, at) - 1;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (!/[ \t]/.test(character)) end = at + 1;
  }
  return end;
}

/** The offset after the closing quote of the string at `at`. */
function endOfString(text: string, at: number): number {
  const quote = text[at] ?? '';
  const isLong = text.startsWith(quote.repeat(3), at);
  const close = isLong ? quote.repeat(3) : quote;
  for (let next = at + close.length; next < text.length; next += 1) {
    if (quote === '"' && text[next] === '\\') next += 1;
    else if (!isLong && text[next] === '\n') return next;
    else if (text.startsWith(close, next)) {
      let end = next + close.length;
      // A multi-line string may end with up to two quotes of its own.
      while (isLong && text[end] === quote && end < next + close.length + 2) end += 1;
      return end;
    }
  }
  return text.length;
}
