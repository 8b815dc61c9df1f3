/** The offer to download a missing model: made once, at a prompt, never in the line editor; the file is checked first. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { removeTree } from '../../helpers/remove-tree.ts';
import { ScriptedDaemon, type SeenRequest } from '../../helpers/scripted-daemon.ts';
import { ZshPty } from '../../helpers/zsh-pty.ts';

const MODEL = 'the weights of a model\n';
const SUM = createHash('sha256').update(MODEL).digest('hex');

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A folder with only these programs, and what a download needs. */
function binWith(programs: readonly string[]): string {
  const bin = mkdtempSync(path.join(os.tmpdir(), 'copane-bin-'));
  cleanups.push(() => removeTree(bin));
  for (const name of [...programs, 'mkdir', 'mv', 'rm', 'sha256sum', 'cat', 'sh'])
    if (name !== 'aria2c') symlinkSync(`/usr/bin/${name}`, path.join(bin, name));
  // Debian's own is rarely installed: this one only shows its arguments and creates the requested file.
  if (programs.includes('aria2c'))
    writeFileSync(
      path.join(bin, 'aria2c'),
      `#!/bin/sh\nfor arg; do case $arg in --dir=*) dir=\${arg#*=};; --out=*) out=\${arg#*=};; esac; done\nprintf '%s\\n' "$@" >"$dir/called"\nprintf 'the weights of a model\\n' >"$dir/$out"\n`,
      { mode: 0o755 },
    );
  return bin;
}

async function start(
  sha256: string,
  programs: readonly string[] = ['curl'],
  { name = 'tiny', fileName = 'tiny.gguf' } = {},
) {
  const ranges: (string | undefined)[] = [];
  const server = http.createServer((request, response) => {
    ranges.push(request.headers.range);
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    if (from > 0)
      response.writeHead(206, { 'content-range': `bytes ${from}-${MODEL.length - 1}/${MODEL.length}` });
    response.end(MODEL.slice(from));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const daemon = await new ScriptedDaemon({ foreign: true }).start();
  cleanups.push(() => daemon.stop());
  const bin = binWith(programs);
  const zsh = await new ZshPty({ socket: daemon.socket, before: [`path=(${bin})`] }).ready();
  cleanups.push(() => zsh.close());
  const file = path.join(zsh.dir, 'models', fileName);
  const miss = (request: SeenRequest) =>
    daemon.sendRaw(
      request,
      `${JSON.stringify({
        request_id: request.request_id,
        candidates: [],
        error: {
          code: 'model_not_found',
          message: 'no model',
          models: [
            {
              name,
              url: `http://127.0.0.1:${port}/m`,
              file: fileName,
              dir: path.dirname(file),
              sha256,
            },
          ],
        },
      })}\n`,
    );
  zsh.type('true');
  miss(await daemon.requestFor('true'));
  await zsh.untilState(({ state }) => state === 'error');
  await zsh.until((screen) => screen === '# true');
  return { daemon, zsh, file, miss, ranges, bin };
}

it('a no is remembered', async () => {
  const { daemon, zsh, file, miss } = await start(SUM);
  zsh.type('\r');
  await zsh.untilText('Download it now?');
  expect(zsh.screen).toContain('needs a model that is not here: tiny');
  zsh.type('n');
  await zsh.until((screen) => screen.endsWith('\n#'));
  zsh.type('false');
  miss(await daemon.requestFor('false'));
  await zsh.untilState(({ state }) => state === 'error');
  zsh.type('\r');
  await zsh.until((screen) => screen.endsWith('# false\n#'));
  expect(existsSync(file)).toBe(false);
});

it('a yes downloads, checks, and only then renames the file', async () => {
  const { zsh, file } = await start(SUM);
  zsh.type('\r');
  await zsh.untilText('Download it now?');
  zsh.type('y');
  // curl's progress uses the prompt's characters: check the file instead.
  await zsh.until(() => existsSync(file), 'the file');
  expect(readFileSync(file, 'utf8')).toBe(MODEL);
  expect(existsSync(`${file}.part`)).toBe(false);
});

it('a file that differs from the announced one is removed', async () => {
  const { zsh, file } = await start('0'.repeat(64));
  zsh.type('\r');
  await zsh.untilText('Download it now?');
  zsh.type('y');
  await zsh.untilText('not what was announced');
  expect(existsSync(file)).toBe(false);
  expect(existsSync(`${file}.part`)).toBe(false);
});

it.each(['curl', 'wget'])('%s resumes an interrupted download', async (program) => {
  const { zsh, file, ranges } = await start(SUM, [program]);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, MODEL.slice(0, 9));
  zsh.type('\r');
  await zsh.untilText('Download it now?');
  zsh.type('y');
  await zsh.until(() => existsSync(file), 'the file');
  expect(readFileSync(file, 'utf8')).toBe(MODEL);
  expect(ranges).toEqual(['bytes=9-']);
});

it('the name of a model is shown without what it would do to the terminal', async () => {
  const { zsh } = await start(SUM, ['curl'], { name: 'ti\u001b[2J\u001b]0;x\u0007ny' });
  zsh.type('\r');
  await zsh.untilText('is not here: ti^[[2J^[]0;x^Gny');
});

it.each(['.zshrc', 'notes.txt', '.gguf'])('%s is not a model and not downloaded', async (fileName) => {
  const { zsh, file, ranges } = await start(SUM, ['curl'], { fileName });
  zsh.type('\r');
  await zsh.untilText('Download it now?');
  zsh.type('y');
  await zsh.untilText('tiny was not downloaded');
  expect([existsSync(file), ranges]).toEqual([false, []]);
});

it('an existing file is not replaced', async () => {
  const { zsh, file, ranges } = await start(SUM);
  mkdirSync(path.dirname(file));
  writeFileSync(file, 'mine');
  zsh.type('\r');
  await zsh.untilText('Download it now?');
  zsh.type('y');
  await zsh.untilText('exists already and is kept');
  await zsh.untilText('tiny was not downloaded');
  expect([readFileSync(file, 'utf8'), ranges]).toEqual(['mine', []]);
});

it('a complete file is not downloaded again', async () => {
  const { zsh, file, ranges } = await start(SUM);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, MODEL);
  zsh.type('\r');
  await zsh.untilText('Download it now?');
  zsh.type('y');
  await zsh.until(() => existsSync(file), 'the file');
  expect(ranges).toEqual([]);
});

it('prefers aria2c if installed', async () => {
  const { zsh, file, ranges } = await start(SUM, ['aria2c', 'curl', 'wget']);
  zsh.type('\r');
  await zsh.untilText('Download it now?');
  zsh.type('y');
  await zsh.until(() => existsSync(file), 'the file');
  expect(readFileSync(path.join(path.dirname(file), 'called'), 'utf8')).toContain('--continue=true');
  expect(ranges).toEqual([]);
});

it('says what it needs if none of the three is installed, and leaves nothing', async () => {
  const { zsh, file } = await start(SUM, []);
  zsh.type('\r');
  await zsh.untilText('Download it now?');
  zsh.type('y');
  await zsh.untilText('needs aria2c, curl or wget');
  expect(existsSync(file)).toBe(false);
});
