/** The MCP server of one connection or request: the tools of one author. Independent of the transport. */
import { setImmediate } from 'node:timers/promises';
import { CLIENT_INFO_META_KEY, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { errorMessage } from '../../lib/result.ts';
import { VERSION } from '../../lib/version.ts';
import { visibleJson } from '../../lib/visible-json.ts';
import type { AuthorAccess } from './author.ts';
import { failureAnswer, type McpTool, type ToolAnswer, type ToolContext } from './tool.ts';
import { TOOLS } from './tools/index.ts';

const INSTRUCTIONS =
  'copane lets the user review your changes hunk by hunk. When a change is ready, call publish_suggestion, then ' +
  'await_review until "done" is true. The user decides; you never do.';

export interface ServerOptions {
  /** The access of a caller with this name; null: it gave no name. */
  readonly accessFor: (clientName: string | null) => AuthorAccess;
  readonly onDefect: (message: string) => void;
}

/** A server for one client; the caller connects it. */
export function createMcpServer(options: ServerOptions): McpServer {
  const server = new McpServer({ name: 'copane', version: VERSION }, { instructions: INSTRUCTIONS });
  const inTurn = createTurns();
  const accessOf = ({ mcpReq }: ServerContext) => {
    // The current protocol sends it with each request, the older one once at the start.
    const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
    return options.accessFor(
      nameIn(envelope[CLIENT_INFO_META_KEY]) ?? nameIn(server.server.getClientVersion()),
    );
  };
  for (const tool of TOOLS) register(server, tool, { accessOf, inTurn, onDefect: options.onDefect });
  return server;
}

interface Registration {
  readonly accessOf: (call: ServerContext) => AuthorAccess;
  readonly inTurn: Turns;
  readonly onDefect: (message: string) => void;
}

type Turns = <T>(isWrite: boolean, work: () => Promise<T>) => Promise<T>;

/** A call sees the effects of earlier calls, even if a client sends several at once. Reads do not wait. */
function createTurns(): Turns {
  let writes: Promise<unknown> = Promise.resolve();
  return (isWrite, work) => {
    const done = writes.then(work);
    if (isWrite) writes = done.catch(() => undefined);
    return done;
  };
}

function register(server: McpServer, tool: McpTool, { accessOf, inTurn, onDefect }: Registration): void {
  const { name, title, description, input: inputSchema, output, annotations } = tool;
  const words = { title, description, inputSchema, annotations };
  const config = output === null ? words : { ...words, outputSchema: output };
  server.registerTool(name, config, async (args, call) => {
    try {
      const isWrite = !annotations.readOnlyHint;
      const done = await inTurn(isWrite, () => tool.run(args, contextOf(call, accessOf(call))));
      if (!done.ok) return errorOf(failureAnswer(done.error));
      const result = resultOf(done.value);
      // The library validates and serializes a long answer, which takes as long again.
      await setImmediate();
      return result;
    } catch (thrown) {
      onDefect(`${name} failed because of a defect: ${errorMessage(thrown)}`);
      const message = `${name} failed because of a defect in copane (${errorMessage(thrown)}).`;
      return errorOf(failureAnswer({ code: 'internal', message }));
    }
  });
}

function nameIn(client: unknown): string | null {
  const isNamed = typeof client === 'object' && client !== null && 'name' in client;
  return isNamed && typeof client.name === 'string' ? client.name : null;
}

/** The same JSON twice: clients read one or the other. */
const resultOf = (answer: ToolAnswer) => ({ ...textOf(answer), structuredContent: { ...answer } });

/** Only as text: clients validate structured content against the schema of a successful answer. */
const errorOf = (answer: ToolAnswer) => ({ ...textOf(answer), isError: true });

function textOf(answer: ToolAnswer) {
  return { content: [{ type: 'text' as const, text: visibleJson(answer, undefined, 1) }] };
}

function contextOf({ mcpReq }: ServerContext, access: AuthorAccess): ToolContext {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    access,
    signal: mcpReq.signal,
    progress: ({ done: progress, total, message }) => {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total, message };
      // A disconnected client gets nothing; its call is aborted separately.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}
