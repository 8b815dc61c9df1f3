/** Names of content: SHA-256 of our own, and git's, which is SHA-1 or SHA-256 over a header and the bytes. */
import { createHash } from 'node:crypto';
import type { HashBytes } from './core/change.ts';
import type { FileImage } from './core/file-state.ts';

/** SHA-256 of all parts, hex. */
export const sha256: HashBytes = (parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
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

/** Tells images apart by type, permission to run and bytes; null for no file. Not by path. */
export function fingerprint(image: FileImage | null): string | null {
  if (image === null) return null;
  return sha256([Buffer.from(`${image.type}\0${image.executable ? 'x' : '-'}\0`), image.bytes]);
}
