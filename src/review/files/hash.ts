/** Names of content: SHA-256 of our own, and git's, which is SHA-1 or SHA-256 over a header and the bytes. */
import { createHash, hash } from 'node:crypto';
import type { HashBytes } from '../core/change.ts';
import type { FileImage } from '../core/file-state.ts';

/** Copied into one piece and hashed in one call up to here: a hunk is small, and there are thousands. */
const ONE_CALL_MAX_BYTES = 16 * 1024;

export const sha256: HashBytes = (parts) => {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return hash('sha256', only, 'hex');
  let length = 0;
  for (const part of parts) length += part.length;
  if (length <= ONE_CALL_MAX_BYTES) return hash('sha256', Buffer.concat(parts, length), 'hex');
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest('hex');
};

/** Git's name for a file of these bytes. */
export function gitBlobName(bytes: Uint8Array, algorithm: 'sha1' | 'sha256' = 'sha1'): string {
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** `name`, maybe abbreviated, is git's name of these bytes. */
export function isBlobNamed(bytes: Uint8Array, name: string): boolean {
  return (
    gitBlobName(bytes).startsWith(name) || (name.length > 7 && gitBlobName(bytes, 'sha256').startsWith(name))
  );
}

/** Tells images apart by type, permission to run and bytes, as `sameImage` does; null for no file. Not by path. */
export function fingerprint(image: FileImage | null): string | null {
  if (image === null) return null;
  if (image.type === 'submodule') return sha256([Buffer.from(image.type)]);
  return sha256([Buffer.from(`${image.type}\0${image.executable ? 'x' : '-'}\0`), image.bytes]);
}
