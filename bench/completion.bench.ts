/** The first use of a command's grammar in a fresh process: our one text file beside the module of the original catalogue. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import type { BenchSuite } from './harness.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const SPECS = path.join(ROOT, 'dist/completion-specs.txt');
const COMMANDS = ['git', 'docker', 'npm'] as const;

/** Milliseconds that `code` reports. Each run has its own process: what is already loaded is fast. */
function inFreshProcess(code: string): number {
  const script = `const started = performance.now(); ${code}; console.log(performance.now() - started);`;
  return Number(
    execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
      cwd: ROOT,
      encoding: 'utf8',
    }),
  );
}

const ours = (command: string, module: string) => async () =>
  inFreshProcess(
    `const { readFileSync } = await import('node:fs');
     const { GrammarCatalogue } = await import(${JSON.stringify(module)});
     const place = new GrammarCatalogue(readFileSync(${JSON.stringify(SPECS)}, 'utf8')).placeAfter(['${command}']);
     if (place === null) throw new Error('no grammar')`,
  );
const theirs = (command: string) => async () =>
  inFreshProcess(`const { default: spec } = await import('./node_modules/@withfig/autocomplete/build/${command}.js');
     if (spec === undefined) throw new Error('no grammar')`);

/** As shipped: Node would have to strip types first. */
function plainModule(folder: string): string {
  const file = path.join(folder, 'grammar.mjs');
  const entry = path.join(ROOT, 'src/completion/core/grammar.ts');
  buildSync({ entryPoints: [entry], outfile: file, bundle: true, format: 'esm', platform: 'node' });
  return file;
}

export const suite: BenchSuite = {
  name: 'completion',
  prepare: () => {
    if (!existsSync(SPECS)) return Promise.resolve({ skip: 'the grammar is made by a build: npm run build' });
    const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-grammar-'));
    const module = plainModule(folder);
    return Promise.resolve({
      rows: COMMANDS.map((command) => ({
        name: `grammar of ${command}, first use (all 716 commands at hand)`,
        peer: 'import of its module alone',
        target: 1,
        rounds: 7,
        ours: ours(command, module),
        theirs: theirs(command),
      })),
      cleanup: async () => rmSync(folder, { recursive: true, force: true }),
    });
  },
};
