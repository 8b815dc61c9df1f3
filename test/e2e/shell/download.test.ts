/** The offer to download a missing model: asked once, at a prompt, never in the line editor; checked before it counts. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ScriptedDaemon, type SeenRequest } from '../../helpers/scripted-daemon.ts';
import { ZshPty } from '../../helpers/zsh-pty.ts';

const MODEL = 'the weights of a model\n';
const SUM = createHash('sha256').update(MODEL).digest('hex');

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(sha256: string) {
  const server = http.createServer((_request, response) => response.end(MODEL));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const daemon = await new ScriptedDaemon({ foreign: true }).start();
  cleanups.push(() => daemon.stop());
  const zsh = await new ZshPty({ socket: daemon.socket }).ready();
  cleanups.push(() => zsh.close());
  const file = path.join(zsh.dir, 'models/tiny.gguf');
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
              name: 'tiny',
              url: `http://127.0.0.1:${port}/m`,
              file: 'tiny.gguf',
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
  expect(zsh.screen).toBe('# true');
  return { daemon, zsh, file, miss };
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

it('a yes downloads, checks, and only then gives the file its name', async () => {
  const { zsh, file } = await start(SUM);
  zsh.type('\r');
  await zsh.untilText('Download it now?');
  zsh.type('y');
  // curl draws its progress in the same signs as the prompt: the file tells.
  await zsh.until(() => existsSync(file), 'the file');
  expect(readFileSync(file, 'utf8')).toBe(MODEL);
  expect(existsSync(`${file}.part`)).toBe(false);
});

it('a file that is not what was announced is removed', async () => {
  const { zsh, file } = await start('0'.repeat(64));
  zsh.type('\r');
  await zsh.untilText('Download it now?');
  zsh.type('y');
  await zsh.untilText('not what was announced');
  expect(existsSync(file)).toBe(false);
  expect(existsSync(`${file}.part`)).toBe(false);
});
