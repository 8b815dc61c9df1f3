import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { findKey, redactKeys } from './keys.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-keys-'));
afterAll(() => removeTree(folder));
const file = path.join(folder, 'keys.json');

function writeKeys(text: string, mode = 0o600): void {
  writeFileSync(file, text);
  chmodSync(file, mode);
}

test('the environment wins, then the file', () => {
  writeKeys('{"A": "from the file", "EMPTY": "", "NUMBER": 3}');
  expect(findKey('A', { A: 'from env' }, file)).toEqual({ ok: true, value: 'from env' });
  expect(findKey('A', { A: '' }, file)).toEqual({ ok: true, value: 'from the file' });
  for (const name of ['EMPTY', 'NUMBER', 'MISSING', 'toString']) {
    expect(findKey(name, {}, file)).toEqual({ ok: true, value: null });
  }
  expect(findKey('A', {}, path.join(folder, 'none.json'))).toEqual({ ok: true, value: null });
});

test.each([0o644, 0o640, 0o604])('a file that others may read (%o) is not used', (mode) => {
  writeKeys('{"A": "secret-key"}', mode);
  const found = findKey('A', {}, file);
  expect(found).toMatchObject({ ok: false, error: { code: 'refused' } });
  expect(JSON.stringify(found)).not.toContain('secret-key');
});

test('names a broken file without its content', () => {
  writeKeys('{"A": "secret-key"');
  const found = findKey('A', {}, file);
  expect(found).toMatchObject({ ok: false, error: { code: 'invalid' } });
  expect(JSON.stringify(found)).not.toContain('secret-key');
});

test('reports a file that cannot be read', () => {
  const where = path.join(folder, 'as-a-folder');
  mkdirSync(where, { mode: 0o700 });
  expect(findKey('A', {}, where)).toMatchObject({ ok: false, error: { code: 'refused' } });
});

test.each([
  ['Incorrect API key provided: my-own-key-1234.', 'Incorrect API key provided: [key].'],
  ['sk-proj-abcdefghijklmnop1234 is wrong', '[key] is wrong'],
  ['sk-ant-api03-abcdefghijklmnop', '[key]'],
  ['AIzaSyA1234567890abcdefgh', '[key]'],
  ['authorization: Bearer abc.def.ghi', 'authorization: Bearer [key]'],
  ['my-own-key-1234my-own-key-1234', '[key][key]'],
  ['skating is fun, and pk is a column', 'skating is fun, and pk is a column'],
])('%s', (text, clean) => {
  expect(redactKeys(text, ['my-own-key-1234', ''])).toBe(clean);
});
