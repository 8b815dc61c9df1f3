/**
 * The only way to call git. Every `Repository` has settings that keep anything in its configuration from running
 * (hooks, fsmonitor, external diff, textconv, filters, pager, prompt), and no call locks the user's index.
 */

import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { fail, ok, type Result } from '../../lib/result.ts';
import { wordList } from '../../lib/word-list.ts';
import { run } from '../../platform/run.ts';
import { makeScratch } from '../../platform/scratch.ts';
import {
  ALWAYS,
  areInForce,
  asEnvironment,
  type CommitSettings,
  commitSettings,
  configuredFilters,
  isPartialClone,
  leavesFiltersAlone,
  noObjectName,
  parseSettings,
  readsModes,
  type Setting,
  undoRepository,
  withoutFilters,
} from '../core/git-settings.ts';
import { heldUp, watchForObstacles } from './obstacles.ts';
import { gitFolderAround, placeAt, type RepositoryPlace, topOf } from './repository-place.ts';

/** Time to read a large repository's whole working tree. */
const GIT_TIMEOUT_MS = 120_000;
/** Hooks may run a whole test suite. */
const HOOKS_TIMEOUT_MS = 10 * 60_000;
const UNSIGNED = /failed to sign the data|passphrase|signing failed|no signing key/i;
const SIGN_HINT =
  'Nothing was committed. Git cannot ask for a passphrase here: unlock the key in a shell (with "ssh-add", or by signing something), then try again.';
/** Most lines of a hook's output, from the end. */
const MESSAGE_MAX_LINES = 10;
const GIT_MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

/** For every diff: no program of the user or the repository makes it. */
const OWN_DIFF: readonly string[] = ['--no-ext-diff', '--no-textconv'];
/** Output that does not depend on the user's settings. */
export const DIFF_FLAGS = wordList(`
  --no-color --binary --full-index --find-renames --src-prefix=a/ --dst-prefix=b/ --no-relative
  -O/dev/null --submodule=short --ignore-submodules=dirty --unified=3
`);

/** Transports that start no program of the remote's choice. */
const NETWORK_PROTOCOLS = 'file:http:https:ssh';

/** `GIT_ALLOW_PROTOCOL` overrides any configuration: a repository could otherwise run a command on a fetch. */
const FIXED_ENVIRONMENT: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  GIT_PROXY_COMMAND: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_GRAFT_FILE: '/dev/null/none',
  GIT_LITERAL_PATHSPECS: '1',
};

interface SafeSettings {
  readonly place: RepositoryPlace | { readonly top: string; readonly gitDir?: undefined };
  /** Settings that keep everything in the repository's configuration from running. */
  readonly settings: readonly Setting[];
  readonly filters: ReadonlySet<string>;
  /** Disables the repository's own filters; the user's stay. */
  readonly withUserFilters: readonly Setting[];
  readonly commits: CommitSettings;
  readonly isPartial: boolean;
  readonly readsModes: boolean;
  readonly noObject: string;
}

/** Before the configuration is read. */
const UNREAD: Omit<SafeSettings, 'place'> = {
  settings: ALWAYS,
  filters: new Set(),
  withUserFilters: ALWAYS,
  commits: { hooksPath: null, signs: false, template: null },
  isPartial: false,
  readsModes: true,
  noObject: noObjectName([]),
};

/** A repository to call git in. Only this file's functions create it, and find out what must be undone in it. */
export class Repository {
  readonly #safe: SafeSettings;

  private constructor(safe: SafeSettings) {
    this.#safe = safe;
  }

  /** For a git that needs no repository, or creates one: it does not look for one above `folder`. */
  static none(folder: string): Repository {
    return new Repository({ ...UNREAD, place: { top: folder } });
  }

  /** Reads the configuration and undoes whatever runs a program. `more`: extra settings, which run nothing. */
  static async at(place: RepositoryPlace, more: readonly Setting[] = []): Promise<Result<Repository>> {
    // Until the settings are known, only their list may be requested.
    const unread = new Repository({ ...UNREAD, place });
    const listing = await git(['config', '--list', '--show-scope', '--includes', '--null'], {
      repository: unread,
    });
    if (!listing.ok) return /show-scope/.test(listing.error.message) ? tooOld() : listing;
    const listed = parseSettings(listing.value.stdout.toString('utf8'));
    if (!areInForce(listed)) return tooOld();
    const base = [...ALWAYS, ...undoRepository(listed), ...(foldsCase(place) ? [] : TELLS_CASE), ...more];
    const settings = [...base, ...withoutFilters(listed)];
    return ok(
      new Repository({
        place,
        settings,
        filters: configuredFilters(listed),
        withUserFilters: leavesFiltersAlone(listed) ? base : settings,
        commits: commitSettings(listed),
        isPartial: isPartialClone(listed),
        readsModes: readsModes(listed),
        noObject: noObjectName(listed),
      }),
    );
  }

  /** The top folder of the working tree, no links. */
  get top(): string {
    return this.#safe.place.top;
  }

  /** Absolute: HEAD, index. */
  get gitDir(): string {
    return this.#safe.place.gitDir ?? '';
  }

  /** Where objects, refs and configuration are, shared by all worktrees. */
  get commonDir(): string {
    const { place } = this.#safe;
    return place.gitDir === undefined ? '' : place.commonDir;
  }

  /** Filters with a program in some configuration. None of them runs: their files are left alone. */
  get filters(): ReadonlySet<string> {
    return this.#safe.filters;
  }

  /** What the user's own git does in a commit and ours does not. */
  get commits(): CommitSettings {
    return this.#safe.commits;
  }

  /** Some objects are not fetched yet, and our git calls never fetch. */
  get isPartial(): boolean {
    return this.#safe.isPartial;
  }

  /** Whether the disk says which files are executable (`core.fileMode`). */
  get readsModes(): boolean {
    return this.#safe.readsModes;
  }

  /** The name for no object. */
  get noObject(): string {
    return this.#safe.noObject;
  }

  environment({ config = [], network = false, userFilters = false }: GitOptions) {
    const { place, settings, withUserFilters } = this.#safe;
    return {
      ...withoutGitVariables(process.env),
      ...FIXED_ENVIRONMENT,
      ...asEnvironment([...(userFilters ? withUserFilters : settings), ...config]),
      ...(network ? { GIT_ALLOW_PROTOCOL: NETWORK_PROTOCOLS } : {}),
      ...(place.gitDir === undefined
        ? { GIT_CEILING_DIRECTORIES: path.dirname(place.top) }
        : { GIT_DIR: place.gitDir, GIT_WORK_TREE: place.top }),
    };
  }
}

/** Otherwise git confuses a new file with one whose name differs only in case. */
const TELLS_CASE: readonly Setting[] = [['core.ignoreCase', 'false']];

/** Whether `HEAD` is also found as `head`; a separate file of that name would be listed. */
const foldsCase = ({ gitDir }: RepositoryPlace) =>
  existsSync(path.join(gitDir, 'head')) && !readdirSync(gitDir).includes('head');

const tooOld = () =>
  fail('refused', 'This git is too old to be called safely.', 'Install git 2.31 or newer.');

/** The settings for a git that another program starts to reach a remote. */
export function pushSettings(repository: Repository): Record<string, string> {
  const all = Object.entries(repository.environment({ repository, network: true }));
  const settings = all.filter(([name]) => /^GIT_(?:CONFIG_|ALLOW_|ASKPASS|PROXY_|TERMINAL_)/.test(name));
  return Object.fromEntries(settings.map(([name, value]) => [name, value ?? '']));
}

export interface GitOptions {
  readonly repository: Repository;
  /** Omitted: the top of the working tree. */
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  /** Added to the environment: a private index, a private object store. */
  readonly env?: Readonly<Record<string, string>>;
  /** More settings. */
  readonly config?: readonly Setting[];
  /** Exit codes that are answers rather than failures. */
  readonly okCodes?: readonly number[];
  /** Omitted: two minutes. */
  readonly timeoutMs?: number;
  /** Git may contact a remote, as configured by the user: only if the user asked for a push. */
  readonly network?: boolean;
  /** Run filters from the user's configuration, for files written to an empty place. */
  readonly userFilters?: boolean;
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
}

/** Runs git with `args`; a failure includes git's message. */
export async function git(args: readonly string[], options: GitOptions): Promise<Result<GitAnswer>> {
  const [command = '', ...rest] = args;
  const safe = command === 'diff' ? [command, ...OWN_DIFF, ...rest] : args;
  const watch = watchForObstacles(options.repository);
  const outcome = await run('git', ['--no-pager', ...safe], {
    cwd: options.cwd ?? options.repository.top,
    input: options.input,
    env: {
      ...options.repository.environment(options),
      ...options.env,
    },
    timeoutMs: options.timeoutMs ?? GIT_TIMEOUT_MS,
    maxOutputBytes: GIT_MAX_OUTPUT_BYTES,
    signal: watch.signal,
    // Filters and child gits of a checkout end with it.
    ownSession: options.userFilters ?? false,
  });
  const obstacle = watch.end();
  if (obstacle !== null) return heldUp(command, options.repository.top, obstacle);
  if (outcome.code !== null && (options.okCodes ?? [0]).includes(outcome.code)) {
    return ok({ code: outcome.code, stdout: outcome.stdout });
  }
  if (outcome.failure === 'not found') return noGit();
  if (/lazy fetching disabled|promisor remote/.test(outcome.stderr)) {
    return fail(
      'refused',
      'This is a partial clone, and some text that this needs has not been fetched yet.',
      'Have git fetch it ("git diff HEAD" does, or "git log -p -1" for a commit), then try again.',
    );
  }
  if (outcome.failure === 'timeout') {
    const seconds = (options.timeoutMs ?? GIT_TIMEOUT_MS) / 1_000;
    return fail(
      'refused',
      `git ${command} was still ${DOING[command] ?? 'running'} after ${seconds} s and was ended.`,
      'A very large folder can cause it, or a pattern in .gitignore or .gitattributes that is hard to match: try "git status" there.',
    );
  }
  if (outcome.failure === 'aborted') return fail('refused', `git ${command} was cancelled.`);
  const message = outcome.stderr.trim().split('\n').slice(0, 3).join(' ');
  return fail('refused', `git ${command} failed: ${message || outcome.failure || `exit ${outcome.code}`}`);
}

/** What git was doing, for a sentence about one that was stopped. */
const DOING: Readonly<Record<string, string>> = {
  'cat-file': 'reading objects',
  'check-attr': 'matching .gitattributes',
  'check-ignore': 'matching .gitignore',
  diff: 'comparing files',
  'diff-files': 'comparing files',
  'diff-index': 'comparing files',
  'ls-files': 'listing files',
  'ls-tree': 'listing files',
  push: 'sending commits',
  'read-tree': 'reading a commit',
  'update-index': 'reading files',
};

/** The only place where git runs as the user set it up: hooks, filters, signing. Only on request. Adds `env`. */
export async function gitAsUser(
  args: readonly string[],
  options: Pick<GitOptions, 'repository' | 'input' | 'env'>,
): Promise<Result<GitAnswer>> {
  const outcome = await run('git', args, {
    cwd: options.repository.top,
    input: options.input,
    env: {
      ...withoutGitVariables(process.env),
      GIT_TERMINAL_PROMPT: '0',
      GIT_EDITOR: 'false',
      // gpg's questions would otherwise go to the terminal that a companion draws on.
      GPG_TTY: undefined,
      ...options.env,
    },
    timeoutMs: HOOKS_TIMEOUT_MS,
    maxOutputBytes: GIT_MAX_OUTPUT_BYTES,
    ownSession: true,
  });
  if (outcome.code === 0) return ok({ code: 0, stdout: outcome.stdout });
  const lines = stripVTControlCharacters(outcome.stderr).trim().split('\n');
  const message = lines.slice(-MESSAGE_MAX_LINES).join('\n');
  const why =
    outcome.failure === 'timeout' ? `it took more than ${HOOKS_TIMEOUT_MS / 60_000} minutes` : message;
  return fail(
    'refused',
    `git ${args[0] ?? ''} failed: ${why || outcome.failure || `exit ${outcome.code}`}`,
    UNSIGNED.test(message) ? SIGN_HINT : unusedWords().trim() || undefined,
  );
}

/** Settings of this process's environment, which no git of ours takes: a hook or an alias may have left them there. */
function unusedWords(): string {
  const names = ['GIT_CONFIG_COUNT', 'GIT_CONFIG_PARAMETERS'].filter((name) => process.env[name]);
  return names.length === 0 ? '' : `\nSettings in ${names.join(' and ')} are not used; put them into a file.`;
}

/** A path for a git list, in which a colon or a line feed would end it. */
export function quotedPath(name: string): string {
  const bytes = Buffer.from(name).toString('latin1');
  const body = bytes.replace(/[^ !#-[\]-~]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `"${body}"`;
}

/** The user's identity and configuration location; everything else that a hook or alias passes on is dropped. */
export function withoutGitVariables(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) =>
        !name.startsWith('GIT_') ||
        /^GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$|AUTHOR_|COMMITTER_)/.test(name),
    ),
  );
}

/** The repository around `folder` (no links). `not_found` if there is none; refused if git would not use it. */
export async function openRepository(folder: string): Promise<Result<Repository>> {
  const top = topOf(folder);
  const inside = await gitFolderAround(folder, top);
  if (inside !== null) {
    const what = path.basename(inside) === '.git' ? 'the inside of a repository' : 'a bare repository';
    return fail(
      'refused',
      `${inside} is ${what}: it has no files to review.`,
      'Go to one of its working trees.',
    );
  }
  if (top === null) return fail('not_found', `${folder} is not in a git repository.`, IN_NONE_HINT);
  const place = await placeAt(top);
  if (!place.ok) return place;
  // Let git look for it once: it refuses another owner's repository, but only if it was not given the place.
  const trusted = await git(['rev-parse', '--is-inside-work-tree'], { repository: Repository.none(top) });
  return trusted.ok ? Repository.at(place.value) : distrusted(top, trusted.error.message);
}

const NO_GIT = 'There is no "git" on your PATH.';

const noGit = () =>
  fail('refused', NO_GIT, 'Install git, or put it on your PATH; a patch can be published without it.');

const IN_NONE_HINT = 'Publish a patch, or compare two folders.';

function distrusted(top: string, message: string): Result<never> {
  if (message === NO_GIT) return noGit();
  if (/dubious ownership|unsafe repository/.test(message)) {
    return fail(
      'refused',
      `Git does not use the repository of ${top}: it belongs to another user.`,
      `If you trust it: git config --global --add safe.directory '${top}'${unusedWords()}`,
    );
  }
  return fail('refused', `Git does not use the repository of ${top}: ${message}`);
}

/** Runs `work` with a private folder and removes it afterwards. */
export async function withScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = makeScratch('git');
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
