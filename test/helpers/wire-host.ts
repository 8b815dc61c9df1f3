/** A host on its socket, new for each test of a file, and clients that know nothing about the protocol. */
import net from 'node:net';
import { afterEach, beforeEach } from 'vitest';
import { handlers } from '../../src/app/host/handlers/index.ts';
import { Host } from '../../src/app/host/host.ts';
import { SILENT_LOG } from '../../src/app/log/log.ts';
import type { ServerLimits } from '../../src/server/limits.ts';
import { SERVER_LIMITS, SocketServer, type SocketServerOptions } from '../../src/server/socket-server.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { must, promptOf, temporaryHome } from './host-fakes.ts';
import { until } from './until.ts';

/** A client that knows nothing about the protocol. */
export class RawClient {
  readonly lines: Record<string, unknown>[] = [];
  readonly socket: net.Socket;
  ended = false;
  #rest = '';

  constructor(socketPath: string) {
    this.socket = net.connect({ path: socketPath, allowHalfOpen: true });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.ended = true;
    });
    this.socket.on('end', () => {
      this.ended = true;
    });
    this.socket.on('data', (chunk) => {
      const parts = (this.#rest + String(chunk)).split('\n');
      this.#rest = parts.pop() ?? '';
      for (const part of parts) this.lines.push(JSON.parse(part));
    });
  }

  say(...messages: readonly unknown[]): void {
    for (const message of messages) this.socket.write(`${JSON.stringify(message)}\n`);
  }

  line(what: string, match: (line: Record<string, unknown>) => boolean = () => true) {
    return until(what, () => this.lines.find(match), { show: () => JSON.stringify(this.lines.slice(-5)) });
  }
}

/** The host of a test. */
export class WireHost {
  readonly home = temporaryHome();
  readonly store: Store;
  readonly host: Host;
  readonly warnings: string[] = [];
  readonly sockets: net.Socket[] = [];
  #server: SocketServer | null = null;

  constructor() {
    const { paths } = this.home;
    this.store = must(openStore({ stateDir: paths.stateDir, now: () => 5 }));
    const card = { pid: process.pid, startedAt: 0, version: 'wire', socketPath: paths.socketFile };
    const leader = must(this.store.beginEpoch(card));
    this.host = new Host({
      store: this.store,
      stateDir: paths.stateDir,
      leader,
      makeHandlers: () => handlers,
      now: () => 5,
      newClientName: () => 'anonymous',
      log: SILENT_LOG,
      onStale: () => undefined,
    });
  }

  async serve(limits: Partial<ServerLimits> = {}, onOther?: SocketServerOptions['onOther']): Promise<void> {
    this.#server = must(
      await SocketServer.start({
        socketPath: this.home.paths.socketFile,
        host: this.host,
        limits: { ...SERVER_LIMITS, ...limits },
        onOther,
        onWarning: (message) => this.warnings.push(message),
      }),
    );
  }

  connect(): RawClient {
    const client = new RawClient(this.home.paths.socketFile);
    this.sockets.push(client.socket);
    return client;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await this.#server?.close({ keepName: false });
    this.store.close();
    this.home.remove();
  }
}

/** Returns the host of the running test. */
export function wirePerTest(): () => WireHost {
  let wire: WireHost;
  beforeEach(() => {
    wire = new WireHost();
  });
  afterEach(() => wire.close());
  return () => wire;
}

/** A handler's change that stores a prompt. */
export function putPrompt(writer: Parameters<Parameters<Host['write']>[0]>[0], id: string, text: string) {
  const entry = {
    ...promptOf(id, text),
    state: 'recorded',
    reason: null,
    proof: null,
    createdAt: 0,
    updatedAt: 0,
  } as const;
  writer.outbox.put(entry);
  writer.emit({ type: 'outbox/changed', entry });
  return { ok: true, value: null } as const;
}
