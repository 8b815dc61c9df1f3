import path from 'node:path';
import { expect, it } from 'vitest';
import { licencesOf, packageFolder } from './licences.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

it.each([
  ['node_modules/react/index.js', 'node_modules/react'],
  ['node_modules/@ai-sdk/google/dist/index.mjs', 'node_modules/@ai-sdk/google'],
  ['node_modules/ink/node_modules/chalk/source/index.js', 'node_modules/ink/node_modules/chalk'],
  ['src/main.ts', null],
])('%s belongs to %s', (file, folder) => {
  expect(packageFolder(file)).toBe(folder);
});

it('names each package once, with the text of its licence', () => {
  const text = licencesOf(ROOT, [
    'node_modules/react/index.js',
    'node_modules/react/cjs/a.js',
    'src/main.ts',
  ]);
  expect(text.match(/^react \d/gm)).toHaveLength(1);
  expect(text).toMatch(/Permission is hereby granted/);
});
