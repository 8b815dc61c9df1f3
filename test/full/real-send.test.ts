/**
 * The sender beside each real AI CLI: guards, paste, Enter, and the proof from the CLI's own session file. The scripted
 * model's requests are compared with the sent text.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openResponses } from '../../src/app/responses/ai-pane.ts';
import type { PaneResponses } from '../../src/responses/pane-responses.ts';
import { screenRulesFor } from '../../src/responses/screens/registry.ts';
import type { SendOptions } from '../../src/tmux/sender.ts';
import { CLIENTS, type ClientName, clientSpec, isInstalled } from '../helpers/client-catalog.ts';
import { clientStages } from '../helpers/client-stage.ts';
import type { StartedClient } from '../helpers/real-clients.ts';
import { silentHooks } from '../helpers/silent-hooks.ts';
import { eventually, must, SendBench } from '../helpers/tmux-sender.ts';

const SHORT = 'First line, with 日本語.\n\tSecond line; it ends with a semicolon;';
const LONG = Array.from({ length: 40 }, (_, row) => `line ${row} of a long prompt with 🙂 in it`).join('\n');

/** opencode first looks for its price list on the network; without one that takes half a minute. */
const ANSWER_MS = 90_000;

const startStage = clientStages();

/** A sender for the pane of a started client, with the product's screen rules and session readers. */
async function senderFor(started: StartedClient) {
  const bench = new SendBench({ socketName: started.tmux.socketName });
  let responses: PaneResponses | null = null;
  const sender = bench.senderOn(
    bench.tmux,
    {},
    {
      readScreen: (screen, cli) => screenRulesFor(cli).read(screen),
      proof: {
        begin: async (_pane, text) => {
          const watch = await responses?.watchSent(text);
          if (!watch) return null;
          const poll = async () => {
            const kind = await watch.poll();
            return kind === null ? null : ({ kind, by: 'transcript' } as const);
          };
          return { poll, close: () => undefined };
        },
      },
      newId: randomUUID,
    },
  );
  const listed = must(await bench.panes.list());
  const listing = listed.find((each) => each.facts.identity.paneId === started.tmux.pane);
  if (listing === undefined) throw new Error('no pane');
  const { tmux, panes } = bench;
  const access = { tmux, panes, hooks: silentHooks, sent: () => Promise.resolve([]) };
  responses = openResponses(access, listing);
  const pane = { identity: listing.facts.identity, cli: listing.cli, cliPid: listing.cliPid };
  const send = (text: string, more: Partial<SendOptions> = {}) =>
    sender.send({ pane, text, mode: 'prompt', markers: false, submit: true, ...more });
  return { pane, send };
}

function check(name: ClientName, columns: number): void {
  it.skipIf(!isInstalled(name))(`${name} at ${columns} columns (npm run setup:clients)`, async () => {
    const script = {
      withoutTools: name === 'aider',
      turns: [
        // The first match is used, and aider sends the whole conversation as one text.
        { when: 'line 39', replies: [{ text: 'answer two' }] },
        { when: 'Second line', replies: [{ text: 'answer one' }] },
      ],
    };
    const { model, client } = await startStage(name, script, { columns, rows: 30 });
    const { pane, send } = await senderFor(client);
    expect(pane.cli).toBe(clientSpec(name).cli);
    const first = await send(SHORT);
    if (!first.ok)
      throw new Error(`${first.error.message}
${await client.tmux.screen()}`);
    expect(first.value.state).toBe('delivered');
    await client.tmux.until('the first answer', (screen) => screen.includes('answer one'), ANSWER_MS);
    // Its composer may return a moment after the answer.
    const second = await eventually(
      'a second send',
      () => send(LONG),
      (result) => result.ok || result.error.code !== 'refused',
    );
    if (!second.ok) throw new Error(`${second.error.message}\n${await client.tmux.screen()}`);
    await client.tmux.until('the second answer', (screen) => screen.includes('answer two'), ANSWER_MS);
    const prompts = model.prompts();
    expect(prompts).toHaveLength(2);
    // Claude Code puts tags around a folded paste, aider its rules for edits after the text.
    expect(prompts.at(-1)).toContain(LONG);
  });
}

describe('real clients', () => {
  for (const columns of [90, 44]) for (const spec of CLIENTS) check(spec.name, columns);
});
