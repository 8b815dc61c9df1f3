/** `copane map` as people and scripts call it, and the thread that makes maps for the host. */
import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openFileMaps } from '../../../src/app/file-maps.ts';
import { type RunOutcome, run } from '../../../src/platform/run.ts';
import { fileMapSchema } from '../../../src/protocol/file-map.ts';
import { COPANE } from '../../helpers/companion-pane.ts';
import { removeTree } from '../../helpers/remove-tree.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-map-'));
});
afterEach(() => removeTree(root));

const SOURCE = 'export class Parser {\n  parse(text: string): void {}\n}\n';

function env(): Record<string, string | undefined> {
  return {
    ...process.env,
    HOME: root,
    XDG_CACHE_HOME: path.join(root, 'cache'),
    XDG_STATE_HOME: path.join(root, 'state'),
  };
}

function write(name: string, content: string | Uint8Array): string {
  const file = path.join(root, name);
  writeFileSync(file, content);
  return file;
}

function map(...args: readonly string[]): Promise<RunOutcome> {
  return run(COPANE, ['map', ...args], { cwd: root, env: env(), timeoutMs: 20_000 });
}

test('prints the outline, or everything for programs', async () => {
  write('a.ts', SOURCE);
  const text = (await map('a.ts')).stdout.toString();
  expect(text).toContain('File Map: a.ts');
  expect(text).toContain('export class Parser: [1-3]\n  parse(text: string): void: [2]');
  const {
    text: again,
    level,
    details,
    changes,
    ...fileMap
  } = JSON.parse((await map('a.ts', '--json')).stdout.toString());
  expect(again).toBe(text);
  expect(fileMapSchema.parse(fileMap).symbols[0]?.children?.[0]?.name).toBe('parse');
  expect({ level, changes, symbols: details.symbolCount }).toEqual({
    level: 'full',
    changes: null,
    symbols: 2,
  });
  expect((await map('a.ts', '--level', 'outline')).stdout.toString()).not.toContain('parse');
  expect((await map('a.ts', '--max-bytes', '300')).stdout.length).toBeLessThanOrEqual(300);
});

test('says what changed since the last map; the cache is private to its owner and may be corrupt', async () => {
  const file = write('a.ts', SOURCE);
  expect((await map('a.ts', '--changes')).stderr).toContain('first map');
  writeFileSync(file, `function before() {}\n${SOURCE}`);
  expect((await map('a.ts', '--changes')).stdout.toString()).toBe(
    '+ before [1]\n~ Parser and the 1 after it [1 → 2]\n',
  );
  const cache = path.join(root, 'cache/copane/file-maps');
  const [entry = ''] = readdirSync(cache);
  expect(statSync(path.join(cache, entry)).mode & 0o777).toBe(0o600);
  writeFileSync(path.join(cache, entry), '{"format":1,');
  expect((await map('a.ts')).stdout.toString()).toContain('before');
});

test.each([
  ['no such file', ['none.ts'], 4, 'There is no file'],
  ['a folder', ['.'], 2, 'is not a file'],
  ['a binary', ['b.bin'], 2, 'is binary'],
  ['an unknown level', ['a.ts', '--level', 'cut'], 2, 'level'],
  ['no file', [], 2, 'file'],
])('refuses %s', async (_, args, code, message) => {
  write('b.bin', new Uint8Array([1, 0, 2]));
  write('a.ts', SOURCE);
  const outcome = await map(...args);
  expect(outcome.code).toBe(code);
  expect(outcome.stderr).toContain(message);
});

describe('in a process of its own', () => {
  test('maps several files at once, and again after it was closed', async () => {
    const { maps, close } = openFileMaps(env());
    const files = ['a.ts', 'b.py', 'c.md'].map((name) =>
      write(name, name === 'b.py' ? 'def f(): pass\n' : SOURCE),
    );
    const found = await Promise.all([...files, ...files].map((file) => maps.get(file)));
    expect(found.map((result) => result.ok && result.value.map.symbols.length)).toEqual([1, 1, 0, 1, 1, 0]);
    await close();
    const missing = await maps.get(path.join(root, 'none.ts'));
    expect(missing.ok ? '' : missing.error.code).toBe('not_found');
    await close();
  });
});
