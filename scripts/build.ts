/** Bundles the product into `dist/`: one entry, split per command, so that a small command loads few, small files. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import * as esbuild from 'esbuild';
import { packagedGrammarFile, withNewDylink } from '../src/filemap/grammars.ts';
import { grammarNames } from '../src/filemap/languages.ts';
import { SHIPPED_DATA, SHIPPED_PROGRAMS } from '../src/platform/shipped-files.ts';
import { configSchema } from '../src/protocol/config.ts';
import { atomicWrites, replaceFile } from './atomic-writes.ts';
import { builtinModules } from './builtin-modules.ts';
import { bundlePatches } from './bundle-patches.ts';
import { bundleWhole, outputsOf } from './bundle-whole.ts';
import { extractSpecs } from './extract-specs.ts';
import { licencesOf } from './licences.ts';

const root = path.resolve(import.meta.dirname, '..');
const outdir = path.join(root, 'dist');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

/**
 * Bundled CommonJS packages call `require` for Node's own modules and for optional ones; an ES module has no `require`.
 * Making one with `createRequire` costs each file a third of a millisecond.
 */
const REQUIRE_BANNER =
  'const require=(id)=>{const found=process.getBuiltinModule(id);if(found===undefined)throw new Error("no module "+id);return found};';

/** Ink imports its developer tools statically behind a condition that is never true here. */
const withoutDevtools: esbuild.Plugin = {
  name: 'without-devtools',
  setup(build) {
    build.onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: 'devtools', namespace: 'empty' }));
    build.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {}' }));
  },
};

const ENTRY_POINTS = {
  main: 'src/main.ts',
  ...Object.fromEntries(
    Object.entries(SHIPPED_PROGRAMS).map(([name, source]) => [path.basename(name, '.js'), source]),
  ),
};

const options = {
  absWorkingDir: root,
  outdir,
  bundle: true,
  format: 'esm',
  platform: 'node',
  // For jsonc-parser: its CommonJS form loads its files with a `require` that no bundler sees.
  mainFields: ['module', 'main'],
  target: 'node22.13',
  minify: true,
  keepNames: false,
  sourcemap: 'linked',
  // A library that prints would overwrite the screen.
  drop: ['console'],
  external: ['node-pty', '@vscode/ripgrep'],
  define: {
    'process.env.NODE_ENV': '"production"',
    COPANE_VERSION: JSON.stringify(version),
    COPANE_CONFIG_DEFAULTS: JSON.stringify(configSchema.parse({})),
  },
  banner: { js: REQUIRE_BANNER },
  plugins: [withoutDevtools, builtinModules, bundlePatches, atomicWrites],
  logLevel: 'warning',
} as const satisfies esbuild.BuildOptions;

const { metafile } = await esbuild.build({
  ...options,
  entryPoints: ENTRY_POINTS,
  metafile: true,
  splitting: true,
});
const whole = await bundleWhole(esbuild.build, options, outputsOf(metafile));

/**
 * A running companion loads its later chunks from the build that it started with: old chunks are kept this long. A
 * package build has no running companions, and holds one build only.
 */
const KEPT_MS = process.argv.includes('--fresh') ? 0 : 7 * 24 * 3600 * 1000;

const made = new Set(
  [metafile, ...whole].flatMap(({ outputs }) => Object.keys(outputs).map((file) => path.basename(file))),
);
for (const name of readdirSync(outdir)) {
  const file = path.join(outdir, name);
  const isOfAnEarlierBuild = /\.js(\.map)?$/.test(name) && !made.has(name);
  if (isOfAnEarlierBuild && Date.now() - statSync(file).mtimeMs >= KEPT_MS) rmSync(file);
}

const DATA_PACKAGES = [
  '@withfig/autocomplete',
  '@vscode/tree-sitter-wasm',
  'tree-sitter-wasms',
  'web-tree-sitter',
];
const inputs = [metafile, ...whole].flatMap((part) => Object.keys(part.inputs));
const data = DATA_PACKAGES.map((name) => `node_modules/${name}/`);
/** Third-party data in the repository; the file beside it names its author and licence. */
const dataLicences = ['src/completion/prior/README.md', 'src/lib/secrets/README.md']
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .join('\n');
replaceFile(
  path.join(outdir, 'licences.txt'),
  `${licencesOf(root, [...inputs, ...data])}\n${'-'.repeat(78)}\n\n${dataLicences}`,
);
replaceFile(path.join(outdir, 'completion-specs.txt'), await extractSpecs());
const copy = (source: string, name: string) => replaceFile(path.join(outdir, name), readFileSync(source));
for (const [name, source] of Object.entries(SHIPPED_DATA)) copy(path.join(root, source), name);
if (KEPT_MS === 0) rmSync(path.join(outdir, 'grammars'), { recursive: true, force: true });
/** The strongest level takes a minute and saves a tenth. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 } };
for (const name of ['runtime', ...grammarNames()])
  replaceFile(
    path.join(outdir, 'grammars', `${name}.wasm.br`),
    brotliCompressSync(withNewDylink(readFileSync(packagedGrammarFile(name))), BROTLI),
  );

// The entry stays plain and small: an old Node must get far enough to report the problem.
replaceFile(
  path.join(outdir, 'copane.js'),
  `const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  const { HOME = '', XDG_DATA_HOME } = process.env;
  const own = (XDG_DATA_HOME || HOME + '/.local/share') + '/copane/node';
  console.error('copane: Needs Node 22.13 or newer, this is ' + process.versions.node + '. A newer one for copane alone: npm install --prefix "' + own + '" node@24');
  process.exit(1);
}
// By \`import\` these would load their lazy parts, a millisecond or two.
const { existsSync, mkdirSync } = process.getBuiltinModule('node:fs');
const { enableCompileCache } = process.getBuiltinModule('node:module');
// Compiled code lies in a folder of the user's own: where Node would put it, for all users, another one could put it first.
const { HOME = '', XDG_CACHE_HOME = '' } = process.env;
const caches = XDG_CACHE_HOME.startsWith('/') ? XDG_CACHE_HOME : HOME.startsWith('/') ? HOME + '/.cache' : null;
if (caches !== null) {
  const folders = [caches, caches + '/copane', caches + '/copane/compiled'];
  try {
    for (const folder of folders) if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    enableCompileCache(folders[2]);
  } catch {
    // It starts without.
  }
}
// Node 22 announces on the user's terminal that SQLite is experimental; what we use of it has not changed since.
const { emitWarning } = process;
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).startsWith('SQLite is an experimental')) Reflect.apply(emitWarning, process, [warning, ...rest]);
};
await import('./main.js');
`,
);
