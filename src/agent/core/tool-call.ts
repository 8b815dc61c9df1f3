/** Maps tool calls as models write them to existing tools. Pure. Leaves unclear calls for the tools to refuse. */
import { JSONRepairError, jsonrepair } from 'jsonrepair';
import { isRecord } from '../../lib/is-record.ts';
import { wordList } from '../../lib/word-list.ts';

/** A call before any tool has checked it. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: Arguments | null;
  /** The model's text for the arguments. */
  readonly written: string;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** Names by which models know these tools from other programs. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  read_file: ['read', 'readfile', 'view', 'view_file', 'open', 'open_file', 'cat', 'get_file', 'read_files'],
  search_project: ['search', 'grep', 'search_files', 'grep_search', 'find', 'find_in_files', 'ripgrep'],
  list_files: ['list', 'ls', 'list_dir', 'list_directory', 'glob', 'find_files', 'list_project'],
  clarify_user: ['ask', 'ask_user', 'clarify', 'ask_question'],
  propose_edits: wordList(`
    propose propose_edit edit edit_file edits str_replace str_replace_editor search_replace replace_in_file
    multi_edit multiedit apply_edits apply_edit apply_patch apply_diff write write_file write_to_file
    create_file create_new_file insert_edit_into_file replace
  `),
};

/** Other names of arguments, by tool; the first one present counts. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  read_file: {
    file_path: wordList('path file filename filepath filePath file_name target_file absolute_path'),
    start_line: ['offset', 'startLine', 'line_start', 'start', 'from', 'from_line', 'start_line_one_indexed'],
    end_line: ['endLine', 'line_end', 'end', 'to', 'to_line', 'end_line_one_indexed_inclusive'],
  },
  search_project: {
    query: ['pattern', 'text', 'q', 'search', 'search_term', 'keyword'],
    glob: ['include', 'include_pattern', 'file_pattern', 'path_glob'],
    limit: ['max_results', 'count'],
    regex: ['is_regex', 'isRegex', 'use_regex', 'regexp'],
  },
  list_files: {
    prefix: ['path', 'dir', 'directory', 'folder', 'dir_path', 'relative_workspace_path'],
    glob: ['pattern', 'include'],
  },
  clarify_user: { question: ['text', 'message', 'prompt', 'query'] },
};

const NESTED = ['arguments', 'args', 'input', 'parameters', 'params', 'tool_input', 'properties'];

/** The call with the names of our own tools. Unknown fields stay: each tool says which ones it takes. */
export function understoodCall<T extends WrittenCall>(call: T): T {
  const name = toolName(call.name);
  const given = call.arguments ?? lenientObject(call.written);
  if (given === null) return { ...call, name };
  const renamed = renameArguments(unwrapped(given), ARGUMENTS[name] ?? {});
  const plain = name === 'read_file' ? readRange(renamed) : renamed;
  return { ...call, name, arguments: name === 'propose_edits' ? plain : withValues(plain) };
}

/** The calls inside a call that wraps several; otherwise the call itself. */
export function spreadCall<T extends WrittenCall & { readonly toolCallId: string }>(call: T): readonly T[] {
  const uses = call.arguments?.tool_uses;
  if (!Array.isArray(uses)) return [call];
  return uses.filter(isRecord).map((use, at) => {
    const args = isRecord(use.parameters) ? use.parameters : {};
    const written = JSON.stringify(args);
    const toolCallId = `${call.toolCallId}_${at + 1}`;
    return { ...call, toolCallId, name: String(use.recipient_name ?? ''), arguments: args, written };
  });
}

const NUMBERS = new Set(['start_line', 'end_line', 'limit', 'max_bytes']);
const FLAGS = new Set(['regex']);

/** Converts numbers and flags that came as text. */
function withValues(given: Arguments): Arguments {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
      if (NUMBERS.has(name) && /^\d+$/.test(text)) return [name, Number(text)];
      if (FLAGS.has(name) && /^(?:true|false)$/.test(text)) return [name, text === 'true'];
      return [name, value];
    }),
  );
}

/** The tool that a model means; the model's own word if there is none. */
export function toolName(written: string): string {
  const bare = written
    .trim()
    .replace(/^(?:functions?|tools?|default_api|multi_tool_use|mcp__\w+?_)[.:/_]+/i, '')
    .replace(/^.*[.:/](?=[\w-]+$)/, '');
  const lower = bare
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  if (NAMES[lower] !== undefined) return lower;
  return Object.keys(NAMES).find((name) => NAMES[name]?.includes(lower)) ?? bare;
}

export const isToolName = (written: string): boolean => Object.hasOwn(NAMES, toolName(written));

/** Parses an object from near-JSON, or from text around it; null if there is none, or it breaks off inside a value. */
export function lenientObject(written: string): Arguments | null {
  const text = objectText(written);
  const { end, isInValue } = scanObject(text);
  return isInValue ? null : repaired(end === null ? text : text.slice(0, end));
}

/** The part of an object that breaks off inside a value, without that value; null if it does not break off. */
export function brokenOffObject(written: string): Arguments | null {
  const text = objectText(written);
  return scanObject(text).isInValue ? repaired(text) : null;
}

/**
 * The text without a fence, without the empty object that some servers send before the real one, and without the second
 * brace of `{{"name": …}}`, which some models' templates show. Values in Python's quotation marks become JSON strings.
 */
const objectText = (written: string): string =>
  written
    .trim()
    .replace(/^```\w*\s*\n?|\n?```$/g, '')
    .replace(/^\{\}\s*(?=\{)/, '')
    .replace(/^\{\{+(?=\s*")/, '{')
    .replace(
      /(:\s*)("""|'''|`)\n?([\s\S]*?)\2(?=\s*[,}\]])/g,
      (found, head: string, mark: string, value: string) =>
        mark === '`' && value === '' ? found : head + JSON.stringify(outdented(value)),
    );

/** If the last line before the marks is only white space, that indentation is not part of the text. */
function outdented(block: string): string {
  const indent = /\n([ \t]+)$/.exec(block)?.[1];
  if (indent === undefined) return block;
  const lines = block.slice(0, -indent.length).split('\n');
  if (lines.some((line) => line.trim() !== '' && !line.startsWith(indent))) return block;
  return lines.map((line) => line.slice(indent.length)).join('\n');
}

interface ScannedObject {
  /** The position after its last brace; null if that is missing. */
  readonly end: number | null;
  /** The text ends inside a string, or inside a nested object. */
  readonly isInValue: boolean;
}

/** The end of the object at the start of `text`. */
export function scanObject(text: string): ScannedObject {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\' && inString) at += 1;
    else if (character === '"') inString = !inString;
    else if (character === '{' && !inString) depth += 1;
    else if (character === '}' && !inString) {
      depth -= 1;
      if (depth <= 0) return { end: at + 1, isInValue: false };
    }
  }
  return { end: null, isInValue: inString || depth > 1 };
}

function repaired(text: string): Arguments | null {
  if (!text.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(jsonrepair(escapesOf(text)));
    return isRecord(value) ? value : null;
  } catch (thrown) {
    if (!(thrown instanceof JSONRepairError || thrown instanceof SyntaxError)) throw thrown;
    return null;
  }
}

/** Backslashes that JSON does not know, as in a pattern, are kept literally. */
const escapesOf = (text: string): string =>
  text.replace(/\\(u[\da-fA-F]{4}|["\\/bfnrt'\n]|)/g, (found, known: string) =>
    known === '' ? '\\\\' : found,
  );

/** Unwraps arguments inside an extra field. */
function unwrapped(given: Arguments): Arguments {
  const keys = Object.keys(given).filter((key) => !['name', 'type', 'id'].includes(key));
  const [only = ''] = keys;
  if (keys.length !== 1 || !NESTED.includes(only)) return given;
  const inner = given[only];
  if (isRecord(inner)) return unwrapped(inner);
  const read = typeof inner === 'string' ? lenientObject(inner) : null;
  return read === null ? given : unwrapped(read);
}

/** Renames other names for these fields. Does not overwrite a field that is already present. */
export function renameArguments(
  given: Arguments,
  others: Readonly<Record<string, readonly string[]>>,
): Record<string, unknown> {
  const renamed: Record<string, unknown> = { ...given };
  for (const [own, names] of Object.entries(others)) {
    const found = names.find((name) => renamed[name] !== undefined);
    if (found === undefined) continue;
    if (renamed[own] === undefined) renamed[own] = renamed[found];
    delete renamed[found];
  }
  return renamed;
}

/** `limit` counts lines, and a range may be one text. */
function readRange(given: Arguments): Arguments {
  const { limit, lines, line_range: lineRange, ...rest } = given;
  const range = /^\s*(\d+)\s*[-:,]\s*(\d+)\s*$/.exec(String(lines ?? lineRange ?? ''));
  if (range !== null) return { ...rest, start_line: range[1], end_line: range[2] };
  const count = Number(limit);
  if (limit === undefined || !Number.isInteger(count) || count < 1 || rest.end_line !== undefined)
    return rest;
  return { ...rest, end_line: Number(rest.start_line ?? 1) + count - 1 };
}
