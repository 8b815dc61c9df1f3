/** The header of one file in a patch: names, modes, blobs, operation. Pure. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { displayBytes } from './bytes.ts';
import type { BinaryPatch, FilePatch, PatchHunk } from './patch-model.ts';
import { readQuoted, stripPrefixes } from './quoted-name.ts';

export interface FileHeader {
  line: number;
  /** It begins with `diff --git`. */
  isGit: boolean;
  gitNames: readonly [string, string] | null;
  oldName: string | null | undefined;
  newName: string | null | undefined;
  /** From `rename from` and similar lines: exact, without prefixes. */
  exactOld: string | null;
  exactNew: string | null;
  operation: FilePatch['operation'];
  oldMode: number | null;
  newMode: number | null;
  oldBlob: string | null;
  newBlob: string | null;
  hunks: PatchHunk[];
  binary: BinaryPatch | null;
}

/** A header of which nothing has been read yet. */
export function newHeader(line: number): FileHeader {
  return {
    line,
    isGit: false,
    gitNames: null,
    oldName: undefined,
    newName: undefined,
    exactOld: null,
    exactNew: null,
    operation: 'modify',
    oldMode: null,
    newMode: null,
    oldBlob: null,
    newBlob: null,
    hunks: [],
    binary: null,
  };
}

/** The name of the omitted side: the same, with the other prefix. */
export function otherName(name: string | null): string | null {
  const prefix = /^[ab]\//.exec(name ?? '')?.[0];
  return name === null || prefix === undefined ? name : `${prefix === 'a/' ? 'b/' : 'a/'}${name.slice(2)}`;
}

const exactName = (text: string) => (text.startsWith('"') ? (readQuoted(text, 0)?.name ?? text) : text);

/** Reads one line between `diff --git` and the first hunk. Skips unknown lines: git adds new ones over time. */
export function applyExtendedHeader(file: FileHeader, text: string): Result<null> {
  const match =
    /^(old mode|new mode|deleted file mode|new file mode|rename from|rename to|copy from|copy to|index|Binary files) (.*)$/s.exec(
      text,
    );
  if (match === null) return ok(null);
  const value = match[2] ?? '';
  switch (match[1]) {
    case 'old mode':
      return setMode(file, 'oldMode', value);
    case 'new mode':
      return setMode(file, 'newMode', value);
    case 'deleted file mode':
      file.operation = 'delete';
      return setMode(file, 'oldMode', value);
    case 'new file mode':
      file.operation = 'create';
      return setMode(file, 'newMode', value);
    case 'rename from':
    case 'copy from':
      file.exactOld = exactName(value);
      return ok(null);
    case 'rename to':
    case 'copy to':
      file.operation = match[1] === 'rename to' ? 'rename' : 'copy';
      file.exactNew = exactName(value);
      return ok(null);
    case 'index':
      return setIndex(file, value);
    default:
      if (/ differ$/.test(value)) file.binary = { kind: 'absent' };
      return ok(null);
  }
}

function setMode(file: FileHeader, side: 'oldMode' | 'newMode', digits: string): Result<null> {
  if (!/^[0-7]{6}$/.test(digits))
    return fail('invalid', `A file mode that cannot be read: ${displayBytes(digits.slice(0, 20))}`);
  file[side] = Number.parseInt(digits, 8);
  return ok(null);
}

function setIndex(file: FileHeader, value: string): Result<null> {
  const match = /^([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: ([0-7]{6}))?$/.exec(value);
  if (match === null) return ok(null);
  file.oldBlob = match[1] ?? null;
  file.newBlob = match[2] ?? null;
  if (match[3] !== undefined) {
    file.oldMode ??= Number.parseInt(match[3], 8);
    file.newMode ??= Number.parseInt(match[3], 8);
  }
  return ok(null);
}

/** The file that the header describes; null if it names none. */
export function finishHeader(header: FileHeader): FilePatch | null {
  const headerOld = header.oldName === undefined ? (header.gitNames?.[0] ?? null) : header.oldName;
  const headerNew = header.newName === undefined ? (header.gitNames?.[1] ?? null) : header.newName;
  const stripped = stripPrefixes(fromHere(headerOld), fromHere(headerNew), header.gitNames);
  let operation = header.operation;
  if (operation === 'modify' && header.oldName === null) operation = 'create';
  if (operation === 'modify' && header.newName === null) operation = 'delete';
  if (operation === 'modify' && header.isGit && isOtherFile(stripped)) operation = 'rename';
  const isMove = operation === 'rename' || operation === 'copy';
  // `diff -u x.orig x` is not a rename: the file is the one without a backup name.
  const plain = pickPlainName(stripped[0], stripped[1]);
  const oldPath = isMove ? (header.exactOld ?? stripped[0]) : plain;
  const newPath = isMove ? (header.exactNew ?? stripped[1]) : plain;
  if (oldPath === null || newPath === null || oldPath === '' || newPath === '') return null;
  return {
    operation,
    oldPath: operation === 'create' ? null : oldPath,
    newPath: operation === 'delete' ? null : newPath,
    oldMode: header.oldMode,
    newMode: header.newMode,
    oldBlob: header.oldBlob,
    newBlob: header.newBlob,
    hunks: header.hunks,
    binary: header.binary,
  };
}

/** `diff -r . other` and `find` prefix names with `./`. */
const fromHere = (name: string | null) => name?.replace(/^(?:\.\/+)+/, '') ?? null;

const isBackup = (name: string) => /(?:\.orig|\.old|\.bak|~)$/.test(name);

/** How git reads its own format when rename lines are missing. */
const isOtherFile = ([old, updated]: readonly [string | null, string | null]) =>
  old !== null && updated !== null && old !== updated && !isBackup(old) && !isBackup(updated);

function pickPlainName(old: string | null, updated: string | null): string | null {
  if (old === null || updated === null) return old ?? updated;
  return isBackup(updated) && !isBackup(old) ? old : updated;
}

const EMPTY_BLOB_NAMES = /^e69de29|^473a0f4c/;

/** Whether the header announces a content change that is not there. */
export function isHollow(file: FilePatch): boolean {
  if (file.hunks.length > 0 || file.binary !== null) return false;
  if (file.operation === 'rename' || file.operation === 'copy') return false;
  if (file.operation === 'create') return file.newBlob !== null && !EMPTY_BLOB_NAMES.test(file.newBlob);
  if (file.operation === 'delete') return file.oldBlob !== null && !EMPTY_BLOB_NAMES.test(file.oldBlob);
  return file.oldMode === file.newMode || file.oldBlob !== file.newBlob;
}
