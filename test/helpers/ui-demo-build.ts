/** Bundles the demo of the surface once per process: Node runs no JSX by itself. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');

/** The path of the bundle, ready to run. */
export async function buildDemo(): Promise<string> {
  // Inside node_modules, so that the packages left outside the bundle are found from there.
  const folder = path.join(root, 'node_modules/.cache/copane-demo');
  mkdirSync(folder, { recursive: true });
  const outfile = path.join(folder, `demo-${process.pid}.js`);
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['test/helpers/ui-demo.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.13',
    packages: 'external',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  });
  return outfile;
}
