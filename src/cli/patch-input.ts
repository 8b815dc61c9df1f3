/** A patch on stdin: in the message itself, or by way of a private file when it is too long for one. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buffer as readAll } from 'node:stream/consumers';
import { makeScratch } from '../platform/scratch.ts';
import type { SuggestionSource } from '../protocol/commands/review.ts';

/** A message has at most 8 MiB, and base64 takes a third more. */
const INLINE_MAX_BYTES = 4 * 1024 * 1024;

/** Reads all of stdin. The file, if one is needed, is gone when the process is. */
export async function patchFrom(stdin: NodeJS.ReadStream): Promise<SuggestionSource> {
  const patch = await readAll(stdin);
  if (patch.length <= INLINE_MAX_BYTES) return { kind: 'patch', patch: patch.toString('base64') };
  const folder = makeScratch('patch');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'patch');
  writeFileSync(file, patch, { mode: 0o600 });
  return { kind: 'patch_file', file };
}
