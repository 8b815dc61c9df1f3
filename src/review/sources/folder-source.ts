/** The patch between two plain folders by our own diff, without any version control. */
import { readdir } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { fail, ok, type Result } from '../../lib/result.ts';
import { fileFailure } from '../../platform/system-error.ts';
import { formatLiteral } from '../core/binary-patch.ts';
import {
  type ByteString,
  concatBytes,
  displayBytes,
  fromLatin1,
  isBinary,
  sameBytes,
} from '../core/bytes.ts';
import { type FileImage, modeOf } from '../core/file-state.ts';
import { formatFile, type PatchSide } from '../core/format-diff.ts';
import { lineTable } from '../core/line-table.ts';
import { PATCH_MAX_FILES } from '../core/patch-model.ts';
import { quoteName } from '../core/quoted-name.ts';
import { pathProblem } from '../core/safe-path.ts';
import { gitBlobName } from '../files/hash.ts';
import { absolutePath, readImage } from '../files/target-files.ts';
import type { SourcedPatch } from './git-source.ts';

const CONTEXT_LINES = 3;

/** The patch from `from`'s files to `to`'s. Skips folders of version controls. */
export async function folderPatch(from: string, to: string): Promise<Result<SourcedPatch>> {
  const parts: Uint8Array[] = [];
  const names = new Set<ByteString>();
  for (const root of [from, to]) {
    const listed = await listFiles(root, '', names);
    if (!listed.ok) return listed;
  }
  for (const name of [...names].sort()) {
    const old = await readImage(from, name);
    if (!old.ok) return old;
    const updated = await readImage(to, name);
    if (!updated.ok) return updated;
    parts.push(imagePatch(old.value, updated.value));
  }
  return ok({
    patch: concatBytes(parts),
    label: `${from} → ${to}`,
    root: from,
    inPlace: false,
    notes: [],
    sandbox: null,
  });
}

async function listFiles(root: string, folder: ByteString, into: Set<ByteString>): Promise<Result<void>> {
  try {
    const entries = await readdir(absolutePath(root, folder), { encoding: 'buffer', withFileTypes: true });
    for (const entry of entries) {
      const name = entry.name.toString('latin1');
      const path = folder === '' ? name : `${folder}/${name}`;
      if (pathProblem(path) !== null) continue;
      if (entry.isDirectory()) {
        const inner = await listFiles(root, path, into);
        if (!inner.ok) return inner;
      } else if (entry.isFile() || entry.isSymbolicLink()) into.add(path);
      if (into.size > PATCH_MAX_FILES)
        return fail('refused', `${root} holds more than ${PATCH_MAX_FILES} files.`);
    }
    return ok(undefined);
  } catch (thrown) {
    const { error } = fileFailure(thrown, folder === '' ? root : displayBytes(folder));
    return fail('invalid', error.message);
  }
}

/** The diff between two images in git's format; empty if they are equal. With two paths, a rename. */
export function imagePatch(old: FileImage | null, updated: FileImage | null): Uint8Array {
  if (old !== null && updated !== null && old.type !== updated.type)
    return concatBytes([imagePatch(old, null), imagePatch(null, updated)]);
  if (old?.type === 'other' || updated?.type === 'other') return new Uint8Array(0);
  const isMoved =
    old !== null && updated !== null && old.path !== updated.path && sameBytes(old.bytes, updated.bytes);
  if (!isMoved && [old, updated].some((image) => image !== null && isBinary(image.bytes)))
    return binaryPatch(old, updated);
  return formatFile(sideOf(old), sideOf(updated), CONTEXT_LINES);
}

const sideOf = (image: FileImage | null): PatchSide | null =>
  image === null
    ? null
    : {
        path: image.path,
        mode: modeOf(image),
        table: lineTable(image.bytes),
        blob: gitBlobName(image.bytes),
      };

function binaryPatch(old: FileImage | null, updated: FileImage | null): Uint8Array {
  const path = (updated ?? old)?.path ?? '';
  const blob = (image: FileImage | null) => (image === null ? '0'.repeat(40) : gitBlobName(image.bytes));
  const mode = (image: FileImage) => modeOf(image).toString(8);
  if (old !== null && updated !== null && blob(old) === blob(updated) && mode(old) === mode(updated))
    return new Uint8Array(0);
  const head = [`diff --git ${quoteName(`a/${path}`)} ${quoteName(`b/${path}`)}`];
  if (old === null && updated !== null) head.push(`new file mode ${mode(updated)}`);
  if (updated === null && old !== null) head.push(`deleted file mode ${mode(old)}`);
  if (old !== null && updated !== null && mode(old) !== mode(updated))
    head.push(`old mode ${mode(old)}`, `new mode ${mode(updated)}`);
  head.push(`index ${blob(old)}..${blob(updated)}`);
  const literal = (image: FileImage | null) => {
    const bytes = image?.bytes ?? new Uint8Array(0);
    return formatLiteral(bytes.length, deflateSync(bytes));
  };
  if (blob(old) === blob(updated)) return fromLatin1(`${head.join('\n')}\n`);
  return fromLatin1(`${head.join('\n')}\nGIT binary patch\n${literal(updated)}${literal(old)}`);
}
