/** What copane stores for a user. Read-only except for `deleteFiles` and `sweepFiles`. */
import { existsSync, lstatSync, readdirSync, realpathSync, rmSync, type Stats, truncateSync } from 'node:fs';
import path from 'node:path';
import { fail, ok, type Result } from '../lib/result.ts';
import { type CopanePaths, copanePaths, type Env } from '../platform/paths.ts';
import { systemCode, systemWords } from '../platform/system-error.ts';
import { blobFolderOf } from '../store/blobs.ts';
import { databaseFileOf } from '../store/database-file.ts';
import { databaseUsage, type TableUsage } from '../store/usage.ts';
import { logFileOf } from './log/create-log.ts';

export interface UsageRow extends Omit<TableUsage, 'kind'> {
  readonly kind: string;
  /** A user-visible name. */
  readonly what: string;
  /** A user-visible description of its limit. */
  readonly bound: string;
}

const TABLES: Readonly<Record<string, readonly [what: string, bound: string]>> = {
  drafts: ['drafts, by project and pane', 'those with text stay; 200 empty ones'],
  prompts: ['prompts that were sent', '2,000 finished ones'],
  reviews: ['suggestions and the decisions on them', '500 ended ones'],
  agent: ['sessions of the agent, jobs, checkpoints', 'the limits of the configuration; 500 checkpoints'],
  seen: ['marks of seen hunks', '200,000'],
  turns: ['file changes from turn to turn', '2,000 snapshots with changes'],
  events: ['recent events, for clients that reconnect', '10,000 events, 32 MiB'],
};

/** Files and folders by kind. `names`: their prefixes in the state folder. */
const FILES = [
  {
    kind: 'snapshots',
    what: 'patches and texts of files, for undo',
    bound: 'swept daily when no record names them',
  },
  { kind: 'feedback', what: 'the log of decisions', bound: '2 files of 16 MiB' },
  { kind: 'salvage', what: 'databases that were damaged', bound: 'the 3 newest' },
  { kind: 'log', what: 'the log of the program', bound: '2 files of 4 MiB' },
  { kind: 'history', what: 'shell commands, for completions', bound: '8 MiB' },
  {
    kind: 'trees',
    what: 'the last snapshot of each working tree',
    bound: 'swept daily; 30 days without use',
  },
  { kind: 'sandboxes', what: 'working copies for an AI', bound: 'until "copane sandbox remove"' },
  { kind: 'other', what: 'tokens, hooks, set-up records', bound: 'none needed' },
  {
    kind: 'cache',
    what: 'outlines of files and the like',
    bound: 'may be deleted at any time; compiled code goes after 30 days',
  },
  { kind: 'models', what: 'language models that you installed', bound: 'until "copane model remove"' },
] as const;

type FileKind = (typeof FILES)[number]['kind'];

/** Everything that is stored, by kind. */
export function stateUsage(env: Env): Result<readonly UsageRow[]> {
  const paths = copanePaths(env);
  const tables = databaseUsage(databaseFileOf(paths.stateDir));
  if (!tables.ok) return tables;
  const kept = tables.value.map((usage) => {
    const [what, bound] = TABLES[usage.kind] ?? ['', ''];
    return { ...usage, what, bound };
  });
  return guarded(() => {
    const files = FILES.map((row) => ({ ...row, unfinished: 0, ...measure(rootsOf(paths, row.kind)) }));
    return [...kept, ...files];
  });
}

/** Handles folders of other users, and files that vanish while they are read. */
function guarded<T>(look: () => T): Result<T> {
  try {
    return ok(look());
  } catch (thrown) {
    const code = systemCode(thrown);
    const file = thrown instanceof Error && 'path' in thrown ? thrown.path : null;
    if (code === null || typeof file !== 'string') throw thrown;
    return fail(
      'refused',
      `${file} cannot be read or deleted: ${systemWords(code).what}.`,
      systemWords(code).hint,
    );
  }
}

function rootsOf(paths: CopanePaths, kind: FileKind): readonly string[] {
  if (kind === 'cache') return [withoutLinks(paths.cacheDir)];
  if (kind === 'models') return [withoutLinks(paths.dataDir)];
  const stateDir = withoutLinks(paths.stateDir);
  if (kind === 'snapshots') return [blobFolderOf(stateDir)];
  return namesIn(stateDir)
    .filter((name) => kindOfName(name) === kind)
    .map((name) => path.join(stateDir, name));
}

const withoutLinks = (folder: string) => (existsSync(folder) ? realpathSync(folder) : folder);

function kindOfName(name: string): FileKind | null {
  if (name.startsWith('copane.db.damaged-')) return 'salvage';
  if (name.startsWith('copane.db') || name.startsWith('host.') || name === 'blobs') return null;
  if (name.startsWith('feedback.jsonl')) return 'feedback';
  if (name.startsWith('copane.log')) return 'log';
  if (name === 'completion') return 'history';
  if (name === 'snapshots') return 'trees';
  return name === 'sandboxes' ? 'sandboxes' : 'other';
}

function namesIn(folder: string): readonly string[] {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}

interface Measured {
  readonly count: number;
  readonly bytes: number;
  readonly since: number | null;
}

interface Found {
  readonly file: string;
  readonly stats: Stats;
}

/** The files below some paths; links are not followed. */
function* filesBelow(roots: readonly string[]): Generator<Found> {
  const left = [...roots];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    const folder = file;
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats?.isDirectory()) left.push(...namesIn(file).map((name) => path.join(folder, name)));
    else if (stats !== undefined) yield { file, stats };
  }
}

function measure(roots: readonly string[]): Measured {
  let [count, bytes, since] = [0, 0, Number.POSITIVE_INFINITY];
  for (const { stats } of filesBelow(roots)) {
    count += 1;
    bytes += stats.size;
    since = Math.min(since, stats.mtimeMs);
  }
  return { count, bytes, since: count === 0 ? null : Math.round(since) };
}

/** Kinds that consist only of files of their own. */
export const FILE_PURGES: ReadonlySet<string> = new Set(['feedback', 'salvage', 'log', 'history', 'cache']);

/** Deletes files of a kind last modified before `before`; returns how many. An open log is truncated. */
export function deleteFiles(env: Env, kind: string, before: number): Result<number> {
  const paths = copanePaths(env);
  return guarded(() => {
    const log = path.join(withoutLinks(paths.stateDir), path.basename(logFileOf(paths.stateDir)));
    let deleted = 0;
    for (const { file, stats } of filesBelow(rootsOf(paths, kind as FileKind))) {
      if (stats.mtimeMs >= before) continue;
      if (file === log && stats.isFile()) truncateSync(file);
      else rmSync(file, { force: true });
      deleted += 1;
    }
    return deleted;
  });
}

/** Deletes files below a cache folder last modified before `before`. */
export function sweepFiles(folder: string, before: number): void {
  for (const { file, stats } of filesBelow([folder]))
    if (stats.mtimeMs < before) rmSync(file, { force: true });
}
