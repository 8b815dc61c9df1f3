/**
 * Prepares a fresh clone for `npm start` and `npm test`: npm packages, the build, and a hint about missing system
 * packages. Runs on Node 20 with nothing installed. A second run only checks.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..');
const goal = process.argv[2] === 'test' ? 'test' : 'start';

const TOOLS = {
  start: { tmux: 'tmux', git: 'git' },
  test: { tmux: 'tmux', git: 'git', zsh: 'zsh', nvim: 'neovim', socat: 'socat', jq: 'jq' },
};

/** Prints one line of progress. */
function step(text) {
  process.stderr.write(`copane setup: ${text}\n`);
}

function die(text) {
  step(text);
  process.exit(1);
}

function call(file, args, options = {}) {
  return spawnSync(file, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options });
}

function onPath(tool) {
  return (process.env.PATH ?? '').split(':').some((dir) => dir !== '' && existsSync(path.join(dir, tool)));
}

/** The command that installs `packages` here, or null if we do not know the system's package manager. */
function installCommand(packages) {
  if (onPath('apt-get')) return ['apt-get', 'install', '-y', ...packages];
  if (onPath('dnf')) return ['dnf', 'install', '-y', ...packages];
  if (onPath('pacman')) return ['pacman', '-S', '--noconfirm', ...packages];
  if (onPath('apk')) return ['apk', 'add', ...packages];
  if (onPath('brew')) return ['brew', 'install', ...packages];
  return null;
}

function ask(question) {
  const lines = readline.createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) =>
    lines.question(question, (answer) => {
      lines.close();
      resolve(/^y(es)?$/i.test(answer.trim()));
    }),
  );
}

async function ensureTools() {
  const missing = Object.entries(TOOLS[goal]).filter(([tool]) => !onPath(tool));
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name);
  const install = installCommand(packages);
  if (install === null)
    die(`please install ${packages.join(', ')} with your package manager, then run this again.`);
  const isRoot = process.getuid?.() === 0;
  const command = isRoot || install[0] === 'brew' ? install : ['sudo', ...install];
  step(`missing: ${packages.join(', ')}. The command that installs them: ${command.join(' ')}`);
  if (!isRoot) {
    const agreed = process.stdin.isTTY && (await ask('Run it now? [y/N] '));
    if (!agreed) die('run that command, then try again.');
  }
  if (install[0] === 'apt-get') {
    // A fresh system has no package lists; mirrors refuse outdated ones.
    const update = [...command.slice(0, command.indexOf('apt-get') + 1), 'update'];
    call(update[0], update.slice(1), { stdio: ['inherit', 'ignore', 'inherit'] });
  }
  const { status } = call(command[0], command.slice(1), { stdio: ['inherit', 'ignore', 'inherit'] });
  if (status !== 0)
    die(`"${command.join(' ')}" failed. Install ${packages.join(', ')} by hand, then run this again.`);
}

function newestChange(dir) {
  let newest = 0;
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestChange(file) : statSync(file).mtimeMs);
  }
  return newest;
}

function ensurePackages() {
  const lock = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const stamp = path.join(root, 'node_modules/.copane-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  step('installing npm packages (about 20 seconds) …');
  const { status } = call(
    'npm',
    ['ci', '--no-fund', '--no-audit', '--loglevel=error', '--fetch-timeout=60000'],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  if (status !== 0) die('"npm ci" failed; its words are above.');
  writeFileSync(stamp, lock);
}

function ensureBuild() {
  const built = path.join(root, 'dist/copane.js');
  const sources = Math.max(
    ...['src', 'scripts'].map((dir) => newestChange(path.join(root, dir))),
    statSync(path.join(root, 'package.json')).mtimeMs,
  );
  if (existsSync(built) && statSync(built).mtimeMs >= sources) return;
  step('building …');
  const { status } = call(path.join(root, 'node_modules/node/bin/node'), ['scripts/build.ts']);
  if (status !== 0) die('the build failed; its words are above.');
}

/** Offers to put `copane` on the PATH, so that the README's commands work. Asks once; a "no" is remembered. */
async function offerLink() {
  const asked = path.join(root, 'node_modules/.copane-link');
  if (goal !== 'start' || onPath('copane') || existsSync(asked) || !process.stdin.isTTY) return;
  const home = os.homedir();
  const folders = (process.env.PATH ?? '')
    .split(':')
    .filter((dir) => dir.startsWith(`${home}/`) && existsSync(dir));
  const usual = path.join(home, '.local/bin');
  const folder = folders.includes(usual) ? usual : (folders.find((dir) => dir.endsWith('/bin')) ?? usual);
  const link = path.join(folder, 'copane');
  const agreed = await ask(`"copane" is not on your PATH. Link it as ${link}? [y/N] `);
  writeFileSync(asked, '');
  if (!agreed) return step(`not linked; this runs it all the same: ${path.join(root, 'bin/copane')}`);
  mkdirSync(folder, { recursive: true });
  symlinkSync(path.join(root, 'bin/copane'), link);
  const isSeen = (process.env.PATH ?? '').split(':').includes(folder);
  step(isSeen ? `linked as ${link}` : `linked as ${link}; add ${folder} to your PATH to use it by name.`);
}

await ensureTools();
ensurePackages();
ensureBuild();
await offerLink();
