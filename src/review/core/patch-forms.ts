/**
 * Turns input given as a patch into a readable form: a unified diff as it is, or one extracted from quotes,
 * indentation, UTF-16 or a context diff; or edits as models write them. Otherwise a sentence says why not. Pure.
 */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Steps } from '../../lib/steps.ts';
import { fromLatin1, latin1, utf8Bytes } from './bytes.ts';
import { unifiedOfContext } from './context-diff.ts';
import { parsePatch, parseSteps } from './parse-patch.ts';
import type { Patch } from './patch-model.ts';
import { omissionIn } from './place-edits.ts';
import { editsInText, type TextEdit } from './text-edits.ts';

export type PatchForm =
  | {
      readonly kind: 'diff';
      readonly bytes: Uint8Array;
      /** Null: too long to parse here; it is used unchanged. */
      readonly patch: Patch | null;
      readonly notes: readonly string[];
    }
  /** Its texts have one character per byte. */
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[]; readonly notes: readonly string[] };

/** Levels of nested quotes to remove. */
const QUOTES_MAX = 4;
/** A longer text is a diff or nothing: model edits and quoted mails are short. */
export const SEARCHED_MAX_BYTES = 1024 * 1024;

/** Detects the form in steps. */
export function* patchForm(given: Uint8Array): Steps<Result<PatchForm>> {
  const wide = fromUtf16(given);
  const bytes = wide ?? given;
  const notes = wide === null ? [] : ['The patch was UTF-16; it is read as UTF-8.'];
  if (bytes.length > SEARCHED_MAX_BYTES) return ok({ kind: 'diff', bytes, patch: null, notes });
  const text = latin1(bytes).replace(/^\u00ef\u00bb\u00bf/, '');
  if (!isModelForm(text) && !QUOTED_PRINTABLE.test(text)) {
    const parsed = yield* parseSteps(bytes);
    if (parsed.ok) return ok({ kind: 'diff', bytes, patch: parsed.value, notes });
  }
  const calls = editCalls(text);
  if (calls.length > 0) return ok({ kind: 'edits', edits: calls, notes });
  for (const { text: bare, note } of unwrapped(text)) {
    yield;
    const form = bareForm(bare);
    const allNotes = note === null ? notes : [...notes, note];
    if (form?.ok === true) return ok({ ...form.value, notes: [...allNotes, ...form.value.notes] });
    if (form !== null) return form;
  }
  return whyNot(bytes, text);
}

const BEGIN_PATCH = /^\*\*\* Begin Patch\s*$/m;
const SEARCH_BLOCK = /^<{5,9} ?(?:SEARCH|ORIGINAL)\b/im;
const CONTEXT_DIFF = /^\*{15}/m;
const UNIFIED = /^(?:diff --git |--- .*\r?\n\+\+\+ |@@ )/m;

/** Its first and last lines may be lines of a unified diff; the divider between them never is. */
const isDashedBlock = (text: string) =>
  /^-{5,9} ?SEARCH\b/im.test(text) && /^={5,9}\s*$/m.test(text) && /^\+{5,9} ?REPLACE\b/im.test(text);

/** Diff lines begin with a sign, so a line that begins with such a marker is not content. */
const isModelForm = (text: string) =>
  BEGIN_PATCH.test(text) || SEARCH_BLOCK.test(text) || isDashedBlock(text);

/** Null if it has none of the forms. */
function bareForm(text: string): Result<PatchForm> | null {
  if (isModelForm(text)) {
    const edits = editsInText(text);
    return edits.length > 0 ? ok({ kind: 'edits', edits, notes: [] }) : whyNoEdits(text);
  }
  if (CONTEXT_DIFF.test(text)) {
    const unified = unifiedOfContext(text);
    if (!unified.ok) return unified;
    return readDiff(unified.value, ['The patch was a context diff.']);
  }
  const read = UNIFIED.test(text) ? readDiff(text, []) : null;
  if (read?.ok !== false || /^@@/m.test(text)) return read?.ok === true ? read : null;
  // Without a hunk line, a place is as clear as its quote; a deletion of a whole file is not: it may be cut off.
  const edits = editsInText(text);
  const isQuoted = edits.length > 0 && edits.every(({ old_text: old }) => old !== null);
  return isQuoted ? ok({ kind: 'edits', edits, notes: [] }) : null;
}

function readDiff(text: string, notes: readonly string[]): Result<PatchForm> {
  const bytes = fromLatin1(text);
  const parsed = parsePatch(bytes);
  return parsed.ok ? ok({ kind: 'diff', bytes, patch: parsed.value, notes }) : parsed;
}

function whyNoEdits(text: string): Result<never> {
  const what = BEGIN_PATCH.test(text)
    ? 'The patch begins with *** Begin Patch and names no file after it: *** Update File, *** Add File or *** Delete File.'
    : 'The SEARCH block is not complete: it needs the path of its file above it, a line of = signs, and >>>>>>> REPLACE.';
  return fail('invalid', what, 'Nothing was changed.');
}

/** The text, and variants of it with its wrapping removed. */
function* unwrapped(text: string): Generator<{ readonly text: string; readonly note: string | null }> {
  if (QUOTED_PRINTABLE.test(text)) yield { text: printable(text), note: 'The mail was quoted-printable.' };
  yield { text, note: null };
  const argument = inJson(text);
  if (argument !== null) yield { text: argument, note: 'The patch was read out of JSON.' };
  if (/&lt;|&gt;/.test(text))
    yield { text: withoutEntities(text), note: 'The patch was escaped as in HTML.' };
  const plain = withoutIndent(text);
  if (plain !== null) yield { text: plain, note: 'The patch was indented.' };
  let quoted: string | null = text;
  for (let level = 0; level < QUOTES_MAX; level += 1) {
    quoted = withoutQuotes(quoted);
    if (quoted === null) return;
    const note = 'The patch was quoted.';
    yield { text: quoted, note };
    const inner = withoutIndent(quoted);
    if (inner !== null) yield { text: inner, note };
  }
}

/** Visits each value of a JSON document, alone or in a fence; of anything else, none. */
function eachInJson(text: string, visit: (value: unknown) => void): void {
  const json = /^```json\s*\n(.*?)^```/ms.exec(text)?.[1] ?? text;
  if (!/^\s*[[{"]/.test(json)) return;
  try {
    JSON.parse(new TextDecoder().decode(fromLatin1(json)), (_, value: unknown) => {
      visit(value);
      return value;
    });
  } catch {
    // Not JSON: the other forms are tried.
  }
}

/** The edits in the arguments of calls of an edit tool, as in the session files of AI CLIs; none if one is not clear. */
function editCalls(text: string): readonly TextEdit[] {
  const edits: (TextEdit | null)[] = [];
  eachInJson(text, (value) => {
    if (typeof value === 'object' && value !== null && 'old_string' in value)
      edits.push(editOfCall(value as Record<string, unknown>));
  });
  const clear = edits.filter((edit) => edit !== null);
  return clear.length === edits.length ? clear : [];
}

function editOfCall(call: Record<string, unknown>): TextEdit | null {
  const { file_path, path = file_path, old_string: old, new_string: fresh } = call;
  if (typeof path !== 'string' || typeof old !== 'string' || typeof fresh !== 'string') return null;
  const isWhole = old.endsWith('\n') && (fresh === '' || fresh.endsWith('\n'));
  const [old_text = '', new_text = ''] = [old, fresh].map((part) =>
    utf8Bytes(isWhole ? part.replace(/\n$/, '') : part),
  );
  return { file_path: utf8Bytes(path), old_text: old_text || null, new_text, near: null };
}

const withoutEntities = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:39|x27);/g, "'")
    .replaceAll('&amp;', '&');

/** The only text with a patch in a JSON document, such as a call's arguments; null for anything else. */
function inJson(text: string): string | null {
  const found: string[] = [];
  eachInJson(text, (value) => {
    if (typeof value === 'string' && (isModelForm(value) || UNIFIED.test(value))) found.push(value);
  });
  const [only, ...more] = found;
  return only === undefined || more.length > 0 ? null : `${utf8Bytes(only)}\n`;
}

const QUOTED_PRINTABLE = /^Content-Transfer-Encoding: *quoted-printable\s*$/im;

/** By parts: a call for each match takes seconds. */
const printable = (text: string) =>
  text
    .split('=')
    .map((part, at) => {
      if (at === 0) return part;
      if (part.startsWith('\n')) return part.slice(1);
      if (part.startsWith('\r\n')) return part.slice(2);
      return /^[0-9A-F]{2}/i.test(part)
        ? String.fromCharCode(Number.parseInt(part.slice(0, 2), 16)) + part.slice(2)
        : `=${part}`;
    })
    .join('');

/** The text after `>` at line beginnings; null if no line has one. Other lines are prose. */
function withoutQuotes(text: string): string | null {
  const lines = text.split('\n').filter((line) => line.startsWith('>'));
  if (lines.length === 0) return null;
  const isSpaced = lines.every((line) => /^>(?:[ >]|\r?$)/.test(line));
  return lines
    .map((line) => line.replace(isSpaced ? /^> ?/ : '>', ''))
    .join('\n')
    .concat('\n');
}

const INDENTED =
  /^([ \t]+)(?:diff --git |--- \S|\*\*\* (?:Begin Patch|\S)|<{5,9} ?(?:SEARCH|ORIGINAL)\b|Index: )/im;

/** The text without the indentation of its first marker; null if it has none. */
function withoutIndent(text: string): string | null {
  const indent = INDENTED.exec(text)?.[1];
  if (indent === undefined) return null;
  return text
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trim() === '' ? '' : line))
    .join('\n');
}

/** UTF-16 as UTF-8, with Unix line ends if all are Windows ones; null if it is not UTF-16. */
function fromUtf16(bytes: Uint8Array): Uint8Array | null {
  const [first, second, third, fourth] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || (second === 0 && fourth === 0 && first !== 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && third === 0 && second !== 0);
  if (bytes.length < 4 || (!isLittle && !isBig)) return null;
  const text = new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(bytes);
  const isDos = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
  return fromLatin1(utf8Bytes(isDos ? text.replaceAll('\r\n', '\n') : text));
}

const NORMAL_DIFF = /^\d+(?:,\d+)?[acd]\d+(?:,\d+)?\r?\n[<>] /m;
const ED_SCRIPT = /^\d+(?:,\d+)?[acd]\r?\n/m;
const DIFF_OF_WORDS = /\[-[^[\]]*-\]|\{\+[^{}]*\+\}|^~$/m;
const CHANGED_LINE = /^(?:-(?!--)|\+(?!\+\+))/m;
const NUMBERED = /^ *\d+[\t :|]+(?:diff --git |--- |@@ )/m;
const XML = /<(?:edit|old_str|old_text|search|str_replace)[ >]/i;

/** Why a form that is no patch cannot be read; null for an unknown one. */
function unreadable(text: string): string | null {
  if (NORMAL_DIFF.test(text) || (ED_SCRIPT.test(text) && /^\.\r?$/m.test(text)))
    return 'This diff names neither its file nor the lines around its changes, so it cannot be placed.';
  if (NUMBERED.test(text)) return 'Each line of this diff has its number in front.';
  const isUnified = UNIFIED.test(text);
  if (isUnified && DIFF_OF_WORDS.test(text) && !CHANGED_LINE.test(text))
    return 'This is a diff of words, which does not say what was a line.';
  // A cut-off diff of a page may have such tags, or an ellipsis.
  if (isUnified) return null;
  if (XML.test(text)) return 'These edits are in XML tags, which are not read.';
  const omission = /^(?:```|~~~)/m.test(text) ? omissionIn(text.split('\n')) : null;
  return omission === null ? null : `This text is not the whole file: "${omission}" stands for other lines.`;
}

function whyNot(bytes: Uint8Array, text: string): Result<never> {
  const why = unreadable(text);
  if (why !== null)
    return fail(
      'invalid',
      why,
      'Give the change as diff -u or "git diff" writes it, or as SEARCH/REPLACE blocks.',
    );
  const parsed = parsePatch(bytes);
  return parsed.ok ? fail('invalid', 'This is not a patch.') : parsed;
}
