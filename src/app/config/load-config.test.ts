import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { outdatedDocuments } from '../../../scripts/generate-docs.ts';
import { temporaryHome } from '../../../test/helpers/host-fakes.ts';
import { CONFIG_MAX_BYTES, loadConfig } from './load-config.ts';
import { formatProblem } from './parse-config.ts';

let home: ReturnType<typeof temporaryHome>;
let file: string;
beforeEach(() => {
  home = temporaryHome();
  file = home.paths.configFile;
  mkdirSync(path.dirname(file), { recursive: true });
});
afterEach(() => home.remove());

it('reads the file, and works without one', () => {
  expect(loadConfig(file, {}).problems).toEqual([]);
  writeFileSync(file, '{"theme":"dark"}');
  expect(loadConfig(file, {}).config.theme).toBe('dark');
});

it('reports a path that is not a file, and uses the defaults', () => {
  mkdirSync(file);
  const { config, problems } = loadConfig(file, { COPANE_THEME: 'dark' });
  expect(config.theme).toBe('dark');
  expect(problems.map(formatProblem)).toEqual([
    `${file}: cannot be read: ${file} is a folder (the defaults apply)`,
  ]);
});

it('reads a file at the limit and refuses one byte more', () => {
  writeFileSync(file, `{"theme":"dark"}${' '.repeat(CONFIG_MAX_BYTES - 16)}`);
  expect(loadConfig(file, {}).config.theme).toBe('dark');
  truncateSync(file, CONFIG_MAX_BYTES + 1);
  expect(loadConfig(file, {}).problems).toHaveLength(1);
});

it('has up-to-date generated documents', () => {
  expect(outdatedDocuments()).toEqual([]);
});
