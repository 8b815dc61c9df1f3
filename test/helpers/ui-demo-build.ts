/** Bundles the surface's demo: Node does not run JSX. The same sources give the same file. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');

/** The path of the bundle, ready to run. */
export async function buildDemo(): Promise<string> {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['test/helpers/ui-demo.ts'],
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.13',
    packages: 'external',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  });
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error('the demo was not bundled');
  // In node_modules, so that packages outside the bundle are found from there.
  const folder = path.join(root, 'node_modules/.cache/copane-demo');
  const file = path.join(
    folder,
    `${createHash('sha256').update(bundle.contents).digest('hex').slice(0, 16)}.js`,
  );
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  // Another worker may build it at the same time: whole or not at all.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, bundle.contents);
  renameSync(draft, file);
  return file;
}
