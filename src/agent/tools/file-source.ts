/** Reads a file's bytes: from the working buffer, or else from disk: only regular files, never through a new link. */
import { hash } from 'node:crypto';
import { type FileHandle, realpath, stat } from 'node:fs/promises';
import { fail, type Result } from '../../lib/result.ts';
import { openRegular } from '../../platform/regular-file.ts';
import { systemCode } from '../../platform/system-error.ts';
import type { WorkingBuffers } from '../loop/port.ts';
import type { ProjectPath } from './project-path.ts';

/** Bytes that can be read from a position. */
export interface ByteSource {
  /** Fills `into` from `position`; returns how many bytes there were. */
  read(into: Buffer, position: number): Promise<number>;
  /** Differs if the bytes differ. */
  readonly version: string;
}

/** Runs `use` on the file as the user sees it. */
export function withSource<T>(
  file: ProjectPath,
  buffers: WorkingBuffers,
  use: (source: ByteSource) => Promise<Result<T>>,
): Promise<Result<T>> {
  const buffer = buffers.read(file.relative);
  if (buffer === undefined) return withOpenFile(file, use);
  if (buffer === null)
    return Promise.resolve(fail('not_found', `${JSON.stringify(file.relative)} is deleted.`));
  return use(bufferSource(buffer));
}

function bufferSource(buffer: Uint8Array): ByteSource {
  const bytes = Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  return {
    read: async (into, position) => bytes.copy(into, 0, Math.min(position, bytes.length)),
    version: `buffer:${hash('sha256', bytes, 'hex')}`,
  };
}

async function withOpenFile<T>(
  file: ProjectPath,
  use: (source: ByteSource) => Promise<Result<T>>,
): Promise<Result<T>> {
  const shown = JSON.stringify(file.relative);
  let handle: FileHandle | undefined;
  try {
    ({ handle } = await openRegular(file.absolute, { noLink: true }));
    const opened = await handle.stat({ bigint: true });
    const there = await stat(file.absolute, { bigint: true });
    const isSame = there.dev === opened.dev && there.ino === opened.ino;
    if (!isSame || (await realpath(file.absolute)) !== file.absolute) {
      return fail('refused', `${shown} was exchanged while it was opened.`, 'Try again.');
    }
    const reader = handle;
    return await use({
      read: async (into, position) => (await reader.read(into, 0, into.length, position)).bytesRead,
      version: `${opened.dev}:${opened.ino}:${opened.size}:${opened.mtimeNs}`,
    });
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === null) throw thrown;
    if (code === 'ENOENT' || code === 'ENOTDIR') return fail('not_found', `There is no file ${shown}.`);
    if (code === 'EISDIR') return fail('refused', `${shown} is a folder.`, 'List it with list_files.');
    if (code === 'ENOTREG') return fail('refused', `${shown} is not a regular file.`);
    return fail('refused', `${shown} cannot be read (${code}).`);
  } finally {
    await handle?.close();
  }
}
