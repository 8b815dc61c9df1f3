/** Turns a written or copied patch into a diff of the target's files, if its meaning is clear. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { Slices } from '../../platform/slices.ts';
import { type ByteString, CR, concatBytes, fromLatin1, latin1 } from '../core/bytes.ts';
import { isUniformCrlf, withLf } from '../core/line-ends.ts';
import { parsePatch } from '../core/parse-patch.ts';
import { patchForm } from '../core/patch-forms.ts';
import type { FilePatch, Patch } from '../core/patch-model.ts';
import { type EditedFile, patchOfEdits } from '../core/place-edits.ts';
import { quoteName } from '../core/quoted-name.ts';
import { pathProblem } from '../core/safe-path.ts';
import type { IsSecret } from '../core/secret-files.ts';
import { linesOf, withSentLines } from '../core/sent-lines.ts';
import type { TextEdit } from '../core/text-edits.ts';
import { gitBlobName } from '../files/hash.ts';
import { isThere, readImage } from '../files/target-files.ts';
import { checkForeign } from './foreign-patch.ts';

/** Leading parts of a path to try removing; more if a path names the target from the top. */
const STRIPPED_MAX_PARTS = 6;

export interface GivenPatch {
  readonly patch: Uint8Array;
  readonly notes: readonly string[];
}

/** The intended diff for the files of `root`. `isSecret`: for a sender who may not read them. */
export async function readGiven(
  bytes: Uint8Array,
  root: string,
  isSecret: IsSecret | null,
): Promise<Result<GivenPatch>> {
  // An empty input has its own message.
  if (bytes.length === 0) return ok({ patch: bytes, notes: [] });
  const slices = new Slices();
  const form = await slices.run(patchForm(bytes));
  if (!form.ok) return form;
  const { notes } = form.value;
  if (form.value.kind === 'diff') {
    const { bytes: read, patch } = form.value;
    if (patch === null) return ok({ patch: read, notes });
    const stripped = await withKnownPaths(patch, root);
    const given = { patch: stripped?.patch ?? read, notes: [...notes, ...(stripped?.notes ?? [])] };
    return ok(await withoutDosEnds(given, root));
  }
  const edits = form.value.edits.map((edit) => inTarget(edit, root));
  const allowed =
    isSecret === null ? ok(undefined) : await checkForeign(root, edits.flatMap(touchedBy), isSecret);
  if (!allowed.ok) return allowed;
  const files = await filesOf(edits, root);
  if (!files.ok) return files;
  const made = await slices.run(patchOfEdits(edits, files.value, gitBlobName));
  if (!made.ok) return made;
  const texts = edits.flatMap(({ old_text, new_text }) => [old_text ?? '', new_text ?? '']);
  const patch =
    isSecret === null ? made : await slices.run(withSentLines(made.value, await slices.run(linesOf(texts))));
  if (!patch.ok) return patch;
  if (patch.value.length === 0)
    return fail('invalid', 'The edits change nothing: the files have this text already.');
  return ok({ patch: patch.value, notes });
}

const touchedBy = ({ file_path, old_text, new_text, new_path }: TextEdit) => [
  { path: file_path, isNew: old_text === null && new_text !== null },
  ...(new_path === undefined ? [] : [{ path: new_path, isNew: true }]),
];

/** Models write absolute paths, and paths that begin with `./`. */
function inTarget(edit: TextEdit, root: string): TextEdit {
  const prefix = `${latin1(Buffer.from(root))}/`;
  const own = (path: string) =>
    path.startsWith(prefix) ? path.slice(prefix.length) : path.replace(/^(?:\.\/+)+/, '');
  const moved = edit.new_path === undefined ? {} : { new_path: own(edit.new_path) };
  return { ...edit, file_path: own(edit.file_path), ...moved };
}

async function filesOf(
  edits: readonly TextEdit[],
  root: string,
): Promise<Result<Map<ByteString, EditedFile | null>>> {
  const files = new Map<ByteString, EditedFile | null>();
  for (const path of edits.flatMap((edit) => [
    edit.file_path,
    ...((edit.new_path ?? '') ? [edit.new_path ?? ''] : []),
  ])) {
    if (files.has(path)) continue;
    const problem = pathProblem(path);
    if (problem !== null) return fail('refused', problem, 'The patch was not published.');
    const image = await readImage(root, path);
    if (!image.ok) return image;
    if (image.value !== null && image.value.type !== 'file')
      return fail('invalid', `${path} is not a regular file; an edit by quoted lines cannot change it.`);
    const file = image.value;
    files.set(
      path,
      file === null ? null : { text: latin1(file.bytes), mode: file.executable ? 0o100755 : 0o100644 },
    );
  }
  return ok(files);
}

/** Removes leading folders (`patch -pN`) if no file exists with them and all do without. Null: unchanged. */
async function withKnownPaths(patch: Patch, root: string): Promise<GivenPatch | null> {
  const { files } = patch;
  const changed = files.flatMap(({ operation, oldPath }) =>
    operation === 'create' || oldPath === null ? [] : [oldPath],
  );
  if (changed.length === 0 || files.some(({ binary }) => binary !== null)) return null;
  for (const path of changed) if (await isThere(root, path)) return null;
  const fitting: number[] = [];
  const most = Math.max(STRIPPED_MAX_PARTS, root.split('/').length);
  for (let parts = 1; parts <= most; parts += 1) {
    const stripped = files.flatMap((file) => [file.oldPath, file.newPath]).map((path) => strip(path, parts));
    if (stripped.includes('')) break;
    if (await areThere(root, changed, parts)) fitting.push(parts);
  }
  const [parts, ...others] = fitting;
  if (parts === undefined || others.length > 0) return null;
  const folders = parts - Number(changed[0]?.startsWith('/') === true);
  const note = `The paths of the patch were read without ${folders === 1 ? 'their first folder' : `their first ${folders} folders`}.`;
  return { patch: rewritten(patch, parts), notes: [note] };
}

/** Undoes a conversion to DOS text in transit: no line of the changed files ends that way. */
async function withoutDosEnds({ patch, notes }: GivenPatch, root: string): Promise<GivenPatch> {
  const parsed = isUniformCrlf(patch) ? parsePatch(patch) : null;
  if (parsed?.ok !== true) return { patch, notes };
  const changed = parsed.value.files.filter(({ operation }) => operation !== 'create');
  for (const { oldPath } of changed) {
    const image = await readImage(root, oldPath ?? '');
    if (!image.ok || image.value?.type !== 'file' || image.value.bytes.includes(CR)) return { patch, notes };
  }
  if (changed.length === 0) return { patch, notes };
  return {
    patch: withLf(patch),
    notes: [...notes, 'The lines of the patch end in CRLF; they are read as LF, as in its files.'],
  };
}

/** Whether all paths exist without their first folders. */
async function areThere(root: string, paths: readonly string[], parts: number): Promise<boolean> {
  for (const path of paths) if (!(await isThere(root, strip(path, parts) ?? ''))) return false;
  return true;
}

/** The path without its first folders; empty if it has no more. */
function strip(path: string | null, parts: number): string | null {
  return path === null ? null : path.split('/').slice(parts).join('/');
}

function rewritten({ bytes, files }: Patch, parts: number): Uint8Array {
  return concatBytes(
    files.flatMap((file) => [
      fromLatin1(
        headOf({ ...file, oldPath: strip(file.oldPath, parts), newPath: strip(file.newPath, parts) }),
      ),
      ...file.hunks.map((hunk) => bytes.subarray(hunk.headerStart, hunk.bodyEnd)),
    ]),
  );
}

function headOf({ operation, oldPath, newPath, oldMode, newMode, hunks }: FilePatch): string {
  const isMove = (operation === 'rename' || operation === 'copy') && oldPath !== newPath;
  const [from, to] = [oldPath ?? newPath ?? '', newPath ?? oldPath ?? ''];
  const name = (prefix: string, path: string) => quoteName(`${prefix}/${path}`);
  const octal = (mode: number | null) => (mode ?? 0o100644).toString(8).padStart(6, '0');
  const lines = [`diff --git ${name('a', from)} ${name('b', to)}`];
  if (operation === 'create') lines.push(`new file mode ${octal(newMode)}`);
  else if (operation === 'delete') lines.push(`deleted file mode ${octal(oldMode)}`);
  else if (oldMode !== null && newMode !== null && oldMode !== newMode)
    lines.push(`old mode ${octal(oldMode)}`, `new mode ${octal(newMode)}`);
  if (isMove) lines.push(`${operation} from ${quoteName(from)}`, `${operation} to ${quoteName(to)}`);
  if (hunks.length > 0)
    lines.push(
      `--- ${operation === 'create' ? '/dev/null' : name('a', from)}`,
      `+++ ${operation === 'delete' ? '/dev/null' : name('b', to)}`,
    );
  return `${lines.join('\n')}\n`;
}
