/**
 * Dialogs of the real AI CLIs, read and answered from the companion: what is asked stands there whole, nothing is
 * answered by Enter alone, and the marked answer is what the program gets.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ClientName, isInstalled } from '../helpers/client-catalog.ts';
import { clientStages } from '../helpers/client-stage.ts';
import { CompanionPane } from '../helpers/companion-pane.ts';
import type { ClientVariant, StartedClient } from '../helpers/real-clients.ts';
import { AFTER_TOOL, PLAN, promptFor, sceneScript } from '../helpers/screen-scenes.ts';
import type { ScriptedModel } from '../helpers/scripted-model/server.ts';
import { until } from '../helpers/until.ts';

const PATIENCE_MS = 90_000;

const startStage = clientStages();

interface Bench {
  readonly companion: CompanionPane;
  readonly project: string;
  readonly model: ScriptedModel;
  /** The AI's own screen. */
  readonly ai: StartedClient['tmux'];
}

/** A companion beside a client that was asked `kind`, with the question open on its screen. */
async function asked(
  name: ClientName,
  columns: number,
  kind: string,
  variant?: ClientVariant,
): Promise<Bench> {
  const options = { columns, patienceMs: PATIENCE_MS, ...(variant === undefined ? {} : { variant }) };
  const { root, project, model, client } = await startStage(name, sceneScript(name), options);
  const companion = await CompanionPane.open(client.tmux, { root, project });
  await client.submit(promptFor(kind));
  await companion.until('the question', (screen) => /asks something/.test(screen), PATIENCE_MS);
  await companion.keys('g', 'a');
  await companion.until('the open question', (screen) => /The AI asks/.test(screen));
  return { companion, project, model, ai: client.tmux };
}

const squeezed = (text: string) => text.replace(/\s+/g, '');

async function shows(companion: CompanionPane, text: string): Promise<void> {
  await companion.until(`"${text}"`, (screen) => squeezed(screen).includes(squeezed(text)));
}

/** Marks the answer of that number and gives it. */
async function answer({ companion }: Bench, number: string): Promise<void> {
  await companion.keys(number);
  await companion.until(`the mark on ${number}`, (screen) => new RegExp(`▸ ${number}\\b`).test(screen));
  await companion.keys('Enter');
}

const SIZES = [44, 100];

describe.each(SIZES)('at %i columns', (columns) => {
  describe.each(['claude', 'claude-old'] as const)('%s', (name) => {
    it.skipIf(!isInstalled(name))('a plan: read whole, and refused with notes', async () => {
      const bench = await asked(name, columns, 'plan', 'plan');
      for (const line of PLAN.split('\n').filter((each) => each !== '')) await shows(bench.companion, line);
      await bench.companion.keys('Enter');
      await bench.companion.until('nothing chosen', (screen) => screen.includes('No answer is selected'));
      await bench.companion.keys('Escape');
      await bench.companion.until('no question', (screen) => !screen.includes('The AI asks to'));
      await bench.companion.keys('p');
      await bench.companion.note('1. read `end` as well');
      await bench.companion.keys('s');
      await bench.companion.until('the preview', (screen) => screen.includes('what to change in the plan'));
      await bench.companion.keys('Enter');
      await bench.ai.until('the answer to it', (screen) => /text\s+after\s+it/.test(screen), PATIENCE_MS);
      const told = JSON.stringify(bench.model.requests.at(-1)?.body);
      expect(told).toContain('the user said:\\n1. read `end` as well');
    });

    it.skipIf(!isInstalled(name))('several questions: one answer, then boxes, then submit', async () => {
      const bench = await asked(name, columns, 'questions');
      await shows(bench.companion, 'needs no server; a little larger on disk than a plain list');
      await answer(bench, '2');
      await shows(bench.companion, 'Which clients shall it cover?');
      await answer(bench, '1');
      await bench.companion.until('a checked box', (screen) => /1\s+\[[^ ]\] Claude Code/.test(screen));
      await answer(bench, '3');
      await bench.companion.until('two boxes', (screen) => /3\s+\[[^ ]\] Gemini CLI/.test(screen));
      await answer(bench, '5');
      await shows(bench.companion, 'Review your answers');
      await answer(bench, '1');
      await bench.ai.until('the answer to it', (screen) => /text\s+after\s+it/.test(screen), PATIENCE_MS);
      const told = JSON.stringify(bench.model.requests.at(-1)?.body);
      expect(told).toMatch(/Plain JSON lines.*Claude Code, Gemini CLI/);
    });
  });

  const COMMANDS: readonly (readonly [ClientName, string, string])[] = [
    ['claude', '1', 'touch made.txt'],
    ['claude-old', '1', 'touch made.txt'],
    ['codex', '1', 'touch made.txt'],
    ['gemini', '1', 'touch made.txt'],
    ['opencode', '1', 'touch made.txt'],
  ];
  it.skipIf(!isInstalled('claude')).each(COMMANDS)('%s: a command is allowed', async (name, yes, command) => {
    const bench = await asked(name, columns, 'command');
    await shows(bench.companion, command);
    await answer(bench, yes);
    let screens = '';
    const isMade = async () => {
      screens = `${await bench.companion.screen()}\n${await bench.ai.screen()}`;
      return existsSync(path.join(bench.project, 'made.txt'));
    };
    await until('the file that it makes', isMade, { timeoutMs: PATIENCE_MS, show: () => screens });
    await bench.ai.until('the end', (screen) => squeezed(screen).includes(squeezed(AFTER_TOOL)), PATIENCE_MS);
  });

  const REFUSALS: readonly (readonly [ClientName, string])[] = [
    ['claude', '4'],
    ['codex', '3'],
    ['gemini', '3'],
    ['opencode', '3'],
    ['aider', '2'],
  ];
  it.skipIf(!isInstalled('codex')).each(REFUSALS)('%s: a command is refused', async (name, no) => {
    const bench = await asked(name, columns, 'command');
    await answer(bench, no);
    await bench.companion.until('the answer', (screen) => /Answered/.test(screen), PATIENCE_MS);
    expect(existsSync(path.join(bench.project, 'made.txt'))).toBe(false);
  });
});
