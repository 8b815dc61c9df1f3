/** Real git repositories and plain trees for tests; contents are strings with one character per byte. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { removeTree } from './remove-tree.ts';

/** A file: its content, `null` for none, a link, or executable content. */
export type TreeEntry = string | null | { readonly link: string } | { readonly run: string };
export type Tree = Readonly<Record<string, TreeEntry>>;

/** A new folder under the temporary folder; the caller removes it. */
export function makeFolder(): string {
  return mkdtempSync(path.join(os.tmpdir(), 'copane-review-'));
}

/** Runs git without the user's configuration; returns its output, one character per byte. */
export function git(cwd: string, ...args: string[]): string {
  const fixed = [
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@example.com',
    '-c',
    'commit.gpgSign=false',
    '-c',
    'init.defaultBranch=main',
  ];
  return execFileSync('git', [...fixed, ...args], {
    cwd,
    encoding: 'latin1',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });
}

/** Names, too, have one character per byte. */
const nameOf = (root: string, file: string) =>
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from(file, 'latin1')]);

export function putTree(root: string, tree: Tree): void {
  for (const [file, entry] of Object.entries(tree)) {
    const name = nameOf(root, file);
    removeTree(name);
    if (entry === null) continue;
    const slash = file.lastIndexOf('/');
    if (slash > 0) mkdirSync(nameOf(root, file.slice(0, slash)), { recursive: true });
    if (typeof entry === 'object' && 'link' in entry) symlinkSync(Buffer.from(entry.link, 'latin1'), name);
    else {
      const content = typeof entry === 'string' ? entry : entry.run;
      writeFileSync(name, Buffer.from(content, 'latin1'));
      chmodSync(name, typeof entry === 'string' ? 0o644 : 0o755);
    }
  }
}

/** Everything under `root` except `.git`: type, execute permission, bytes. */
export function readTree(root: string, folder = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const entry of readdirSync(nameOf(root, folder), { encoding: 'buffer', withFileTypes: true })) {
    const name = entry.name.toString('latin1');
    const file = folder === '' ? name : `${folder}/${name}`;
    if (file === '.git') continue;
    const absolute = nameOf(root, file);
    if (entry.isDirectory()) Object.assign(tree, readTree(root, file));
    else if (entry.isSymbolicLink())
      tree[file] = `-> ${readlinkSync(absolute, { encoding: 'buffer' }).toString('latin1')}`;
    else
      tree[file] =
        `${(lstatSync(absolute).mode & 0o100) === 0 ? '' : 'x:'}${readFileSync(absolute).toString('latin1')}`;
  }
  return tree;
}

/** The bytes of a file; null when it does not exist. */
export function readText(root: string, file: string): string | null {
  const name = nameOf(root, file);
  return existsSync(name) ? readFileSync(name).toString('latin1') : null;
}

/** A repository whose first commit is `tree`. */
export function makeRepository(tree: Tree): string {
  const root = makeFolder();
  git(root, 'init', '-q');
  git(root, 'config', 'core.autocrlf', 'false');
  putTree(root, tree);
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '--allow-empty', '-m', 'base');
  return root;
}

/** The patch from the repository's HEAD to `want`; the working tree is left at HEAD. */
export function patchTo(root: string, want: Tree, ...flags: string[]): string {
  putTree(root, want);
  git(root, 'add', '-A');
  const patch = git(root, 'diff', '--cached', '--binary', ...flags);
  git(root, 'reset', '-q', '--hard');
  git(root, 'clean', '-qfdx');
  return patch;
}
