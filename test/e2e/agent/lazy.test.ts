/** The libraries that talk to models load with a job's first step, whatever else is bundled. */
import path from 'node:path';
import * as esbuild from 'esbuild';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const DOOR = 'src/agent/providers/models.ts';
const isModelCode = (input: string) => /node_modules\/(ai|@ai-sdk)\//.test(input);

test('only the module that creates providers loads them', async () => {
  const { metafile } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: ['src/main.ts'],
    outdir: 'unwritten',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    external: ['node-pty', '@vscode/ripgrep', 'react-devtools-core'],
    logLevel: 'silent',
  });
  const { outputs } = metafile;
  const reaches = (file: string, seen = new Set<string>()): boolean => {
    const output = outputs[file];
    if (output === undefined || seen.has(file)) return false;
    seen.add(file);
    if (Object.keys(output.inputs).some(isModelCode)) return true;
    return output.imports.some((one) => one.kind === 'import-statement' && reaches(one.path, seen));
  };
  const tainted = new Set(Object.keys(outputs).filter((file) => reaches(file)));
  expect(tainted.size).toBeGreaterThan(2);
  const doors = Object.entries(outputs)
    .filter(([file]) => !tainted.has(file))
    .filter(([, { imports }]) => imports.some((one) => tainted.has(one.path)))
    .map(([, { inputs }]) => Object.keys(inputs).includes(DOOR));
  expect(doors).toEqual([true]);
  const entry = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === 'src/main.ts');
  expect(tainted.has(entry?.[0] ?? '')).toBe(false);
});
