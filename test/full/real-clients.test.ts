/** Each real AI CLI starts offline with the scripted model, takes a framed paste and shows the answer. */
import { describe, expect, it } from 'vitest';
import { CLIENTS, type ClientName, isInstalled } from '../helpers/client-catalog.ts';
import { clientStages } from '../helpers/client-stage.ts';

const PROMPT = 'First line, with 日本語.\nSecond line; it ends with a semicolon;';
const ANSWER = 'The **answer** is forty-two.';

const startStage = clientStages();

function check(name: ClientName): void {
  // The runner reports a missing client as skipped, with this title.
  it.skipIf(!isInstalled(name))(`${name} (installed by npm run setup:clients)`, async () => {
    const script = {
      withoutTools: name === 'aider',
      turns: [{ when: 'Second line', replies: [{ text: ANSWER }] }],
    };
    const { model, client } = await startStage(name, script, { columns: 90, rows: 30 });
    await client.submit(PROMPT);
    await client.tmux.until('the answer', (screen) => screen.includes('is forty-two.'));
    const prompts = model.prompts();
    expect(prompts).toHaveLength(1);
    // aider appends its rules for edits to the same message.
    expect(prompts[0]?.slice(0, PROMPT.length)).toBe(PROMPT);
    if (name !== 'aider') expect(prompts[0]).toBe(PROMPT);
  });
}

describe('real clients', () => {
  for (const spec of CLIENTS) check(spec.name);
});
