/** An AI's tools over HTTP, at `/mcp` of the suggestion server. Every caller is an author. Reads no folder for it. */

import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { Slices } from '../../platform/slices.ts';
import { readJson } from '../suggestions/body.ts';
import type { McpEndpoint, McpServices } from '../suggestions/port.ts';
import { refuse } from '../suggestions/reply.ts';
import { authorOf } from '../suggestions/who.ts';
import { authorName } from './author-name.ts';
import { createMcpServer } from './create-server.ts';

/** Answers requests to `/mcp` separately, without state between them. */
export function createMcpEndpoint({ host, home, bodies, onNews, onWarning }: McpServices): McpEndpoint {
  const onerror = (error: Error) => onWarning(`MCP: ${error.message}`);
  const handler = createMcpHandler(
    ({ authInfo }) =>
      createMcpServer({
        accessFor: (clientName) => ({
          host,
          who: { role: 'author', name: authInfo?.clientId || authorName(clientName) },
          folder: home,
          findPlace: null,
          mapFile: null,
          onNews,
        }),
        onDefect: onWarning,
      }),
    { maxRequestBodySize: bodies.maxBytes, onerror },
  );
  const answer = toNodeHandler(handler, { maxRequestBodySize: bodies.maxBytes, onerror });
  // Each request makes a server of its own: many at once must not keep all other clients waiting.
  const slices = new Slices();
  return {
    answer: async (request, response, { who, token }) => {
      const body = await readJson(request, bodies);
      if (!body.ok) return refuse(request, response, body.refusal);
      await slices.pause();
      const auth = { token: token ?? '', clientId: authorOf(who) ?? '', scopes: [] };
      return answer(Object.assign(request, { auth }), response, body.value);
    },
    close: () => handler.close(),
  };
}
