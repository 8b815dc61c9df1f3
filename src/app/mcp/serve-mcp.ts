/**
 * `copane mcp`: the tools of an AI over stdin and stdout. The process runs as the user but acts as an author: it never
 * decides.
 */
import { once } from 'node:events';
import path from 'node:path';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { secretRule } from '../../agent/tools/kept-back.ts';
import { copanePaths, type Env } from '../../platform/paths.ts';
import { authorName } from '../../server/mcp/author-name.ts';
import { createMcpServer } from '../../server/mcp/create-server.ts';
import { loadConfig } from '../config/load-config.ts';
import { mapProjectFile } from '../file-maps.ts';
import { authorHost, watchReviews } from './author-host.ts';
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
