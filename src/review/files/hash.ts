/** Content hashes: our SHA-256, and git's SHA-1 or SHA-256 over a header and the bytes. */
import { createHash, hash } from 'node:crypto';
import type { HashBytes } from '../core/change.ts';
import type { FileImage } from '../core/file-state.ts';

/** Up to this size, input is copied together and hashed in one call: hunks are small, and there are thousands. */
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

/** Git's name for a file with these bytes. */
export function gitBlobName(bytes: Uint8Array, algorithm: 'sha1' | 'sha256' = 'sha1'): string {
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Whether `name`, perhaps abbreviated, is git's name for these bytes. */
export function isBlobNamed(bytes: Uint8Array, name: string): boolean {
  return (
    gitBlobName(bytes).startsWith(name) || (name.length > 7 && gitBlobName(bytes, 'sha256').startsWith(name))
  );
}

/** Identifies an image by type, executable bit and bytes, like `sameImage` but without the path; null for no file. */
export function fingerprint(image: FileImage | null): string | null {
  if (image === null) return null;
  if (image.type === 'submodule') return sha256([Buffer.from(image.type)]);
  return sha256([Buffer.from(`${image.type}\0${image.executable ? 'x' : '-'}\0`), image.bytes]);
}
