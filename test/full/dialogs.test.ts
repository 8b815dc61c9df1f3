/**
 * Dialogs of the real AI CLIs, read and answered from the companion: the whole question is shown, Enter alone answers
 * nothing, and the program gets the marked answer.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  answer,
  ask,
  type Beside,
  type BesideOptions,
  besideClients,
  openQuestion,
  PATIENCE_MS,
  squeezed,
} from '../helpers/beside-client.ts';
import { type ClientName, isInstalled } from '../helpers/client-catalog.ts';
import { AFTER_TOOL, PLAN, promptFor } from '../helpers/screen-scenes.ts';
import { until } from '../helpers/until.ts';

const begin = besideClients();

/** A companion beside a client that was asked `kind`, with the question open on its screen. */
async function asked(name: ClientName, kind: string, options: BesideOptions): Promise<Beside> {
  const beside = await begin(name, options);
  await ask(beside, kind);
  await openQuestion(beside);
  return beside;
}

async function shows({ companion }: Beside, text: string): Promise<void> {
  await companion.until(`"${text}"`, (screen) => squeezed(screen).includes(squeezed(text)));
}

const SIZES = [44, 100];

describe.each(SIZES)('at %i columns', (columns) => {
  describe.each(['claude', 'claude-old'] as const)('%s', (name) => {
    it.skipIf(!isInstalled(name))('a plan: read whole, and refused with notes', async () => {
      const bench = await asked(name, 'plan', { columns, variant: 'plan' });
      for (const line of PLAN.split('\n').filter((each) => each !== '')) await shows(bench, line);
      await bench.companion.keys('Enter');
      await bench.companion.until('nothing chosen', (screen) => screen.includes('No answer is selected'));
      await bench.companion.keys('Escape');
      await bench.companion.until('no question', (screen) => !screen.includes('The AI asks to'));
      await bench.companion.keys('p');
      await bench.companion.note('1. read `end` as well');
      await bench.companion.keys('s');
      await bench.companion.until('the preview', (screen) => screen.includes('what to change in the plan'));
      await bench.companion.keys('Enter');
      await bench.ai.tmux.until(
        'the answer to it',
        (screen) => /text\s+after\s+it/.test(screen),
        PATIENCE_MS,
      );
      const told = JSON.stringify(bench.model.requests.at(-1)?.body);
      expect(told).toContain('the user said:\\n1. read `end` as well');
    });

    it.skipIf(!isInstalled(name))('several questions: one answer, then boxes, then submit', async () => {
      const bench = await asked(name, 'questions', { columns });
      await shows(bench, 'needs no server; a little larger on disk than a plain list');
      await answer(bench, '2');
      await shows(bench, 'Which clients shall it cover?');
      await answer(bench, '1');
      await bench.companion.until('a checked box', (screen) => /1\s+\[[^ ]\] Claude Code/.test(screen));
      await answer(bench, '3');
      await bench.companion.until('two boxes', (screen) => /3\s+\[[^ ]\] Gemini CLI/.test(screen));
      await answer(bench, '5');
      await shows(bench, 'Review your answers');
      await answer(bench, '1');
      await bench.ai.tmux.until(
        'the answer to it',
        (screen) => /text\s+after\s+it/.test(screen),
        PATIENCE_MS,
      );
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
    const bench = await asked(name, 'command', { columns });
    await shows(bench, command);
    await answer(bench, yes);
    let screens = '';
    const isMade = async () => {
      screens = `${await bench.companion.screen()}\n${await bench.ai.tmux.screen()}`;
      return existsSync(path.join(bench.project, 'made.txt'));
    };
    await until('the file that it makes', isMade, { timeoutMs: PATIENCE_MS, show: () => screens });
    await bench.ai.tmux.until(
      'the end',
      (screen) => squeezed(screen).includes(squeezed(AFTER_TOOL)),
      PATIENCE_MS,
    );
  });

  it.skipIf(!isInstalled('gemini')).each([
    ['said to be hidden in part', false],
    ['read whole by its hook', true],
  ])('gemini: a folded command is %s', async (_how, hooks) => {
    const steps = Array.from({ length: 60 }, (_, at) => `echo "step ${at + 1}" >> steps.txt`);
    const input = { command: steps.join('\n'), description: 'Many steps' };
    const tools = [{ name: 'run_shell_command', input }];
    const turns = [{ when: promptFor('command'), replies: [{ tools }, { text: AFTER_TOOL }] }];
    const bench = await asked('gemini', 'command', { columns, hooks, turns });
    await shows(bench, hooks ? steps.slice(0, 12).join('') : 'The AI CLI hides a part of this');
    await answer(bench, '1');
    await bench.companion.until('the answer', (screen) => /Answered/.test(screen), PATIENCE_MS);
  });

  const REFUSALS: readonly (readonly [ClientName, string])[] = [
    ['claude', '4'],
    ['codex', '3'],
    ['gemini', '3'],
    ['opencode', '3'],
    ['aider', '2'],
  ];
  it.skipIf(!isInstalled('codex')).each(REFUSALS)('%s: a command is refused', async (name, no) => {
    const bench = await asked(name, 'command', { columns });
    await answer(bench, no);
    await bench.companion.until('the answer', (screen) => /Answered/.test(screen), PATIENCE_MS);
    expect(existsSync(path.join(bench.project, 'made.txt'))).toBe(false);
  });
});
