import { chmodSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { ok } from '../../lib/result.ts';
import { createSystemPort, editorCommand } from './system-port.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'copane-system-'));
});
afterEach(() => removeTree(folder));

function program(name: string, script: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const host = { pause: async () => undefined, resume: () => undefined };
const env = () => ({ PATH: `${folder}:/usr/bin:/bin` });

describe('the editor', () => {
  test.each([
    ['vim', 'vim', ['vim', '+7', '/f']],
    ['with arguments', 'nvim -c "set ft=markdown"', ['nvim', '-c', 'set ft=markdown', '+7', '/f']],
    ['one without +LINE', 'code --wait', ['code', '--wait', '/f']],
  ])('%s', (_name, editor, words) => {
    for (const name of ['vim', 'nvim', 'code']) program(name, 'true');
    expect(editorCommand({ env: env(), editor }, '/f', 7)).toEqual({ ok: true, value: words });
  });

  test('$VISUAL beats $EDITOR, the config beats both', () => {
    for (const name of ['vim', 'nano', 'micro']) program(name, 'true');
    const both = { ...env(), VISUAL: 'nano', EDITOR: 'vim' };
    expect(editorCommand({ env: both, editor: null }, '/f', 1)).toMatchObject({
      value: ['nano', '+1', '/f'],
    });
    expect(editorCommand({ env: both, editor: 'micro' }, '/f', 1)).toMatchObject({
      value: ['micro', '+1', '/f'],
    });
  });

  test('a missing editor is named', () => {
    const failed = editorCommand({ env: env(), editor: 'no-such-editor' }, '/f', 1);
    expect(failed).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('no-such-editor') },
    });
  });

  test('returns the saved text; a failing editor changes nothing', async () => {
    const tmux = { run: async () => ok('') };
    const good = createSystemPort({
      env: env(),
      tmux,
      editor: program('good', 'echo more >> "$1"'),
      host,
      project: () => folder,
    });
    expect(await good.edit('text\n', 1)).toEqual(ok('text\nmore\n'));
    const bad = createSystemPort({
      env: env(),
      tmux,
      editor: program('bad', 'echo lost > "$1"; exit 3'),
      host,
      project: () => folder,
    });
    expect(await bad.edit('text\n', 1)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('exit code 3') },
    });
  });
});

test('copies through stdin, so that no length or character is lost', async () => {
  const seen: unknown[] = [];
  const tmux = {
    run: async (commands: unknown, options?: unknown) => {
      seen.push(commands, options);
      return ok('');
    },
  };
  const port = createSystemPort({ env: env(), tmux, editor: null, host, project: () => folder });
  expect(await port.copy(';x\n')).toMatchObject({ ok: true });
  expect(seen).toEqual([[['load-buffer', '-w', '-']], { input: ';x\n' }]);
});

describe('saving', () => {
  const port = () =>
    createSystemPort({
      env: env(),
      tmux: { run: async () => ok('') },
      editor: null,
      host,
      project: () => folder,
    });

  test('writes a new file, with its folders and a final line end', async () => {
    expect(await port().save('src/deep/x.ts', 'let x = 1;')).toEqual(ok('src/deep/x.ts'));
    expect(readFileSync(path.join(folder, 'src/deep/x.ts'), 'utf8')).toBe('let x = 1;\n');
  });

  test('never overwrites a file or writes outside the project', async () => {
    writeFileSync(path.join(folder, 'mine'), 'mine');
    expect(await port().save('mine', 'theirs')).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(readFileSync(path.join(folder, 'mine'), 'utf8')).toBe('mine');
    symlinkSync('/tmp', path.join(folder, 'out'));
    for (const name of ['../x', '/tmp/x', '.', 'out/x', 'out', '.git/hooks/x', '.GIT/x', 'mine/x']) {
      expect(await port().save(name, 'x')).toMatchObject({ ok: false, error: { code: 'refused' } });
    }
  });
});
