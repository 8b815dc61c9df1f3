/** A patch from stdin, sent inside the message or, if too long, through a private file. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buffer as readAll } from 'node:stream/consumers';
import { makeScratch } from '../platform/scratch.ts';
import type { SuggestionSource } from '../protocol/commands/review.ts';

/** A message has at most 8 MiB, and base64 adds a third. */
const INLINE_MAX_BYTES = 4 * 1024 * 1024;

/** Reads all of stdin. If it needs a file, that file is deleted when the process ends. */
export async function patchFrom(stdin: NodeJS.ReadStream): Promise<SuggestionSource> {
  const patch = await readAll(stdin);
  if (patch.length <= INLINE_MAX_BYTES) return { kind: 'patch', patch: patch.toString('base64') };
  const folder = makeScratch('patch');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'patch');
  writeFileSync(file, patch, { mode: 0o600 });
  return { kind: 'patch_file', file };
}
