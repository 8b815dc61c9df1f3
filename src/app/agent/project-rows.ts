/** What a user can give the agent as context: project files by name, and the uncommitted changes. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { resolveInProject } from '../../agent/tools/project-path.ts';
import { ripgrep } from '../../agent/tools/ripgrep.ts';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';
import { readHeadOf } from '../../platform/regular-file.ts';
import { systemCode } from '../../platform/system-error.ts';
import type { ContextRow } from '../../protocol/agent.ts';
import { type IsSecret, secretRule } from '../../review/core/secret-files.ts';
import { DIFF_FLAGS, git, openRepository } from '../../review/vcs/git.ts';

/** How long a file list is reused while the user types. */
const LIST_KEPT_MS = 5_000;
const LISTED_MAX_FILES = 100_000;
const OFFERED_MAX_FILES = 20;
/** How much of a file is read for the size estimate; the agent reads the file itself. */
const READ_MAX_BYTES = 256 * 1024;
const DIFF_MAX_CHARACTERS = 400_000;
const DIFF_MAX_FILES = 1_000;

interface Listed {
  readonly root: string;
  readonly at: number;
  readonly files: Promise<Result<readonly string[]>>;
}

/** `secretFiles` are the user's globs for files that hold secrets. */
export function projectRows(env: Env, secretFiles: readonly string[]): ProjectRows {
  const isSecret = secretRule(secretFiles);
  return new ProjectRows(env, Date.now, () => isSecret);
}

export class ProjectRows {
  readonly #env: Env;
  readonly #now: () => number;
  readonly #isSecret: () => IsSecret;
  #listed: Listed | null = null;

  /** `isSecret` excludes files from completion and from the diff; a file named explicitly is always accepted. */
  constructor(env: Env, now: () => number, isSecret: () => IsSecret) {
    this.#env = env;
    this.#now = now;
    this.#isSecret = isSecret;
  }

  /** Files that match `prefix`: first by the start of the path, then of the file name, then anywhere in the path. */
  async complete(root: string, prefix: string): Promise<Result<readonly string[]>> {
    const listed = await this.#list(root);
    if (!listed.ok) return listed;
    const isSecret = this.#isSecret();
    return ok(bestFiles(listed.value, prefix, (file) => !isSecret(file)));
  }

  async read(
    root: string,
    of: { readonly kind: 'file'; readonly path: string } | { readonly kind: 'diff' },
  ): Promise<Result<ContextRow>> {
    return of.kind === 'file' ? this.#readFile(root, of.path) : this.#readDiff(root);
  }

  #list(root: string): Promise<Result<readonly string[]>> {
    const now = this.#now();
    if (this.#listed?.root !== root || now - this.#listed.at > LIST_KEPT_MS) {
      this.#listed = { root, at: now, files: listFiles(root, this.#env) };
    }
    return this.#listed.files;
  }

  async #readFile(root: string, given: string): Promise<Result<ContextRow>> {
    const found = await resolveInProject(await realpath(root), given);
    if (!found.ok) return found;
    if (!found.value.exists) return fail('not_found', `There is no file ${given} in ${root}`);
    const text = await readHead(found.value.absolute);
    return text.ok ? ok(this.#row('file', found.value.relative, text.value)) : text;
  }

  async #readDiff(root: string): Promise<Result<ContextRow>> {
    const repository = await openRepository(await realpath(root));
    if (!repository.ok) return repository;
    const options = { repository: repository.value };
    const names = await git(['diff', 'HEAD', '--name-only', '--no-renames', '-z', ...DIFF_FLAGS], options);
    if (!names.ok) return names;
    const isSecret = this.#isSecret();
    const shown = names.value.stdout
      .toString('utf8')
      .split('\0')
      .filter((name) => name !== '' && !isSecret(name));
    if (shown.length === 0) return fail('not_found', 'The working tree has no changes');
    const diff = await git(['diff', 'HEAD', ...DIFF_FLAGS, '--', ...shown.slice(0, DIFF_MAX_FILES)], options);
    if (!diff.ok) return diff;
    const text = diff.value.stdout.toString('utf8');
    if (text === '') return fail('not_found', 'The working tree has no changes');
    return ok(this.#row('diff', null, text.slice(0, DIFF_MAX_CHARACTERS)));
  }

  #row(kind: ContextRow['kind'], file: string | null, content: string): ContextRow {
    const id = `${kind}-${this.#now()}`;
    return { id, kind, file_path: file, start_line: null, end_line: null, content, pinned: false };
  }
}

async function listFiles(root: string, env: Env): Promise<Result<readonly string[]>> {
  const files: string[] = [];
  let held = '';
  const listed = await ripgrep(['--files', '--null'], {
    root,
    env,
    skipIgnored: true,
    signal: new AbortController().signal,
    onOutput: (chunk) => {
      const parts = (held + chunk.toString('utf8')).split('\0');
      held = parts.pop() ?? '';
      for (const part of parts) files.push(part.replace(/^\.\//, ''));
      return files.length < LISTED_MAX_FILES;
    },
  });
  return listed.ok ? ok(files.sort()) : listed;
}

function bestFiles(
  files: readonly string[],
  prefix: string,
  isOffered: (file: string) => boolean,
): readonly string[] {
  const wanted = prefix.toLowerCase();
  const ranked: [string[], string[], string[]] = [[], [], []];
  for (const file of files) {
    const lower = file.toLowerCase();
    if (!lower.includes(wanted) || !isOffered(file)) continue;
    if (lower.startsWith(wanted)) ranked[0].push(file);
    else if (path.posix.basename(lower).startsWith(wanted)) ranked[1].push(file);
    else ranked[2].push(file);
  }
  return ranked.flat().slice(0, OFFERED_MAX_FILES);
}

async function readHead(file: string): Promise<Result<string>> {
  try {
    const head = await readHeadOf(file, READ_MAX_BYTES);
    return head.includes(0) ? fail('invalid', `${file} is binary`) : ok(head.toString('utf8'));
  } catch (thrown) {
    if (systemCode(thrown) === null) throw thrown;
    return fail('invalid', `${file} cannot be read: ${errorMessage(thrown)}`);
  }
}
