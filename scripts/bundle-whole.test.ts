import path from 'node:path';
import * as esbuild from 'esbuild';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Packages that would slow a start more than everything in these files. */
const HEAVY = /(?:^|\/)node_modules\/(zod|ink|react|react-reconciler|yoga-layout|pino|jsonc-parser)\//;

const laterIsExternal: esbuild.Plugin = {
  name: 'later-is-external',
  setup: (build) =>
    build.onResolve({ filter: /./ }, ({ path: name, kind }) =>
      kind === 'dynamic-import' ? { path: name, external: true } : undefined,
    ),
};

it.each([
  'src/main.ts',
  'src/cli/quick-tui.ts',
  'src/app/tui/tui.ts',
  'src/app/host-access.ts',
  'src/cli/status.ts',
  'src/cli/pull.ts',
])('%s loads nothing heavy at start', async (entry) => {
  const { metafile } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    external: ['node-pty', '@vscode/ripgrep'],
    outdir: 'dist',
    plugins: [laterIsExternal],
  });
  const heavy = Object.keys(metafile.inputs).flatMap((file) => HEAVY.exec(file)?.[1] ?? []);
  expect([...new Set(heavy)]).toEqual([]);
});
