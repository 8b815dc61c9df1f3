/** The whole loop beside each real AI CLI, at two widths: the scripted model must get exactly the notes. */
import { describe, expect, it } from 'vitest';
import { type ClientName, isInstalled } from '../helpers/client-catalog.ts';
import { clientStages } from '../helpers/client-stage.ts';
import {
  FIRST_ANSWER,
  FIRST_QUESTION,
  NOTES,
  NOTES_SENT,
  runLoop,
  SECOND_ANSWER,
  SECOND_QUESTION,
} from '../helpers/loop.ts';
import { until } from '../helpers/until.ts';

const CLIENTS: readonly ClientName[] = [
  'claude-old',
  'claude',
  'codex',
  'pi',
  'pi-new',
  'gemini',
  'opencode',
];
const WIDTHS = [90, 44];

const startStage = clientStages();

async function check(name: ClientName, columns: number): Promise<void> {
  const script = {
    turns: [
      { when: FIRST_QUESTION, replies: [{ text: FIRST_ANSWER }] },
      { when: SECOND_QUESTION, replies: [{ text: SECOND_ANSWER }] },
      { when: NOTES[0], replies: [{ text: 'Noted.' }] },
    ],
  };
  const { root, project, model, client } = await startStage(name, script, { columns });
  const { prompts } = model;
  const companion = await runLoop(client.tmux, { root, project });
  await until('the third prompt', () => prompts().length >= 3, {
    timeoutMs: 30_000,
    show: () => JSON.stringify(prompts()),
  });
  expect(prompts()).toEqual([FIRST_QUESTION, SECOND_QUESTION, NOTES_SENT]);
  await companion.until('the delivery', (screen) => /delivered/i.test(screen));
}

describe.each(CLIENTS)('%s', (name) => {
  for (const columns of WIDTHS) {
    it.skipIf(!isInstalled(name))(`the loop at ${columns} columns`, () => check(name, columns));
  }
});
