/** Reads files of a project for edits: text only, never through a link, and says what stands in the way. */

import { type ByteString, utf8Bytes } from '../review/core/bytes.ts';
import type { FileImage } from '../review/core/file-state.ts';
import { readImage } from '../review/files/target-files.ts';
import type { FileFact } from './core/compose.ts';

/** Largest file that a model may edit. */
const EDIT_MAX_BYTES = 32 * 1024 * 1024;

/** The path of a file as the review names it. */
export function nameOf(path: string): ByteString {
  return utf8Bytes(path);
}

/** What is on disk at `path`, as something that edits can be made to. */
export async function readFact(root: string, path: string): Promise<FileFact> {
  const found = await readImage(root, nameOf(path));
  if (!found.ok) {
    const outside = found.error.message.includes('link') || found.error.message.includes('leaves the root');
    return {
      kind: 'refused',
      code: outside ? 'outside_root' : 'protected',
      why: `cannot be read: ${found.error.message}`,
    };
  }
  return factOf(found.value);
}

/** An image as something that edits can be made to. */
export function factOf(image: FileImage | null): FileFact {
  if (image === null) return { kind: 'absent' };
  if (image.type === 'symlink') {
    return { kind: 'refused', code: 'outside_root', why: 'is a link; links are not followed.' };
  }
  if (image.type !== 'file') return { kind: 'refused', code: 'not_text', why: 'is not a regular file.' };
  if (image.bytes.length > EDIT_MAX_BYTES) {
    return { kind: 'refused', code: 'not_text', why: `has more than ${EDIT_MAX_BYTES / 1024 / 1024} MiB.` };
  }
  if (image.bytes.includes(0))
    return { kind: 'refused', code: 'not_text', why: 'is a binary file; only text can be edited.' };
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(image.bytes);
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    return { kind: 'refused', code: 'not_text', why: 'is not valid UTF-8; only UTF-8 text can be edited.' };
  }
  return { kind: 'text', bytes: image.bytes, executable: image.executable };
}
