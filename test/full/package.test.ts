/** The package as a user gets it: packed, installed into an empty prefix, and run by old and new Nodes. */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeTree } from '../helpers/remove-tree.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PACKED_MAX_BYTES = 5 * 1000 * 1000;
/** Including all dependencies that npm installs. */
const INSTALLED_MAX_BYTES = 25 * 1000 * 1000;
const INSTALL_TIMEOUT_MS = 300_000;

let root = '';
let tarball = '';
let prefix = '';

beforeAll(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-package-'));
  npm(['pack', '--pack-destination', root], ROOT);
  tarball = path.join(root, readdirSync(root).find((name) => name.endsWith('.tgz')) ?? '');
  prefix = path.join(root, 'prefix');
  npm(['install', '--global', '--prefix', prefix, tarball], root);
}, INSTALL_TIMEOUT_MS);

afterAll(() => removeTree(root));

function npm(args: readonly string[], cwd: string): void {
  const ended = spawnSync('npm', [...args, '--no-audit', '--no-fund'], { cwd, encoding: 'utf8' });
  expect(ended.status, ended.stderr).toBe(0);
}

/** A folder with that major version of Node as `node`, from Node's npm package. */
function nodeOf(major: number): string {
  const folder = path.join(root, `node-${major}`);
  npm(['install', '--prefix', folder, `node@${major}`], root);
  return path.join(folder, 'node_modules/node/bin');
}

/** The installed copane, with only that Node on the PATH besides the system. */
function copane(nodeFolder: string, ...args: readonly string[]) {
  const home = path.join(root, 'home');
  mkdirSync(home, { recursive: true });
  const env = { PATH: `${nodeFolder}:/usr/bin:/bin`, HOME: home, LANG: 'C.UTF-8', TERM: 'dumb' };
  const { status, stdout, stderr } = spawnSync(path.join(prefix, 'bin/copane'), args, {
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('is small, and includes the man page and the licences of what is bundled', () => {
  expect(statSync(tarball).size).toBeLessThan(PACKED_MAX_BYTES);
  const sizes = readdirSync(prefix, { recursive: true, encoding: 'utf8' }).map(
    (name) => lstatSync(path.join(prefix, name)).size,
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(INSTALLED_MAX_BYTES);
  const installed = path.join(prefix, 'lib/node_modules/copane');
  const licences = readFileSync(path.join(installed, 'dist/licences.txt'), 'utf8');
  for (const name of ['ink', 'react', 'zod', '@withfig/autocomplete', 'web-tree-sitter'])
    expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
  expect(existsSync(path.join(prefix, 'share/man/man1/copane.1'))).toBe(true);
});

test.each([22, 24])(
  'runs with Node %i',
  (major) => {
    const node = nodeOf(major);
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    for (const flag of ['--version', '-v'])
      expect(copane(node, flag)).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    expect(copane(node, 'map', path.join(ROOT, 'src/main.ts'))).toMatchObject({ status: 0, stderr: '' });
    expect(copane(node, 'completion', 'zsh').stdout).toMatch(/^#compdef copane/);
  },
  INSTALL_TIMEOUT_MS,
);

test(
  'with an old Node says in one line what to do, and that works',
  () => {
    const node = nodeOf(20);
    const refused = copane(node, 'status');
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^copane: Needs Node 22\.13 or newer, this is 20\.[^\n]*npm install --prefix[^\n]*\n$/,
    );
    const [, folder = ''] = /--prefix "(.*?)"/.exec(refused.stderr) ?? [];
    npm(['install', '--prefix', folder, 'node@24'], root);
    expect(copane(node, '--version')).toMatchObject({ status: 0, stderr: '' });
  },
  INSTALL_TIMEOUT_MS,
);
