/** Reads a repository's branches, tags and remotes from its files: runs no git, obeys no foreign configuration. */

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fresh } from '../../lib/fresh.ts';
import { openRegular, readTextOf } from '../../platform/regular-file.ts';
import type { RepositoryNames } from '../core/refs.ts';

const FRESH_MS = 3_000;
const MAX_REFS = 2_000;
const MAX_DEPTH = 4;
const MAX_PARENTS = 32;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_KEPT = 32;
/** How much of the end of the reflog is read. */
const LOG_BYTES = 64 * 1024;

const NOTHING: RepositoryNames = {
  branches: [],
  tags: [],
  remotes: [],
  tracked: [],
  head: null,
  hasUpstream: false,
};

export type RefsAt = (cwd: string) => Promise<RepositoryNames>;

/** Reads the names of a folder's repository, with a short cache. */
export function createRefs(now: () => number): RefsAt {
  const refs = fresh<Promise<RepositoryNames>>({ freshMs: FRESH_MS, maxKeys: MAX_KEPT, now });
  return (cwd) => refs(cwd, () => readRefs(cwd).catch(() => NOTHING));
}

/** The git directory of `cwd`, looking upwards; a worktree's file points at it. */
async function findGitDirectory(cwd: string): Promise<string | null> {
  let folder = cwd;
  for (let depth = 0; depth < MAX_PARENTS; depth += 1) {
    const candidate = path.join(folder, '.git');
    const found = await stat(candidate).catch(() => null);
    if (found?.isDirectory()) return candidate;
    if (found?.isFile()) {
      const target = /^gitdir: (.+)$/m.exec(await readSmall(candidate))?.[1];
      return target === undefined ? null : path.resolve(folder, target);
    }
    const parent = path.dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
  return null;
}

async function readRefs(cwd: string): Promise<RepositoryNames> {
  if (!path.isAbsolute(cwd)) return NOTHING;
  const own = await findGitDirectory(cwd);
  if (own === null) return NOTHING;
  const shared = path.resolve(own, (await readSmall(path.join(own, 'commondir'))).trim());
  const [branches, tags, tracked, packed, head, config, log] = await Promise.all([
    listRefs(path.join(shared, 'refs/heads')),
    listRefs(path.join(shared, 'refs/tags')),
    listRefs(path.join(shared, 'refs/remotes')),
    readSmall(path.join(shared, 'packed-refs')),
    readSmall(path.join(own, 'HEAD')),
    readSmall(path.join(shared, 'config')),
    readEnd(path.join(own, 'logs/HEAD')),
  ]);
  const current = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? null;
  const packedNames = (kind: string) =>
    [...packed.matchAll(new RegExp(`^[0-9a-f]+ refs/${kind}/(.+)$`, 'gm'))].map(([, name = '']) => name);
  return {
    branches: recentFirst(unique([...branches, ...packedNames('heads')]), log).filter(
      (name) => name !== current,
    ),
    tags: unique([...tags, ...packedNames('tags')]),
    tracked: unique([...tracked, ...packedNames('remotes')]).filter((name) => !name.endsWith('/HEAD')),
    remotes: unique([...config.matchAll(/^\[remote "([^"\n]+)"\]/gm)].map(([, name = '']) => name)),
    head: current,
    hasUpstream: upstreams(config).has(current ?? ''),
  };
}

/** Branches with a configured upstream. */
const upstreams = (config: string): ReadonlySet<string> =>
  new Set(
    [...config.matchAll(/^\[branch "([^"\n]+)"\](?:\n(?!\[).*)*?\n\s*merge\s*=/gm)].map(
      ([, name = '']) => name,
    ),
  );

const readSmall = (file: string) => readTextOf(file, MAX_FILE_BYTES);

async function listRefs(folder: string, prefix = '', depth = 0): Promise<readonly string[]> {
  if (depth > MAX_DEPTH) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names: string[] = [];
  for (const entry of entries.slice(0, MAX_REFS)) {
    if (entry.isDirectory())
      names.push(...(await listRefs(path.join(folder, entry.name), `${prefix}${entry.name}/`, depth + 1)));
    else names.push(prefix + entry.name);
  }
  return names;
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
    .filter((name) => /^[^\s~^:?*[\\\u0000-\u001f]+$/.test(name))
    .slice(0, MAX_REFS)
    .sort();
}

/** Sorted by last checkout; branches that were not checked out come last. */
function recentFirst(names: readonly string[], log: string): readonly string[] {
  const moves = [...log.matchAll(/checkout: moving from (\S+) to (\S+)$/gm)].reverse();
  const recent = moves.flatMap(([, from = '', to = '']) => [to, from]);
  const known = new Set(names);
  return [...new Set([...recent.filter((name) => known.has(name)), ...names])];
}

/** The end of a long file; empty if it is missing. */
async function readEnd(file: string): Promise<string> {
  const opened = await openRegular(file).catch(() => null);
  if (opened === null) return '';
  const { handle, stats } = opened;
  try {
    const buffer = Buffer.alloc(Math.min(stats.size, LOG_BYTES));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, stats.size - buffer.length);
    return String(buffer.subarray(0, bytesRead));
  } catch {
    // The log is being rewritten: nothing is known to be recent.
    return '';
  } finally {
    await handle.close();
  }
}
