/**
 * Suggestions: the tools of `copane mcp` as tools of pi, which has no MCP, and the user's decisions as messages that the
 * model sees with the next prompt.
 */
import type { ExtensionAPI, ExtensionContext } from '@mariozechner/pi-coding-agent';
import { McpChild } from '../shared/mcp-child.js';
import { ReviewFeed } from '../shared/review-feed.js';
import type { Place } from './place.ts';

const AUTHOR = 'pi';
/** The first prompt waits so long for the tools. */
const READY_TIMEOUT_MS = 5_000;

export function addReviews(pi: ExtensionAPI, { program }: Place): void {
  let ready: Promise<void> | null = null;
  let close: () => void = () => undefined;
  pi.on('session_start', (_event, context) => {
    const started = start(pi, program, context);
    close = started.close;
    ready = started.ready;
  });
  pi.on('before_agent_start', async () => {
    await Promise.race([ready, new Promise((resolve) => setTimeout(resolve, READY_TIMEOUT_MS).unref())]);
  });
  pi.on('session_shutdown', () => close());
}

function start(pi: ExtensionAPI, program: string, { cwd, sessionManager }: ExtensionContext) {
  const child = new McpChild({ program, author: AUTHOR, cwd });
  const session = sessionManager.getSessionId();
  const tell = async (_session: string, content: string) =>
    pi.sendMessage(
      { customType: 'copane', content, display: true, details: null },
      { deliverAs: 'nextTurn' },
    );
  const feed = new ReviewFeed({ child, tell });
  const register = async () => {
    for (const { name, description, inputSchema } of await child.tools()) {
      pi.registerTool({
        name,
        label: name.replaceAll('_', ' '),
        description,
        parameters: inputSchema,
        execute: async (_callId, args, signal) => {
          feed.begins(session, name);
          const { text, body, isError } = await child.call(name, args, signal).catch((error: Error) => ({
            text: error.message,
            body: null,
            isError: true,
          }));
          feed.ends(session, name, body);
          // pi knows a failed call by its exception; its message goes to the model.
          if (isError) throw new Error(text);
          return { content: [{ type: 'text', text }], details: body };
        },
      });
    }
  };
  return {
    // Without copane there are no tools, and pi works as ever.
    ready: register().catch(() => undefined),
    close: () => {
      feed.close();
      child.close();
    },
  };
}
