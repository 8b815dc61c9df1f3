/** Formats the changes of turns: a summary like `git diff --stat`, and a patch for `git apply`. Pure. */

import { count } from '../../lib/count.ts';
import { padEnd, widthOf } from '../../lib/width.ts';
import { concatBytes, displayBytes, emptyBytes, fromLatin1, utf8Bytes } from '../../review/core/bytes.ts';
import { markEnd } from '../../review/core/format-diff.ts';
import { MODE_SYMLINK } from '../../review/core/patch-model.ts';
import { quoteName } from '../../review/core/quoted-name.ts';
import { countLines, hunksText } from './change-hunks.ts';
import { isBinary, lfText } from './file-text.ts';
import type { FileChange, TurnChanges } from './turn-edits.ts';

/** Columns of a summary, as git uses without a terminal. */
const STAT_COLUMNS = 80;
const MIN_GRAPH_COLUMNS = 10;

/** A path for users: relative to `root` if it is inside, else absolute. */
function pathIn(root: string, file: string): string {
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
}

/** The same on one line: quoted as in git if one of its characters would break the line. */
export function shownName(file: string, root: string): string {
  return displayBytes(quoteName(utf8Bytes(pathIn(root, file))));
}

/** Like `git diff --stat`: a line for each file, then the sum. */
export function formatStat({ files, added, removed }: TurnChanges, root: string): string {
  const rows = files.map((file) => ({
    name: nameOf(file, root),
    counts: countLines(file.hunks),
    note: noteOf(file),
  }));
  const nameColumns = Math.max(0, ...rows.map(({ name }) => widthOf(name)));
  const most = Math.max(0, ...rows.map(({ counts }) => counts.added + counts.removed));
  const digits = Math.max(`${most}`.length, ...rows.map(({ note }) => note?.length ?? 1));
  const room = Math.max(MIN_GRAPH_COLUMNS, STAT_COLUMNS - nameColumns - digits - 5);
  const lines = rows.map(({ name, counts, note }) => {
    const label = note ?? `${counts.added + counts.removed}`;
    const graph = note === null ? graphOf(counts, most, room) : '';
    return ` ${padEnd(name, nameColumns)} | ${label.padStart(digits)} ${graph}`.trimEnd();
  });
  return `${[...lines, sumLine(files.length, added, removed)].join('\n')}\n`;
}

/** What stands in place of the number of lines; null if that is known. */
function noteOf({ modes, binary, hunks, exact }: FileChange): string | null {
  if (modes?.includes(MODE_SYMLINK)) return 'Link';
  if (binary) return 'Bin';
  return hunks.length === 0 && !exact ? '?' : null;
}

function nameOf(file: FileChange, root: string): string {
  const name = shownName(file.path, root);
  return file.movedFrom === undefined ? name : `${shownName(file.movedFrom, root)} => ${name}`;
}

interface Counts {
  readonly added: number;
  readonly removed: number;
}

function graphOf({ added, removed }: Counts, most: number, room: number): string {
  const scale = (lines: number) =>
    most <= room || lines === 0 ? lines : Math.max(1, Math.floor((lines * room) / most));
  return '+'.repeat(scale(added)) + '-'.repeat(scale(removed));
}

function sumLine(files: number, added: number, removed: number): string {
  const parts = [` ${count(files, 'file')} changed`];
  if (added > 0 || removed === 0) parts.push(`${count(added, 'insertion')}(+)`);
  if (removed > 0 || added === 0) parts.push(`${count(removed, 'deletion')}(-)`);
  return parts.join(', ');
}

export interface ChangesPatch {
  readonly bytes: Uint8Array;
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/** A patch in git's format with paths relative to `root`. Lists the files that are outside, binary or unknown. */
export function formatPatch({ files }: TurnChanges, root: string): ChangesPatch {
  const left: { path: string; why: string }[] = [];
  const parts: Uint8Array[] = [];
  for (const file of files) {
    const why = whyLeft(file, root);
    if (why === null) parts.push(filePatch(file, root));
    else left.push({ path: shownName(file.path, root), why });
  }
  return { bytes: parts.length === 0 ? emptyBytes() : concatBytes(parts), left };
}

function whyLeft(file: FileChange, root: string): string | null {
  const paths = [file.path, file.movedFrom ?? file.path];
  if (paths.some((each) => !each.startsWith(`${root}/`))) return `it is outside of ${root}`;
  if (file.modes?.includes(MODE_SYMLINK)) return 'it is a symbolic link';
  if (file.binary || isBinary(file.before)) return 'it is binary';
  if (!isUtf8(hunksText(file.hunks))) return 'it is not UTF-8';
  const isKnown = file.hunks.length > 0 || file.exact;
  return isKnown ? null : (file.why ?? 'its lines are not known');
}

const isUtf8 = (bytes: Uint8Array): boolean => lfText({ bytes }) !== null;

function filePatch(file: FileChange, root: string): Uint8Array {
  const from = quoted('a', file.movedFrom ?? file.path, root);
  const to = quoted('b', file.path, root);
  const head = [`diff --git ${from} ${to}`];
  const [oldMode, newMode] = (file.modes ?? []).map((mode) => mode.toString(8));
  if (file.kind === 'add') head.push(`new file mode ${newMode ?? '100644'}`);
  else if (file.kind === 'delete') head.push(`deleted file mode ${oldMode ?? '100644'}`);
  else if (oldMode !== newMode) head.push(`old mode ${oldMode}`, `new mode ${newMode}`);
  if (file.kind === 'rename') {
    const name = (one: string) => quoteName(utf8Bytes(pathIn(root, one)));
    head.push(`rename from ${name(file.movedFrom ?? file.path)}`, `rename to ${name(file.path)}`);
  }
  if (file.hunks.length > 0) {
    head.push(`--- ${file.kind === 'add' ? '/dev/null' : markEnd(from)}`);
    head.push(`+++ ${file.kind === 'delete' ? '/dev/null' : markEnd(to)}`);
  }
  return concatBytes([fromLatin1(`${head.join('\n')}\n`), hunksText(file.hunks)]);
}

function quoted(side: 'a' | 'b', file: string, root: string): string {
  return quoteName(utf8Bytes(`${side}/${pathIn(root, file)}`));
}
