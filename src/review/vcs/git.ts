/**
 * The one way to call git. Nothing of a repository's own configuration runs: no hooks, fsmonitor, external diff,
 * textconv or filters, no pager, no prompt; and no lock of the user's index is taken.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import { run } from '../../platform/run.ts';

/** A large repository's `add -A` reads every file. */
const GIT_TIMEOUT_MS = 120_000;
const GIT_MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

const SAFE_CONFIG: readonly string[] = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.quotePath=false',
  'core.pager=cat',
  'core.editor=false',
  'core.splitIndex=false',
  'core.untrackedCache=false',
  'color.ui=false',
  'diff.external=',
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgSign=false',
];

/** Output that does not depend on the user's settings. */
export const DIFF_FLAGS: readonly string[] = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--binary',
  '--full-index',
  '--find-renames',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--no-relative',
  '-O/dev/null',
  '--submodule=short',
  '--ignore-submodules=dirty',
  '--unified=3',
];

export interface GitOptions {
  readonly cwd: string;
  readonly input?: string | Uint8Array;
  /** Added to the environment: a private index, a private object store. */
  readonly env?: Readonly<Record<string, string>>;
  /** More `-c` settings. */
  readonly config?: readonly string[];
  /** Exit codes that are answers, not failures. */
  readonly okCodes?: readonly number[];
  /** Left out: two minutes. */
  readonly timeoutMs?: number;
  /** Git may talk to a remote, as the user has set it up: only where the user has asked for a push. */
  readonly network?: boolean;
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
}

/** Runs git with `args`; a failure says what git said. */
export async function git(args: readonly string[], options: GitOptions): Promise<Result<GitAnswer>> {
  const config = [...SAFE_CONFIG, ...(options.config ?? [])].flatMap((setting) => ['-c', setting]);
  const outcome = await run('git', ['--literal-pathspecs', '--no-pager', ...config, ...args], {
    cwd: options.cwd,
    input: options.input,
    env: {
      ...withoutGitVariables(process.env),
      ...FIXED_ENVIRONMENT,
      ...(options.network === true ? {} : { GIT_ALLOW_PROTOCOL: 'none' }),
      ...options.env,
    },
    timeoutMs: options.timeoutMs ?? GIT_TIMEOUT_MS,
    maxOutputBytes: GIT_MAX_OUTPUT_BYTES,
  });
  if (outcome.code !== null && (options.okCodes ?? [0]).includes(outcome.code)) {
    return ok({ code: outcome.code, stdout: outcome.stdout });
  }
  if (outcome.failure === 'not found')
    return fail('refused', 'git is not installed.', 'Install git, or publish a patch instead.');
  const said = outcome.stderr.trim().split('\n').slice(0, 3).join(' ');
  return fail('refused', `git ${args[0] ?? ''} failed: ${said || outcome.failure || `exit ${outcome.code}`}`);
}

/**
 * `GIT_ALLOW_PROTOCOL` above wins over every configuration: a repository could allow a protocol that runs a command
 * and have a missing object fetched by it.
 */
const FIXED_ENVIRONMENT: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ATTR_NOSYSTEM: '1',
};

/** A hook or an alias that starts us hands its own repository over in these. */
export function withoutGitVariables(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !name.startsWith('GIT_') || /^GIT_(?:CONFIG|AUTHOR|COMMITTER)_/.test(name),
    ),
  );
}

export interface Repository {
  /** The top folder of the working tree. */
  readonly top: string;
  /** Absolute. */
  readonly gitDir: string;
  /** Where objects lie, shared by all worktrees. */
  readonly commonDir: string;
  /** `-c` settings that switch off the filters that this repository itself configures. */
  readonly withoutFilters: readonly string[];
}

/** The repository that `folder` is in; null when it is in none. */
export async function openRepository(folder: string): Promise<Repository | null> {
  const found = await git(['rev-parse', '--show-toplevel', '--absolute-git-dir', '--git-common-dir'], {
    cwd: folder,
  });
  if (!found.ok) return null;
  const [top, gitDir, common] = found.value.stdout.toString('utf8').split('\n');
  if (top === undefined || gitDir === undefined || common === undefined) return null;
  return { top, gitDir, commonDir: path.resolve(folder, common), withoutFilters: await localFilters(folder) };
}

/** Filters run a command on every file; those of the user's own configuration stay, those of the repository do not. */
async function localFilters(folder: string): Promise<string[]> {
  return withoutFilters(await configuredFilters(folder, new Set(['local', 'worktree'])));
}

/** The names of the filters that are configured in these scopes; null for all of them. */
export async function configuredFilters(
  folder: string,
  scopes: ReadonlySet<string> | null,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const listed = await git(
    ['config', '--show-scope', '--includes', '--null', '--name-only', '--get-regexp', '^filter\\.'],
    { cwd: folder, okCodes: [0, 1] },
  );
  if (!listed.ok) return names;
  const words = listed.value.stdout.toString('utf8').split('\0');
  for (let i = 0; i + 1 < words.length; i += 2) {
    const name = /^filter\.(.+)\.[^.]+$/s.exec(words[i + 1] ?? '')?.[1];
    if (name !== undefined && (scopes === null || scopes.has(words[i] ?? ''))) names.add(name);
  }
  return names;
}

/** `-c` settings that switch these filters off. */
export function withoutFilters(names: Iterable<string>): string[] {
  return [...names].flatMap((name) => [
    `filter.${name}.clean=`,
    `filter.${name}.smudge=`,
    `filter.${name}.process=`,
    `filter.${name}.required=false`,
  ]);
}

/** Git's name of each file in a commit's tree, by path; files that the commit does not have are left out. */
export async function blobsAt(
  folder: string,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const blobs = new Map<string, string>();
  // `ls-tree` takes paths only as arguments; whole trees of large repositories are cheaper than many calls.
  const few = paths.length <= 200 ? paths.map((name) => Buffer.from(name, 'latin1').toString('utf8')) : [];
  const listed = await git(['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...few], { cwd: folder });
  if (!listed.ok) return blobs;
  for (const entry of listed.value.stdout.toString('latin1').split('\0')) {
    const match = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(entry);
    if (match?.[1] !== undefined && match[2] !== undefined) blobs.set(match[2], match[1]);
  }
  return blobs;
}

/** Runs `work` with a private folder, and takes the folder away again. */
export async function withScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'copane-git-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
