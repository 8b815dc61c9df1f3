/**
 * Edits a TOML text by its statements: a value at the top, whole tables at the end. Pure. Everything else keeps its
 * bytes; what comes out is parsed again and must say the same as before in all that is not ours.
 */
import { parse } from 'smol-toml';
import { errorMessage, fail, ok, type Result } from '../../../lib/result.ts';

type Table = Readonly<Record<string, unknown>>;

/** One statement with its place in the text. */
interface Statement {
  readonly kind: 'table' | 'pair';
  /** The header between its brackets, or the key, as written. */
  readonly name: string;
  readonly start: number;
  /** Behind its line's end. */
  readonly end: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** The text as data; a failure when it does not parse. */
export function readToml(text: string): Result<Table> {
  try {
    return ok(parse(text));
  } catch (thrown) {
    const [first = ''] = errorMessage(thrown).split('\n');
    return fail('invalid', `it is not valid TOML (${first})`);
  }
}

/**
 * `text` with the pair `key = value` before its first table; one that stands there already gets the new value.
 * `value` is TOML.
 */
export function setTopValue(text: string, key: string, value: string, comment: string): Result<string> {
  const found = topPair(text, key);
  const next =
    found === null
      ? `${comment}\n${key} = ${value}\n${text}`
      : text.slice(0, found.valueStart) + value + text.slice(found.valueEnd);
  return checked(text, next, [[key]]);
}

/** `text` without a pair at the top; a comment line that is `comment` goes with it. */
export function removeTopValue(text: string, key: string, comment: string): Result<string> {
  const found = topPair(text, key);
  if (found === null) return ok(text);
  const lead = `${comment}\n`;
  const start = text.slice(0, found.start).endsWith(lead) ? found.start - lead.length : found.start;
  return checked(text, text.slice(0, start) + text.slice(found.end), [[key]]);
}

/** `text` with a table at its end. `body` is TOML without the header. */
export function appendTable(
  text: string,
  path: readonly string[],
  body: string,
  comment: string,
): Result<string> {
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return checked(text, `${text}${gap}${comment}\n[${path.join('.')}]\n${body}`, [path]);
}

/** `text` without a table and those inside it; a comment line that is `comment` goes with it, and one blank line. */
export function removeTable(text: string, path: readonly string[], comment: string): Result<string> {
  const statements = statementsOf(text);
  const tables = statements.filter(({ kind }) => kind === 'table');
  let next = text;
  for (const [index, table] of [...tables.entries()].reverse()) {
    if (!isInside(table.name, path)) continue;
    const end = endOfTable(text, table, tables[index + 1], statements);
    let start = table.start;
    if (text.slice(0, start).endsWith(`${comment}\n`)) start -= comment.length + 1;
    if (/\n\n$/.test(text.slice(0, start))) start -= 1;
    next = next.slice(0, start) + next.slice(end);
  }
  return checked(text, next, [path]);
}

/** The end of its last pair: comments behind it belong to what follows. */
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

/** Checks that the edit changes what `paths` name and nothing else. */
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

/** `table` without what is at `path`, and without a parent that is empty then. */
function without(table: Table, path: readonly string[]): Table {
  const [key = '', ...deeper] = path;
  const { [key]: value, ...rest } = table;
  if (deeper.length === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return deeper.length === 0 ? rest : table;
  }
  const inner = without(value as Table, deeper);
  return Object.keys(inner).length === 0 ? rest : { ...rest, [key]: inner };
}

/** The statements in order. A text that parses is expected; what is not a statement is skipped. */
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

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

/** The closing bracket of a header; keys in it may be quoted. */
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

/** Behind the last character of a value: lists and inline tables go over lines, comments inside them too. */
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

/** Behind the closing quote of the string that begins at `at`. */
function endOfString(text: string, at: number): number {
  const quote = text[at] ?? '';
  const isLong = text.startsWith(quote.repeat(3), at);
  const close = isLong ? quote.repeat(3) : quote;
  for (let next = at + close.length; next < text.length; next += 1) {
    if (quote === '"' && text[next] === '\\') next += 1;
    else if (!isLong && text[next] === '\n') return next;
    else if (text.startsWith(close, next)) {
      let end = next + close.length;
      // A long string may end in up to two quotes of its own.
      while (isLong && text[end] === quote && end < next + close.length + 2) end += 1;
      return end;
    }
  }
  return text.length;
}
