/**
 * The plugin of copane for opencode: brings the MCP server with its tools, puts the user's decisions into the session
 * without asking the model for an answer, and tells the companion what the session does.
 */
import { createHookSpool } from '../shared/hook-spool.js';
import { McpChild } from '../shared/mcp-child.js';
import { ReviewFeed } from '../shared/review-feed.js';

const AUTHOR = 'opencode';
/** By this a part of ours is known: for who reads the session, it is no prompt of the human. */
const OURS = 'copane';
const ASKED = new Set(['permission.asked', 'question.asked']);
const ANSWERED = new Set(['permission.replied', 'question.replied', 'question.rejected']);

/** opencode calls this with its own `input`; `place` comes from the file that "copane init opencode" wrote. */
export default async function copane(input, { program, hooks }) {
  const { client, directory } = input;
  const child = new McpChild({ program, author: AUTHOR, cwd: directory });
  const feed = new ReviewFeed({
    child,
    tell: (id, text) => {
      const part = { type: 'text', text, metadata: { [OURS]: 'feedback' } };
      return client.session.prompt({ path: { id }, body: { noReply: true, parts: [part] } });
    },
  });
  return {
    config: async (config) => {
      config.mcp ??= {};
      config.mcp.copane ??= { type: 'local', command: [program, 'mcp', '--as', AUTHOR], enabled: true };
    },
    'tool.execute.before': async ({ tool, sessionID }) => feed.begins(sessionID, tool),
    'tool.execute.after': async ({ tool, sessionID }, output) =>
      feed.ends(sessionID, tool, output.output ?? textOf(output)),
    ...statesOf(createHookSpool({ cli: 'opencode', folder: hooks })),
    dispose: async () => {
      feed.close();
      child.close();
    },
  };
}

/** The text of an answer in MCP's own form. */
function textOf({ content = [] }) {
  return content.map((part) => part.text ?? '').join('\n');
}

function isHuman({ type, synthetic, metadata }) {
  return type === 'text' && !synthetic && metadata?.[OURS] === undefined;
}

/** Sessions of sub-agents are no sessions of the pane. */
function statesOf(spool) {
  const children = new Set();
  const tell = (name, id, prompt) => {
    if (id !== undefined && !children.has(id)) spool(name, { id }, prompt);
  };
  return {
    'chat.message': async ({ sessionID }, { parts }) => {
      const text = parts.filter(isHuman).map((part) => part.text);
      if (text.length > 0) tell('UserPromptSubmit', sessionID, text.join('\n'));
    },
    event: async ({ event: { type, properties = {} } }) => {
      const { sessionID, info, status } = properties;
      if (type === 'session.created' && info?.parentID) children.add(info.id);
      else if (type === 'session.created') tell('SessionStart', info?.id);
      else if (type === 'session.status') tell(status?.type === 'idle' ? 'Stop' : 'Working', sessionID);
      else if (type === 'session.idle') tell('Stop', sessionID);
      else if (ASKED.has(type)) tell('PermissionRequest', sessionID);
      else if (ANSWERED.has(type)) tell('PermissionReplied', sessionID);
    },
  };
}
