/** Finds a sandbox's repository from its files: git, run inside, would obey its configuration. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ok, type Result } from '../../lib/result.ts';
import { systemCode } from '../../platform/system-error.ts';
import type { Setting } from '../core/git-settings.ts';
import { git, Repository } from '../vcs/git.ts';
import {
  placeAt,
  type RepositoryPlace,
  readGitFile,
  readOrNull,
  topOf,
  unreadable,
} from '../vcs/repository-place.ts';

export interface WorkingCopy extends RepositoryPlace {
  /** The checked-out branch; null for a detached commit. */
  readonly branch: string | null;
  /** The commit; null before the first one. */
  readonly head: string | null;
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** Most refs that refer to another ref. */
const REF_DEPTH_MAX = 5;

/** The working copy around `folder` (no links); null if there is none. */
export async function findWorkingCopy(folder: string): Promise<Result<WorkingCopy | null>> {
  const top = topOf(folder);
  if (top === null) return ok(null);
  const place = await placeAt(top);
  if (!place.ok) return place;
  const { gitDir, commonDir } = place.value;
  try {
    const head = (await readGitFile(path.join(gitDir, 'HEAD'))).trim();
    const ref = /^ref: (refs\/.+)$/.exec(head)?.[1] ?? null;
    if (ref === 'refs/heads/.invalid') return unreadable(top, 'its refs are kept as a reftable');
    const commit = ref === null ? head : await resolveRef(gitDir, commonDir, ref);
    if (commit !== null && !COMMIT.test(commit)) return unreadable(top, 'its HEAD names no commit');
    return ok({ ...place.value, branch: branchOf(ref), head: commit });
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === null) throw thrown;
    return unreadable(top, code === 'ENOENT' ? 'a part of it is gone' : code);
  }
}

const branchOf = (ref: string | null) =>
  ref?.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null;

async function resolveRef(gitDir: string, commonDir: string, ref: string): Promise<string | null> {
  let name = ref;
  for (let depth = 0; depth < REF_DEPTH_MAX; depth += 1) {
    if (name.split('/').includes('..')) return null;
    const loose =
      (await readOrNull(path.join(commonDir, name))) ?? (await readOrNull(path.join(gitDir, name)));
    if (loose === null) break;
    const next = /^ref: (refs\/.+?)\s*$/.exec(loose)?.[1];
    if (next === undefined) return loose.trim();
    name = next;
  }
  const packed = (await readOrNull(path.join(commonDir, 'packed-refs'))) ?? '';
  const line = packed.split('\n').find((one) => one.endsWith(` ${name}`) && !one.startsWith('#'));
  return line?.split(' ')[0] ?? null;
}

/** A working tree's settings by lower-case name, from its repository's files. Skips includes and whatever runs. */
export async function settingsOf({
  gitDir,
  commonDir,
}: RepositoryPlace): Promise<ReadonlyMap<string, string>> {
  const shared = await settingsIn(path.join(commonDir, 'config'));
  const own = path.join(gitDir, 'config.worktree');
  return existsSync(own) ? new Map([...shared, ...(await settingsIn(own))]) : shared;
}

async function settingsIn(file: string): Promise<ReadonlyMap<string, string>> {
  const listed = await git(['config', '--file', file, '--no-includes', '--null', '--list'], {
    repository: Repository.none('/'),
  });
  const entries = listed.ok ? listed.value.stdout.toString().split('\0') : [];
  // The last of several counts, as in git. A setting without a value has no line feed.
  return new Map(entries.map((entry) => splitOnce(entry, '\n')));
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1).trim()];
}

const HARMLESS_SETTINGS = [
  'core.autocrlf',
  'core.eol',
  'core.fileMode',
  'core.symlinks',
  'core.ignoreCase',
  'core.precomposeUnicode',
  'core.sparseCheckout',
] as const;

/** Settings that affect file content and run nothing. */
export function harmlessSettings(settings: ReadonlyMap<string, string>): Setting[] {
  return HARMLESS_SETTINGS.flatMap((name): Setting[] => {
    const value = settings.get(name.toLowerCase()) ?? '';
    return /^[a-z]+$/.test(value) ? [[name, value]] : [];
  });
}

/** The filters for which a repository has a program. */
export function filtersIn(settings: ReadonlyMap<string, string>): string[] {
  return [...settings.keys()].flatMap(
    (name) => /^filter\.(.+)\.(?:clean|smudge|process)$/s.exec(name)?.[1] ?? [],
  );
}
