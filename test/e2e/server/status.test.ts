/** `copane status`: the number of waiting reviews, for tmux's status line and in words; never starts a host. */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { afterEach, expect, it } from 'vitest';
import { run } from '../../../src/platform/run.ts';
import { must, temporaryHome } from '../../helpers/host-fakes.ts';
import { COPANE } from '../../helpers/product.ts';
import { TestServer } from '../../helpers/suggestion-server.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

let server: TestServer | null = null;
afterEach(() => server?.stop());

async function status(home: string, ...args: string[]): Promise<string> {
  const { PATH = '' } = process.env;
  const sockets = path.join(home, 'tmux');
  mkdirSync(sockets, { recursive: true });
  // The host is in this process: it must go on answering.
  const { code, stdout, stderr } = await run(COPANE, ['status', ...args], {
    env: { PATH, HOME: home, TMUX_TMPDIR: sockets },
  });
  expect([code, stderr]).toEqual([0, '']);
  return String(stdout);
}

it('counts undecided suggestions, while a host runs and after it', async () => {
  server = await TestServer.start({ auth: 'none' });
  const { home, paths } = server.home;
  expect(await status(home, '--tmux')).toBe('\n');
  await server.publish();
  const done = await server.publish('decided', 'ann');
  const { id } = await server.publish('ended', 'ben');
  const { client } = server;
  must(
    await (client ?? expect.unreachable()).request('review/decide', {
      suggestion: done.id,
      hunk: 'all',
      action: 'reject',
    }),
  );
  must(await (client ?? expect.unreachable()).request('review/finish', { suggestion: id, how: 'discard' }));
  expect(await status(home, '--tmux')).toBe('1 to review\n');
  expect(JSON.parse(await status(home, '--json'))).toMatchObject({ suggestions: 1, host: { notices: [] } });
  expect(await status(home)).toContain('1 suggestion to review');
  await client?.close();
  expect(await status(home, '--tmux')).toBe('1 to review\n');
  expect(existsSync(paths.socketFile)).toBe(false);
});

it('creates nothing where there is nothing', async () => {
  const { home, paths, remove } = temporaryHome();
  expect(await status(home, '--tmux')).toBe('\n');
  expect(existsSync(paths.stateDir)).toBe(false);
  remove();
});

it('loads no schema for a status line, which is drawn every few seconds', async () => {
  const entry = 'src/cli/status.ts';
  const { metafile } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outdir: 'out',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    external: ['node-pty'],
    logLevel: 'error',
  });
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { kind, path: next } of metafile.inputs[file]?.imports ?? [])
      if (kind === 'import-statement') visit(next);
  };
  visit(entry);
  expect(loaded.size).toBeGreaterThan(20);
  expect([...loaded].filter((file) => /node_modules\/(zod|ink|react)\//.test(file))).toEqual([]);
});
