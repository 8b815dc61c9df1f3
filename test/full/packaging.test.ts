/** The recipes in packaging/, each run by its own tool on the packed tarball. Skipped if the tool is not installed. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeTree } from '../helpers/remove-tree.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const BUILD_TIMEOUT_MS = 300_000;
/** makepkg refuses to run as root. */
const NOBODY = 65_534;

let root = '';
let tarball = '';

const isInstalled = (program: string) => spawnSync('which', [program]).status === 0;

/** Runs a program in a folder until it exits; returns its output. */
function ran(program: string, args: readonly string[], options: { cwd?: string; uid?: number } = {}): string {
  const cwd = options.cwd ?? root;
  const { status, stdout, stderr } = spawnSync(program, args, {
    ...options,
    cwd,
    env: { ...process.env, HOME: path.join(root, 'home'), LANG: 'C.UTF-8' },
    encoding: 'utf8',
  });
  expect(status, `${program} ${args.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

beforeAll(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-packaging-'));
  chmodSync(root, 0o755);
  // npm, run as nobody, keeps its cache there, too.
  mkdirSync(path.join(root, 'home'));
  chmodSync(path.join(root, 'home'), 0o777);
  ran('npm', ['pack', '--pack-destination', root], { cwd: ROOT });
  tarball = path.join(root, readdirSync(root).find((name) => name.endsWith('.tgz')) ?? '');
  cpSync(path.join(ROOT, 'packaging'), path.join(root, 'packaging'), { recursive: true });
  ran('sh', ['packaging/release.sh', tarball]);
}, BUILD_TIMEOUT_MS);

afterAll(() => removeTree(root));

test('a release writes the version and digest of its tarball into every recipe', () => {
  const [digest = ''] = ran('sha256sum', [tarball]).split(' ');
  const version = path.basename(tarball, '.tgz').replace('copane-', '');
  for (const recipe of ['homebrew/copane.rb', 'aur/PKGBUILD', 'flake.nix']) {
    const text = readFileSync(path.join(root, 'packaging', recipe), 'utf8');
    expect(text, recipe).toContain(digest);
    expect(text, recipe).toContain(version);
  }
});

test.skipIf(!isInstalled('makepkg'))(
  'PKGBUILD: makepkg builds a package that runs',
  () => {
    const build = path.join(root, 'aur');
    mkdirSync(build);
    cpSync(path.join(root, 'packaging/aur/PKGBUILD'), path.join(build, 'PKGBUILD'));
    cpSync(tarball, path.join(build, path.basename(tarball)));
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(build, NOBODY, NOBODY);
    ran('makepkg', ['--nodeps'], { cwd: build, ...(isRoot && { uid: NOBODY }) });
    const usr = path.join(build, 'pkg/copane/usr');
    expect(ran(path.join(usr, 'bin/copane'), ['map', path.join(ROOT, 'src/main.ts')])).toContain('main.ts');
    const installed = readdirSync(path.join(usr, 'share'), { recursive: true, encoding: 'utf8' });
    expect(installed).toEqual(
      expect.arrayContaining([
        'man/man1/copane.1',
        'licenses/copane/bundled.txt',
        'zsh/site-functions/_copane',
        'bash-completion/completions/copane',
        'fish/vendor_completions.d/copane.fish',
      ]),
    );
  },
  BUILD_TIMEOUT_MS,
);

test.skipIf(!isInstalled('ruby'))('Homebrew: the formula is valid Ruby', () => {
  expect(ran('ruby', ['-c', 'packaging/homebrew/copane.rb'])).toBe('Syntax OK\n');
});

/** The part of nixpkgs that the flake uses: here a package is just its arguments. */
const STUB_NIXPKGS = `
let
  lib = {
    genAttrs = names: make: builtins.listToAttrs (map (name: { inherit name; value = make name; }) names);
    makeBinPath = builtins.concatStringsSep ":";
    licenses.mit = "mit";
  };
  pkgs = {
    inherit lib;
    fetchurl = source: source;
    makeWrapper = "makeWrapper";
    installShellFiles = "installShellFiles";
    nodejs_24 = "/node"; tmux = "/tmux"; git = "/git"; ripgrep = "/ripgrep";
    stdenv.mkDerivation = package: package;
  };
  flake = import ./packaging/flake.nix;
  legacyPackages = lib.genAttrs [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ] (_: pkgs);
in (flake.outputs { self = flake; nixpkgs = { inherit lib legacyPackages; }; }).packages.x86_64-linux.default
`;

/** The nixpkgs helpers that its install phase calls; they fail where a file is missing. */
const STUB_HELPERS = `
set -eu
makeWrapper() { ln -s "$1" "$2"; }
installManPage() { cp "$1" "$out"; }
installShellCompletion() {
  for word; do case $word in --*) ;; *) cp "$word" "$out" ;; esac; done
}
`;

test.skipIf(!isInstalled('nix-instantiate'))('Nix: the flake evaluates, and installs the program', () => {
  writeFileSync(path.join(root, 'default.nix'), STUB_NIXPKGS);
  const evaluated = ran('nix-instantiate', [
    '--eval',
    '--strict',
    '--json',
    '--store',
    'dummy://',
    'default.nix',
  ]);
  const { installPhase, src, version } = JSON.parse(evaluated) as Record<
    'installPhase' | 'version',
    string
  > & {
    src: { url: string };
  };
  expect(path.basename(tarball)).toBe(`copane-${version}.tgz`);
  expect(src.url).toContain(`/v${version}/copane-${version}.tgz`);
  expect(installPhase).toContain('--set COPANE_NODE /node/bin/node');
  ran('tar', ['xzf', tarball]);
  const out = path.join(root, 'out');
  ran('sh', ['-c', `out=${out}${STUB_HELPERS}${installPhase}`], { cwd: path.join(root, 'package') });
  expect(readdirSync(out)).toEqual(
    expect.arrayContaining(['bin', 'lib', 'copane.1', '_copane', 'copane.bash', 'copane.fish']),
  );
  expect(ran(path.join(out, 'bin/copane'), ['map', path.join(ROOT, 'src/main.ts')])).toContain('main.ts');
});
