/**
 * An agent program that speaks ACP: it carries out the words of its instruction one after the other. Run by Node:
 * `acp-agent.ts [--login]`. It understands nothing else.
 */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';

let folder = '';

// A test that ends it wants to see it end.
if (process.env.AGENT_PID_FILE !== undefined) writeFileSync(process.env.AGENT_PID_FILE, String(process.pid));

async function ask(
  client: acp.AgentContext,
  sessionId: string,
  call: { kind: acp.ToolKind; title: string; file?: string },
): Promise<boolean> {
  const { kind, title, file } = call;
  const { outcome } = await client.request(acp.methods.client.session.requestPermission, {
    sessionId,
    toolCall: { toolCallId: title, kind, title, locations: file === undefined ? [] : [{ path: file }] },
    options: [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
  });
  return outcome.outcome === 'selected' && outcome.optionId === 'yes';
}

const put = (name: string, content: string | Uint8Array) => writeFileSync(path.join(folder, name), content);

/** What each word of an instruction does. */
const DEEDS: Readonly<
  Record<
    string,
    (say: (text: string) => Promise<void>, client: acp.AgentContext, session: string) => Promise<void>
  >
> = {
  edit: async (say, client, session) => {
    const file = path.join(folder, 'a.md');
    if (await ask(client, session, { kind: 'edit', title: `Write ${file}`, file }))
      put('a.md', 'ONE\ntwo\nTHREE\n');
    await say(`I changed ${file}.`);
  },
  more: async () => {
    put('new.md', 'new\n');
    rmSync(path.join(folder, 'gone.md'));
    put('picture.bin', Uint8Array.of(1, 0, 2));
    put('ignored.log', 'noise\n');
  },
  command: async (say, client, session) => {
    const allowed = await ask(client, session, { kind: 'execute', title: 'make install' });
    await say(allowed ? 'It ran.' : 'It was not allowed.');
  },
  outside: async (say, client, session) => {
    const file = path.join(folder, '../../elsewhere');
    const allowed = await ask(client, session, { kind: 'edit', title: 'Write elsewhere', file });
    await say(allowed ? 'Written elsewhere.' : 'Not outside.');
  },
  again: (say) => say('Second thoughts.'),
  crash: async () => {
    process.stderr.write('out of cheese\n');
    process.exit(3);
  },
  hang: () => new Promise(() => undefined),
};

acp
  .agent({ name: 'scripted' })
  .onRequest(acp.methods.agent.initialize, () => ({
    protocolVersion: acp.PROTOCOL_VERSION,
    agentInfo: { name: 'scripted', version: '1.2' },
    agentCapabilities: {},
  }))
  .onRequest(acp.methods.agent.session.new, ({ params }) => {
    if (process.argv.includes('--login')) throw acp.RequestError.authRequired();
    folder = params.cwd;
    return { sessionId: 'one' };
  })
  .onRequest(acp.methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const text = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const say = (words: string) =>
      client.notify(acp.methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } },
      });
    // The instruction comes last.
    const words = text.slice(Math.max(0, text.lastIndexOf('\n\n'))).split(/\W+/);
    for (const word of words) await DEEDS[word]?.(say, client, sessionId);
    return { stopReason: words.includes('refuse') ? 'refusal' : 'end_turn' };
  })
  .connect(
    acp.ndJsonStream(
      Writable.toWeb(process.stdout),
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );
