/** What is installed with copane: everything that runs, and nothing that only developers need. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SHIPPED_DATA, SHIPPED_PROGRAMS } from '../../../src/platform/shipped-files.ts';
import { PRODUCT } from '../../helpers/product.ts';

const files = readdirSync(PRODUCT, { recursive: true, encoding: 'utf8' });

test('the package has the program, the bundle, the zsh client and the plugins, no source and no source map', () => {
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
    expect(files).toContain(needed);
  }
  expect(statSync(path.join(PRODUCT, 'bin/copane')).mode & 0o111).not.toBe(0);
  expect(files.filter((file) => /\.map$|^src\/|^test\/|\.test\./.test(file))).toEqual([]);
});

test('every module that a bundle loads is in the package', () => {
  const bundles = files.filter((file) => /^dist\/[^/]*\.js$/.test(file));
  const missing = bundles.flatMap((file) => {
    const text = readFileSync(path.join(PRODUCT, file), 'utf8');
    return [...text.matchAll(/(?:from|import\(?)\s*"(\.\/[^"]+\.js)"/g)]
      .map(([, name = '']) => path.join(path.dirname(file), name))
      .filter((name) => !existsSync(path.join(PRODUCT, name)));
  });
  expect(bundles.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});
