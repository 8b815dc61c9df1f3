import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTree } from '../../test/helpers/remove-tree.ts';
import { publishSocket } from './socket-file.ts';

let folder: string;
let server: net.Server;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'copane-socket-'));
  server = net.createServer();
});
afterEach(() => {
  server.close();
  removeTree(folder);
});

const place = (name: 'ours' | 'shared') =>
  ({ file: path.join(folder, 'a.sock'), variable: 'COPANE_SOCKET', name }) as const;

describe('publishSocket', () => {
  it('makes and removes its private folder in one turn, so that a signal cannot leave it behind', async () => {
    const published = publishSocket(server, place('ours'));
    await new Promise(setImmediate);
    expect(readdirSync(folder)).toEqual(['a.sock']);
    expect((await published).ok).toBe(true);
  });

  it.each(['ours', 'shared'] as const)('publishes a socket that only the user may use (%s)', async (name) => {
    expect((await publishSocket(server, place(name))).ok).toBe(true);
    const { mode } = statSync(path.join(folder, 'a.sock'));
    expect(mode & 0o777).toBe(0o600);
  });

  it('leaves nothing where it cannot listen', async () => {
    const file = path.join(folder, 'x'.repeat(120));
    const published = await publishSocket(server, { ...place('ours'), file });
    expect(published).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });
});
