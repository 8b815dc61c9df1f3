/** `copane mcp`: the tools of an AI over stdin and stdout. It acts as an author: it never decides. */

import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Result } from '../../lib/result.ts';
import { copanePaths, type Env } from '../../platform/paths.ts';
import type { Client } from '../../protocol/client.ts';
import type { CommandName } from '../../protocol/command.ts';
import { secretRule } from '../../review/core/secret-files.ts';
import { authorName } from '../../server/mcp/author-name.ts';
import { createMcpServer } from '../../server/mcp/create-server.ts';
import type { CommandHost } from '../../server/suggestions/port.ts';
import { loadConfig } from '../config/load-config.ts';
import { mapProjectFile } from '../file-maps.ts';
import { openHost, openHostNow } from '../host-access.ts';
import { findPlace } from './find-place.ts';

/** The limit of a message; a longer one ends the connection. */
const MESSAGE_MAX_BYTES = 8 * 1024 * 1024;

export interface ServeMcpOptions {
  readonly env: Env;
  /** The project folder of the AI CLI. */
  readonly cwd: string;
  /** The author's name; null for the name that the AI CLI reports. */
  readonly author: string | null;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly say: (line: string) => void;
}

/** Serves until stdin ends. */
export async function serveMcp({ env, cwd, author, stdin, stdout, say }: ServeMcpOptions): Promise<void> {
  const host = authorHost(env);
  const isSecret = secretRule(loadConfig(copanePaths(env).configFile, env).config.agent_secret_files);
  const sandboxes = path.join(copanePaths(env).stateDir, 'sandboxes');
  const handle = serveStdio(
    () =>
      createMcpServer({
        accessFor: (clientName) => ({
          host,
          who: { role: 'author', name: author ?? authorName(clientName) },
          folder: cwd,
          findPlace: (folder) => findPlace(folder, sandboxes),
          mapFile: (file, options) => mapProjectFile({ env, root: cwd, file, isSecret }, options),
          onNews: (listener) => watchReviews(env, listener),
        }),
        onDefect: (message) => say(`copane: ${message}`),
      }),
    {
      transport: new StdioServerTransport(stdin, stdout, { maxBufferSize: MESSAGE_MAX_BYTES }),
      onerror: (error) => say(`copane: ${error.message}`),
    },
  );
  await once(stdin, 'close');
  await handle.close();
}

/** Without a host there are no events: how often to check for changes, and for a host. */
const LOOK_INTERVAL_MS = 1_000;

/** Runs commands on the leader, or on a temporary host: the server ends with its AI CLI, so it must not lead longer. */
function authorHost(env: Env): CommandHost {
  return {
    dispatch: async (command, params): Promise<Result<unknown>> => {
      const client = await openHostNow(env);
      if (!client.ok) return client;
      try {
        return await client.value.request(command as CommandName, params as never);
      } finally {
        await client.value.close();
      }
    },
  };
}

/** Calls `listener` on each change of a review while a host runs, and at intervals otherwise. */
function watchReviews(env: Env, listener: () => void): () => void {
  const ended = new AbortController();
  void follow(env, listener, ended.signal);
  return () => ended.abort();
}

async function follow(env: Env, listener: () => void, signal: AbortSignal): Promise<void> {
  const client = await findHost(env, listener, signal);
  if (client === null) return;
  client.subscribe(
    ({ body }) => {
      if (body.type.startsWith('review/')) listener();
    },
    { onGap: listener },
  );
  // Covers changes before the subscription.
  listener();
  // A short-lived leader may change a review while nobody leads permanently.
  const looking = setInterval(() => {
    if (client.state.kind !== 'connected') listener();
  }, LOOK_INTERVAL_MS);
  const close = () => {
    clearInterval(looking);
    void client.close();
  };
  if (signal.aborted) close();
  else signal.addEventListener('abort', close, { once: true });
}

async function findHost(env: Env, listener: () => void, signal: AbortSignal): Promise<Client | null> {
  while (!signal.aborted) {
    const found = await openHost(env, { lead: false });
    if (found.ok) return found.value;
    listener();
    await sleep(LOOK_INTERVAL_MS);
  }
  return null;
}
