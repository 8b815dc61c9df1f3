/** Inserts a value into JSONC and removes it again without touching any other byte. Refuses invalid text. Pure. */
import { findNodeAtLocation, getNodeValue, type JSONPath, type Node } from 'jsonc-parser';
import { readJsoncTree } from '../../../lib/jsonc-tree.ts';
import { fail, ok, type Result } from '../../../lib/result.ts';

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Sets the value at `path`; creates missing parents. A null text means a missing file. */
export function setValue(text: string | null, path: JSONPath, value: JsonValue): Result<string> {
  const read = readObject(text);
  if (!read.ok) return read;
  const { source, root } = read.value;
  const blocked = blockedAt(root, path);
  if (blocked !== null) return blocked;
  const old = findNodeAtLocation(root, path);
  if (old === undefined) return ok(insert(source, path, value));
  const { indent, eol } = layoutOf(source);
  const body = JSON.stringify(value, null, indent).replaceAll('\n', eol + indentAt(source, old.offset));
  return ok(splice(source, old.offset, body, endOf(old)));
}

/** Appends to the list at `path`; creates the list if it is missing. */
export function appendValue(text: string | null, path: JSONPath, value: JsonValue): Result<string> {
  const read = readObject(text);
  if (!read.ok) return read;
  const { source, root } = read.value;
  const blocked = blockedAt(root, path);
  if (blocked !== null) return blocked;
  const list = findNodeAtLocation(root, path);
  if (list === undefined) return ok(insert(source, path, [value]));
  return list.type === 'array' ? ok(insertInto(source, list, null, value)) : notA('list', path);
}

/** The value at `path`; undefined if it is missing or the text does not parse. */
export function valueAt(text: string, path: JSONPath): JsonValue | undefined {
  const read = readObject(text);
  const node = read.ok ? findNodeAtLocation(read.value.root, path) : undefined;
  return node === undefined ? undefined : (getNodeValue(node) as JsonValue);
}

export function checkJson(text: string): Result<void> {
  const read = readObject(text);
  return read.ok ? ok(undefined) : read;
}

/** Removes the value at `path`, and parents that become empty and that `original` does not have. */
export function removeValue(text: string, path: JSONPath, original: string | null): Result<string> {
  const read = readObject(text);
  if (!read.ok) return read;
  if (findNodeAtLocation(read.value.root, path) === undefined) return ok(text);
  const next = cut(text, path);
  const parent = path.slice(0, -1);
  const node = parent.length === 0 ? undefined : nodeAt(next, parent);
  const isOurs = original === null || nodeAt(original, parent) === undefined;
  const isEmpty = node !== undefined && (node.children?.length ?? 0) === 0;
  return isEmpty && isOurs ? removeValue(next, parent, original) : ok(next);
}

/** Whether the text is only an empty object without comments. */
export const isEmptyJson = (text: string): boolean => text.replace(/\s/g, '') === '{}';

interface ReadText {
  readonly source: string;
  readonly root: Node;
}

function readObject(text: string | null): Result<ReadText> {
  const isBlank = text === null || text.trim() === '';
  const source = isBlank ? '{}\n' : text;
  const { root, errors } = readJsoncTree(source);
  const [error] = errors;
  if (error !== undefined) {
    const line = source.slice(0, error.offset).split('\n').length;
    return fail('invalid', `it is not valid JSON (line ${line}: ${error.what})`);
  }
  if (root?.type !== 'object') return fail('invalid', 'it is not a JSON object');
  return ok({ source, root });
}

function nodeAt(text: string, path: JSONPath): Node | undefined {
  const read = readObject(text);
  return read.ok ? findNodeAtLocation(read.value.root, path) : undefined;
}

/** A failure if a parent in `path` is not an object. */
function blockedAt(root: Node, path: JSONPath) {
  for (let length = 1; length < path.length; length += 1) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node === undefined) return null;
    if (node.type !== 'object') return notA('group of settings', path.slice(0, length));
  }
  return null;
}

const notA = (what: string, path: JSONPath) => fail('invalid', `its "${path.join('.')}" is not a ${what}`);

/** Inserts a new value after the last sibling, in the layout of the text. */
function insert(text: string, path: JSONPath, value: JsonValue): string {
  const root = nodeAt(text, []);
  let length = path.length - 1;
  while (length > 0 && nodeAt(text, path.slice(0, length)) === undefined) length -= 1;
  const parent = nodeAt(text, path.slice(0, length)) ?? root;
  if (parent === undefined) return text;
  const inner = path.slice(length + 1).reduceRight<JsonValue>((made, key) => ({ [key]: made }), value);
  const key = parent.type === 'object' ? String(path[length]) : null;
  return insertInto(text, parent, key, inner);
}

function insertInto(text: string, parent: Node, key: string | null, value: JsonValue): string {
  const layout = layoutOf(text);
  const last = parent.children?.at(-1);
  const close = parent.offset + parent.length - 1;
  const head = key === null ? '' : `${JSON.stringify(key)}: `;
  const outer = indentAt(text, parent.offset);
  const indent = last === undefined ? outer + layout.indent : indentAt(text, last.offset);
  const body = JSON.stringify(value, null, layout.indent).replaceAll('\n', layout.eol + indent);
  const entry = layout.eol + indent + head + body;
  if (last === undefined) {
    const comments = text.slice(parent.offset + 1, close).trimEnd();
    return splice(text, parent.offset + 1, comments + entry + layout.eol + outer, close);
  }
  const end = endOf(last);
  if (!text.slice(parent.offset, close).includes('\n'))
    return splice(text, end, `, ${head}${JSON.stringify(value)}`);
  const comma = commaFrom(text, end, close);
  // A comment on the same line after the last sibling belongs to that sibling.
  const comment = COMMENT_ON_LINE.exec(text.slice(end, close))?.[0] ?? '';
  if (comment === '') return splice(text, end, `,${entry}`);
  const put = comma === null ? `,${comment}${entry}` : `${comment}${entry},`;
  return splice(text, end, put, end + comment.length);
}

const COMMENT_ON_LINE = /^[ \t]*,?[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)(?=[ \t]*\r?\n)/;
const BLANKS_AND_COMMENTS = /^(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/;

/** The offset of the next comma, if only blanks and comments precede it; otherwise null. */
function commaFrom(text: string, from: number, to: number): number | null {
  const at = from + (BLANKS_AND_COMMENTS.exec(text.slice(from, to))?.[0].length ?? 0);
  return at < to && text[at] === ',' ? at : null;
}

/** Removes the value at `path`, one comma and the blanks before it; comments stay. */
function cut(text: string, path: JSONPath): string {
  const node = nodeAt(text, path);
  const child = node?.parent?.type === 'property' ? node.parent : node;
  const parent = child?.parent;
  if (child === undefined || parent === undefined) return text;
  const siblings = parent.children ?? [];
  const before = siblings[siblings.indexOf(child) - 1];
  const close = parent.offset + parent.length - 1;
  const from = before === undefined ? parent.offset + 1 : endOf(before);
  const comma = commaFrom(text, endOf(child), close);
  const ownComma = comma === null && before !== undefined ? commaFrom(text, from, child.offset) : null;
  const lead = text.slice(from, child.offset).trimEnd();
  const kept = ownComma === null ? lead : lead.slice(0, ownComma - from) + lead.slice(ownComma - from + 1);
  const rest =
    comma === null
      ? text.slice(endOf(child), close)
      : text.slice(endOf(child), comma) + text.slice(comma + 1, close);
  const inside = kept + rest;
  const isBare = siblings.length === 1 && inside.trim() === '';
  return splice(text, from, isBare ? '' : tidied(inside, before !== undefined || kept !== ''), close);
}

/** Removes the leading blanks of the first item that remains on the line. */
function tidied(inside: string, hasLead: boolean): string {
  return hasLead || /^[ \t]*\r?\n/.test(inside) ? inside : inside.trimStart();
}

function splice(text: string, start: number, put: string, end = start): string {
  return text.slice(0, start) + put + text.slice(end);
}

const endOf = (node: Node): number => node.offset + node.length;

/** The indentation of the line of `offset`. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function layoutOf(text: string): { readonly eol: string; readonly indent: string } {
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', indent: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ' };
}
