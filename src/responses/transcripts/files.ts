/** Lists session files; leaves out what is missing or not permitted. */
import { access, constants, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { decode } from '../../lib/line-splitter.ts';
import { errorMessage } from '../../lib/result.ts';
import { readHeadOf, readRegular } from '../../platform/regular-file.ts';
import type { CliId } from '../../protocol/cli-id.ts';
import type { TranscriptRef, TranscriptTie } from './port.ts';

/** The most candidates that `find` returns for a place without a limit. */
export const MAX_CANDIDATES = 50;
/** The most names checked in a folder. */
const MAX_NAMES = 20_000;

export interface FoundFile {
  readonly path: string;
  readonly name: string;
  readonly modifiedAt: number;
  readonly bornAt: number;
  readonly bytes: number;
}

/** The names in a folder; empty if it cannot be read. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.slice(0, MAX_NAMES);
}

/** A file's facts; null if it is not a file or cannot be read. */
export async function fileAt(file: string): Promise<FoundFile | null> {
  const stats = await stat(file).catch(() => null);
  if (stats === null || !stats.isFile()) return null;
  const { mtimeMs, birthtimeMs, size } = stats;
  return { path: file, name: path.basename(file), modifiedAt: mtimeMs, bornAt: birthtimeMs, bytes: size };
}

/** Why the first existing path cannot be read; null if all can. */
export async function whyUnreadable(paths: readonly string[]): Promise<string | null> {
  for (const each of paths) {
    try {
      await access(each, (await stat(each)).isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK);
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code === undefined) throw thrown;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') return errorMessage(thrown);
    }
  }
  return null;
}

/** The files of a folder whose names pass, newest first. */
export async function filesIn(
  folder: string,
  passes: (name: string) => boolean,
): Promise<readonly FoundFile[]> {
  const names = (await namesIn(folder)).filter(passes);
  const found = await Promise.all(names.map((name) => fileAt(path.join(folder, name))));
  return newestFirst(found.filter((file) => file !== null));
}

/** The session in a file. */
export function refTo(
  { path: file, modifiedAt, bornAt }: FoundFile,
  cli: CliId,
  sessionId: string,
  tie: TranscriptTie = 'folder',
): TranscriptRef {
  return { cli, path: file, sessionId, tie, modifiedAt, bornAt };
}

/** A copy, newest first. */
export function newestFirst<T extends { readonly modifiedAt: number }>(files: readonly T[]): T[] {
  return [...files].sort((a, b) => b.modifiedAt - a.modifiedAt);
}

/** The first `bytes` of a file as text; empty if it cannot be read. */
export async function headOf(file: string, bytes: number): Promise<string> {
  return readHeadOf(file, bytes).then(decode, () => '');
}

/** A whole small file; null if it cannot be read or exceeds the limit. */
export async function smallFile(file: string, maxBytes: number): Promise<string | null> {
  return readRegular(file, { maxBytes }).then(decode, () => null);
}

/** The folder as given and as resolved: a CLI may have used either. */
export async function spellingsOf(folder: string): Promise<readonly string[]> {
  const real = await realpath(folder).catch(() => folder);
  return real === folder ? [folder] : [real, folder];
}

/** The user's home in the CLI's environment. */
export const homeOf = (env: Readonly<Record<string, string | undefined>>): string => env.HOME || '/';
