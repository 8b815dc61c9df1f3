/**
 * The public clients of the original suggestion protocol, unchanged, against our port: the test programs and the Neovim
 * plugin of chosunone-agent/codeforge at commit 236fe6f. They are a checkout outside the repository, in the folder
 * `codeforge` beside the other clients (`~/.cache/copane/clients`); skipped without it.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientsRoot } from '../helpers/client-catalog.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { BASE, TestServer } from '../helpers/suggestion-server.ts';
import { until } from '../helpers/until.ts';

const CHECKOUT = path.join(clientsRoot(), 'codeforge');
const isThere = existsSync(path.join(CHECKOUT, 'test-harness'));
const NODE_MODULES = path.resolve(import.meta.dirname, '../../node_modules');

let server: TestServer;
let scratch = '';
beforeEach(async () => {
  server = await TestServer.start({ auth: 'none' });
  scratch = mkdtempSync(path.join(os.tmpdir(), 'copane-original-'));
});
afterEach(async () => {
  await server.stop();
  removeTree(scratch);
});

/** Output and exit code; the server keeps answering in this process. */
function run(
  file: string,
  args: readonly string[],
  cwd: string,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, HOME: server.home.home, SUGGESTION_MANAGER_PORT: String(server.port) };
    const child = spawn(file, args, { cwd, env, timeout: 20_000 });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      output += String(chunk);
    });
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** Puts `ws` where the program finds it, and our port where it is hard-coded. */
function program(name: string): string {
  const source = readFileSync(path.join(CHECKOUT, 'test-harness', name), 'utf8');
  const file = path.join(scratch, name);
  writeFileSync(file, source.replace('127.0.0.1:4097', `127.0.0.1:${server.port}`));
  if (!existsSync(path.join(scratch, 'node_modules')))
    symlinkSync(NODE_MODULES, path.join(scratch, 'node_modules'));
  return file;
}

describe.skipIf(!isThere)('original clients (a checkout of codeforge beside the other clients)', () => {
  it.each([
    ['ws-test-node.mjs', ['Got 1 suggestions', 'Got suggestion with 2 hunks', 'Tests Complete']],
    ['ws-test-get.mjs', ['Hunks: 2', 'Reviewed: 0 / 2', 'First original line: "line 3"']],
    ['live-test.ts', ['0/2 hunks reviewed', '(\u001b[33mpending\u001b[0m)', '# Accept:']],
  ])('%s', async (name, words) => {
    await server.publish();
    const { code, output } = await run(process.execPath, ['--no-warnings', program(name)], scratch);
    for (const word of words) expect(output).toContain(word);
    expect(code, output).toBe(0);
  });

  it('the Neovim plugin accepts one hunk and rejects the other', async () => {
    const { id } = await server.publish();
    const script = path.join(scratch, 'drive.lua');
    writeFileSync(
      script,
      `vim.opt.runtimepath:prepend('${path.join(CHECKOUT, 'nvim')}')
local plugin = require('codeforge')
plugin.setup({ server = { host = '127.0.0.1', port = ${server.port} } })
local function pending() return #plugin.store.get_suggestions() > 0 and #plugin.store.get_suggestions()[1].hunks or 0 end
assert(vim.wait(5000, function() return pending() == 2 end, 20), 'no suggestion came')
assert(plugin.actions.accept_current('fine'))
assert(vim.wait(5000, function() return pending() == 1 end, 20), 'the first hunk stayed')
assert(plugin.actions.reject_current())
vim.wait(5000, function() return pending() == 0 end, 20)
vim.wait(300)
vim.cmd('qa!')
`,
    );
    const { output } = await run(
      'nvim',
      ['--headless', '-u', 'NONE', '-c', `luafile ${script}`],
      server.target,
    );
    expect(output).toContain('Connected to server');
    // It sends its last decision when it exits.
    const suggestion = await until('both decisions', async () => {
      const shown = await server.ask('GET', `/suggestions/${id}`);
      return shown.body.suggestion.reviewed_count === 2 ? shown.body.suggestion : null;
    });
    expect(suggestion, output).toMatchObject({ status: 'complete' });
    expect(suggestion.hunks.map(({ status }: { status: string }) => status)).toEqual([
      'accepted',
      'rejected',
    ]);
    expect(suggestion.hunks[0].comments).toEqual([{ text: 'fine' }]);
    expect(readFileSync(path.join(server.target, 'f'), 'utf8')).toBe(BASE.replace('line 4\n', 'four\n'));
  });
});
