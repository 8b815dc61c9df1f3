/** What an npm package of copane holds: everything that runs, nothing that only developers need. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../src/platform/run.ts';
import { SHIPPED_DATA, SHIPPED_PROGRAMS } from '../../../src/platform/shipped-files.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

test('the package holds the program, the bundle, the zsh client and the plugins, no source and no source map', async () => {
  const packed = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    timeoutMs: 60_000,
  });
  expect(packed.code, packed.stderr.toString()).toBe(0);
  const [listed] = JSON.parse(packed.stdout.toString()) as [{ files: { path: string; mode: number }[] }];
  const files = new Map(listed.files.map((file) => [file.path, file.mode]));
  for (const needed of [
    'bin/copane',
    'dist/copane.js',
    'dist/completion-specs.txt',
    ...Object.keys({ ...SHIPPED_PROGRAMS, ...SHIPPED_DATA }).map((name) => `dist/${name}`),
    'shell/ashlet.plugin.zsh',
    'nvim/plugin/copane.lua',
    'integrations/hooks/copane-hook',
    'evals/agent/tasks/notes-crlf.json',
    'evals/agent/traces/shared.json',
    'README.md',
  ]) {
    expect([...files.keys()]).toContain(needed);
  }
  expect((files.get('bin/copane') ?? 0) & 0o111).not.toBe(0);
  expect([...files.keys()].filter((file) => /\.map$|^src\/|^test\/|\.test\./.test(file))).toEqual([]);
});
