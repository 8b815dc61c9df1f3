/**
 * Runs once before the end-to-end tests and before the benchmarks: packs copane, installs the tarball into an empty
 * prefix with an empty cache, and bundles the tests' programs. Identical packages are installed once. Keeps tests away
 * from the user's tmux.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { atomicWrites } from '../scripts/atomic-writes.ts';
import { run } from '../src/platform/run.ts';
import { checkLines } from './helpers/line-contract.ts';
import { ROOT, TEST_PROGRAMS } from './helpers/programs.ts';

const CACHE = path.join(ROOT, 'node_modules/.cache/copane-test');
/** Where all tests record the lines on every host's socket; a test may use its own folder for its own host. */
const LINES = process.env.COPANE_TEST_LINES ?? '';
const LINE_TAP = path.join(ROOT, 'test/fixtures/programs/line-tap.mjs');
/** npm may have to fetch dependencies. */
const NPM_TIMEOUT_MS = 180_000;
/** Another run may still use an older one. */
const KEPT_MS = 24 * 3600 * 1000;

async function npm(args: readonly string[], cwd: string): Promise<string> {
  const done = await run('npm', args, { cwd, timeoutMs: NPM_TIMEOUT_MS });
  if (done.code !== 0) throw new Error(`npm ${args.join(' ')}: ${done.failure ?? done.stderr}`);
  return done.stdout.toString('utf8');
}

/** Name, size and time of every file that npm may pack: packing itself takes a second. */
function stampOfSources(): string {
  const hash = createHash('sha256');
  const { files } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
  for (const name of [...files.filter((file) => !file.startsWith('!')), 'package.json', 'README.md'])
    for (const file of filesBelow(path.join(ROOT, name))) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`${file} ${size} ${mtimeMs}\n`);
    }
  return hash.digest('hex').slice(0, 16);
}

function filesBelow(place: string): string[] {
  if (!existsSync(place)) return [];
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place)
    .sort()
    .flatMap((name) => filesBelow(path.join(place, name)));
}

/** The prefix in which copane is installed as a user would do it. */
async function install(): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  const stamp = path.join(CACHE, `packed-${stampOfSources()}`);
  if (existsSync(stamp)) {
    const known = readFileSync(stamp, 'utf8');
    if (existsSync(known)) return known;
  }
  const scratch = mkdtempSync(path.join(CACHE, 'new-'));
  try {
    const packing = ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch];
    const [packed] = JSON.parse(await npm(packing, ROOT)) as [{ filename: string }];
    const tarball = path.join(scratch, packed.filename);
    const content = createHash('sha256').update(readFileSync(tarball)).digest('hex').slice(0, 16);
    const prefix = path.join(CACHE, `installed-${content}`);
    if (!existsSync(prefix)) await installInto(prefix, tarball, scratch);
    writeFileSync(stamp, prefix);
    return prefix;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function installInto(prefix: string, tarball: string, scratch: string): Promise<void> {
  const fresh = path.join(scratch, 'prefix');
  mkdirSync(fresh);
  writeFileSync(path.join(fresh, 'package.json'), '{"private":true}');
  // npm waits five minutes before it retries a registry that does not answer.
  const quiet = [
    '--no-audit',
    '--no-fund',
    '--fetch-timeout=20000',
    '--cache',
    path.join(scratch, 'npm-cache'),
  ];
  await npm(['install', ...quiet, tarball], fresh);
  // Another run may have been faster.
  if (!existsSync(prefix)) renameSync(fresh, prefix);
}

/** Bundles the tests' programs. Files that copane starts by name are put beside them, as beside its own bundle. */
async function bundlePrograms(product: string): Promise<string> {
  const folder = path.join(product, '../../programs');
  await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: TEST_PROGRAMS,
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    // As in the product's build: jsonc-parser's other form cannot be bundled.
    mainFields: ['module', 'main'],
    external: ['node-pty', '@vscode/ripgrep'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
    plugins: [atomicWrites],
    logLevel: 'warning',
  });
  for (const name of readdirSync(path.join(product, 'dist'))) {
    const link = path.join(folder, name);
    if (!/-[A-Z0-9]{8}\.js$/.test(name) && !existsSync(link))
      symlinkSync(path.join(product, 'dist', name), link);
  }
  return folder;
}

/** The Node of the project's dependencies. */
export function plainNode(): string {
  return path.join(ROOT, 'node_modules/node/bin/node');
}

/**
 * A Node that keeps compiled code in one shared folder. Each test has its own home, so each start of copane would
 * otherwise compile everything again: half of a start's cost.
 */
function nodeThatKeepsCompiled(prefix: string): string {
  const file = path.join(prefix, 'node-bin/node');
  const words = [
    ...(LINES === '' ? [] : [`export COPANE_TEST_LINES="\${COPANE_TEST_LINES-${LINES}}";`]),
    `NODE_COMPILE_CACHE='${path.join(prefix, 'compiled')}'`,
    `exec '${plainNode()}' \${COPANE_TEST_LINES:+--import='${LINE_TAP}'}`,
  ];
  mkdirSync(path.dirname(file), { recursive: true });
  // Whole or not at all: another run may start it now.
  writeFileSync(`${file}-${process.pid}`, `#!/bin/sh\n${words.join(' ')} "$@"\n`, { mode: 0o755 });
  renameSync(`${file}-${process.pid}`, file);
  return file;
}

function forgetOldOnes(): void {
  for (const name of readdirSync(CACHE)) {
    const file = path.join(CACHE, name);
    if (/^(installed|packed|new)-/.test(name) && Date.now() - statSync(file).mtimeMs > KEPT_MS)
      rmSync(file, { recursive: true, force: true });
  }
}

/** `nodeIn` holds the Node that runs the product; both are found on the PATH. */
export async function setUp(nodeIn: (prefix: string) => string): Promise<() => void> {
  const prefix = await install();
  const product = path.join(prefix, 'node_modules/copane');
  process.env.COPANE_TEST_PRODUCT = product;
  process.env.COPANE_TEST_PROGRAMS = await bundlePrograms(product);
  forgetOldOnes();
  const node = nodeIn(prefix);
  process.env.COPANE_TEST_NODE = node;
  // The installed program uses the Node on the PATH.
  process.env.PATH = `${path.dirname(node)}:${process.env.PATH ?? ''}`;
  // Machine-wide git filters and helpers (Git LFS) must not affect tests.
  process.env.GIT_CONFIG_NOSYSTEM = '1';
  const sockets = mkdtempSync(path.join(os.tmpdir(), 'copane-tmux-'));
  process.env.TMUX_TMPDIR = sockets;
  return () => {
    rmSync(sockets, { recursive: true, force: true });
    if (LINES !== '')
      console.log(`  on the hosts' sockets: ${JSON.stringify(Object.fromEntries(checkLines(LINES)))}`);
  };
}

export default () => setUp(nodeThatKeepsCompiled);
