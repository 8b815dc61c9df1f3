import { mkdtempSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { removeTree } from '../../test/helpers/remove-tree.ts';
import type { ServedHost } from './port.ts';
import { SocketServer } from './socket-server.ts';

/** Connects as soon as the socket exists, sends a message, and returns the answer. */
async function firstCaller(socketPath: string): Promise<string> {
  for (;;) {
    const socket = net.connect(socketPath);
    const isConnected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    if (!isConnected) continue;
    socket.write('hello');
    return new Promise((resolve) => socket.once('data', (data) => resolve(String(data))));
  }
}

test('notices a killed client while its request runs, but not one that closed its half', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-socket-'));
  const socketPath = path.join(folder, 'host.sock');
  const gone: number[] = [];
  let clients = 0;
  const openSession = () => {
    const number = clients++;
    const nothing = () => undefined;
    return {
      receive: nothing,
      reject: nothing,
      drained: nothing,
      isIdle: false,
      close: () => gone.push(number),
    };
  };
  const onWarning = (message: string) => expect.fail(message);
  const server = await SocketServer.start({ socketPath, host: { openSession }, onWarning });
  try {
    const half = net.connect({ path: socketPath, allowHalfOpen: true });
    half.end('{"id":1,"command":"host/status"}\n');
    await expect.poll(() => clients).toBe(1);
    const killed = net.connect(socketPath);
    killed.write('{"id":1,"command":"host/status"}\n', () => killed.destroy());
    await expect.poll(() => gone).toEqual([1]);
    half.destroy();
    await expect.poll(() => gone).toEqual([1, 0]);
  } finally {
    if (server.ok) await server.value.close({ keepName: false });
    removeTree(folder);
  }
});

test('serves a client that connects the moment the socket appears', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-socket-'));
  try {
    for (let round = 0; round < 20; round += 1) {
      const socketPath = path.join(folder, `host-${round}.sock`);
      const caller = firstCaller(socketPath);
      const server = await SocketServer.start({
        socketPath,
        host: {} as ServedHost,
        onOther: (socket) => socket.end('served'),
        onWarning: (message) => expect.fail(message),
      });
      expect(await caller).toBe('served');
      if (server.ok) await server.value.close({ keepName: false });
    }
  } finally {
    removeTree(folder);
  }
});
