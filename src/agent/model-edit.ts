/** Normalizes an edit as models write it: other names, numbers as text, fences, quotes for line numbers. Pure. */
import * as z from 'zod';
import { isRecord } from '../lib/is-record.ts';
import type { Result } from '../lib/result.ts';
import { wordList } from '../lib/word-list.ts';
import { type DraftEdit, draftEditSchema } from '../protocol/agent.ts';
import { invalidInput } from '../protocol/invalid.ts';
import type { TextEdit } from '../review/core/text-edits.ts';
import { renameArguments } from './core/tool-call.ts';

/** An edit whose lines may be given by a quote, or that contains a whole file. */
export interface ModelEdit extends DraftEdit {
  /** The lines that it replaces, as they are in the file. Line numbers with it select among several places. */
  readonly old_text?: string;
  /** `new_text` is the whole file. */
  readonly whole?: true;
  /** The quote is a name, which is replaced wherever it occurs in the file. */
  readonly every?: true;
}

export const modelEditSchema = draftEditSchema.extend({
  old_text: z
    .string()
    .max(4_000_000)
    .optional()
    .describe(
      'The lines to replace or delete, exactly as they stand in the file; or leave it out and name start_line and end_line.',
    ),
});

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  file_path: wordList('path file filename filepath filePath file_name target_file relative_path'),
  operation: ['op', 'action', 'kind', 'command', 'type', 'edit_type', 'mode'],
  start_line: wordList('startLine line_start start line line_number lineNumber from_line insert_line'),
  end_line: ['endLine', 'line_end', 'end', 'to_line'],
  old_text: wordList('old_string old_str oldText oldString old search find original old_code'),
  new_text: wordList(`
    new_string new_str newText newString new replace replacement replace_with content contents text code
    new_code file_text code_edit
  `),
  new_path: ['to', 'destination', 'newPath', 'new_name', 'rename_to'],
  rationale: ['reason', 'explanation', 'description', 'comment', 'instruction', 'instructions'],
};

const KNOWN = Object.keys(FIELDS);

const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  replace: wordList('update modify edit change str_replace search_replace replace_lines replace_text'),
  insert: ['add', 'insert_before', 'insert_lines', 'prepend'],
  delete: ['remove', 'delete_lines', 'remove_lines'],
  delete_file: ['remove_file', 'unlink', 'rm'],
  rename_file: ['rename', 'move', 'move_file', 'mv'],
  write: ['create', 'create_file', 'new_file', 'write_file', 'overwrite', 'replace_file', 'write_to_file'],
};

/** The edit, or its fault as a sentence. `path`: the file of all edits in the call. */
export function modelEdit(given: unknown, path?: unknown): Result<ModelEdit, string> {
  if (!isRecord(given))
    return { ok: false, error: `This is not an edit: ${JSON.stringify(given)?.slice(0, 80)}` };
  const fields = withRange(renameArguments(given, FIELDS));
  const known = Object.fromEntries(
    KNOWN.flatMap((name) => (fields[name] == null ? [] : [[name, fields[name]]])),
  );
  const tidy = {
    ...(path === undefined ? {} : { file_path: path }),
    ...known,
    ...numbersOf(known),
    ...textsOf(known),
  };
  const placed = Object.keys(fields).find((name) => fields[name] != null && isPlace(name));
  if (placed !== undefined && !hasPlace(tidy)) return { ok: false, error: noPlace(placed) };
  const { operation, whole } = operationOf(tidy);
  const parsed = modelEditSchema.safeParse({ ...tidy, operation });
  if (!parsed.success) return { ok: false, error: invalidInput('propose_edits', parsed.error).message };
  const edit = withEnd(parsed.data);
  if (operation === 'replace' && isRenaming(tidy)) return { ok: true, value: { ...edit, every: true } };
  return { ok: true, value: whole ? { ...edit, start_line: 1, whole: true } : edit };
}

/** An edit that was found in text. */
export function editOfText({ file_path, old_text, new_text, near, new_path }: TextEdit): ModelEdit {
  const common = { file_path, new_text: new_text ?? '' };
  if (new_path !== undefined) return { ...common, operation: 'rename_file', new_path };
  if (old_text === null && new_text === null) return { ...common, operation: 'delete_file' };
  if (old_text === null) return { ...common, operation: 'insert', start_line: 1, whole: true };
  const place = near === null ? {} : { start_line: near };
  return { ...common, ...place, operation: new_text === '' ? 'delete' : 'replace', old_text };
}

type Fields = Readonly<Record<string, unknown>>;

const hasPlace = (fields: Fields): boolean =>
  fields.start_line !== undefined || fields.old_text !== undefined;

/** Fields that hold both line numbers, in whatever form. */
const RANGES = wordList('lines line_range lineRange line_numbers range span location position');

/** With the line numbers of such a field: `"2-3"`, `[2, 3]`, `{"from": 2, "to": 3}`. */
function withRange(fields: Fields): Fields {
  const name = RANGES.find((one) => fields[one] != null);
  if (name === undefined || hasPlace(fields)) return fields;
  const [first, last = first, ...more] = (JSON.stringify(fields[name]).match(/\d+/g) ?? []).map(Number);
  if (first === undefined || last === undefined || first > last || more.length > 0) return fields;
  return { ...fields, start_line: first, end_line: last };
}

/** A field that says where, and is not understood: without it, the text would replace the whole file. */
const isPlace = (name: string): boolean =>
  !KNOWN.includes(name) &&
  /line|range|span|pos|offset|index|anchor|after|before|locat|section|where|target|col/i.test(name);

const noPlace = (name: string): string =>
  `propose_edits has no "${name}": quote the lines in old_text, or name start_line and end_line.`;

/** Line numbers given as text. Invalid numbers, such as 0, are left out. */
function numbersOf(fields: Fields): Fields {
  const numbers = ['start_line', 'end_line'].map((name) => {
    const given = fields[name];
    const value = typeof given === 'string' && /^\s*\d+\s*$/.test(given) ? Number(given) : given;
    return [name, typeof value === 'number' && value < 1 ? undefined : value] as const;
  });
  return Object.fromEntries(numbers);
}

function textsOf(fields: Fields): Fields {
  const texts = ['old_text', 'new_text'].flatMap((name) => {
    const given = fields[name];
    const text =
      Array.isArray(given) && given.every((line) => typeof line === 'string') ? given.join('\n') : given;
    return typeof text === 'string' ? [[name, bareText(text, String(fields.file_path ?? ''))]] : [];
  });
  return Object.fromEntries(texts);
}

const NUMBERED = /^\s*(\d+)(?:→|\t| ?\| ?|: )/;

/** Text for the file: without the fence and the line numbers that models copy. */
export function bareText(text: string, file: string): string {
  const fenced = /\.(?:md|markdown|mdx)$/i.test(file)
    ? null
    : /^\s*```[^\n`]*\n([\s\S]*?)\n?```\s*$/.exec(text);
  const inner = fenced?.[1] ?? text;
  const lines = inner.split('\n');
  const numbers = lines.map((line) =>
    line.trim() === '' ? null : Number(NUMBERED.exec(line)?.[1] ?? Number.NaN),
  );
  const counted = numbers.filter((number) => number !== null);
  const isNumbered =
    counted.length > 0 &&
    counted.every((number, at) => !Number.isNaN(number) && (at === 0 || number > (counted[at - 1] ?? 0))) &&
    (counted.length > 1 || lines[0]?.includes('→') === true);
  return isNumbered ? lines.map((line) => line.replace(NUMBERED, '')).join('\n') : inner;
}

function operationOf(fields: Fields): { readonly operation: unknown; readonly whole: boolean } {
  const written = typeof fields.operation === 'string' ? fields.operation.toLowerCase().trim() : '';
  const meant = Object.keys(OPERATIONS).find(
    (name) => name === written || OPERATIONS[name]?.includes(written) === true,
  );
  const isPlaced = hasPlace(fields);
  if (meant === 'write' && !isPlaced) return { operation: 'insert', whole: true };
  if (meant === 'rename_file' && fields.new_path === undefined)
    return { operation: isNewName(fields) ? 'replace' : fields.operation, whole: false };
  if (meant !== undefined && meant !== 'write') return { operation: meant, whole: false };
  if (written !== '' && meant === undefined) return { operation: fields.operation, whole: false };
  if (!isPlaced) return { operation: 'insert', whole: fields.new_text !== undefined };
  if (fields.new_text === undefined || fields.new_text === '') return { operation: 'delete', whole: false };
  const isReplace = fields.old_text !== undefined || fields.end_line !== undefined;
  return { operation: isReplace ? 'replace' : 'insert', whole: false };
}

const NAME = /^[\w$-]+$/;

/** A name inside the file is changed, though models call the operation a rename of the file. */
const isNewName = ({ old_text: old, new_text: now }: Fields): boolean =>
  NAME.test(String(old ?? '')) && NAME.test(String(now ?? ''));

const isRenaming = (fields: Fields): boolean =>
  OPERATIONS.rename_file?.concat('rename_file').includes(String(fields.operation)) === true &&
  isNewName(fields);

function withEnd(edit: z.output<typeof modelEditSchema>): ModelEdit {
  const { old_text, ...rest } = edit;
  const isBlank = old_text?.trim() === '';
  if (old_text !== undefined && !(isBlank && edit.start_line !== undefined)) return { ...rest, old_text };
  const needsEnd = edit.operation === 'replace' || edit.operation === 'delete';
  if (!needsEnd || edit.end_line !== undefined || edit.start_line === undefined) return rest;
  return { ...rest, end_line: edit.start_line };
}
