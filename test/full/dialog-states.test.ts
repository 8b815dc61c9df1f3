/**
 * What the companion shows for the dialogs and states of the real AI CLIs, case by case. A case fails if the screen is
 * wrong, or if docs/dialogs-and-states.md says something else. `COPANE_RECORD=1` writes that page.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  answer,
  ask,
  type Beside,
  type BesideOptions,
  besideClients,
  CLEAR,
  FORK,
  openQuestion,
  PATIENCE_MS,
  programOf,
  QUIT,
  RESUME,
  squeezed,
} from '../helpers/beside-client.ts';
import { CLIENTS, type ClientName, isInstalled } from '../helpers/client-catalog.ts';
import {
  AFTER_TOOL,
  AIDER_FILE,
  BEFORE_TOOL,
  COMMAND_TOOL,
  LOGIN_NOTICE,
  PLAN,
  promptFor,
  QUESTION_TOOL,
  QUESTIONS_TOOL,
} from '../helpers/screen-scenes.ts';
import {
  type MeasuredStates,
  pageSays,
  STATE_WIDTHS,
  type StateCase,
  writeStateTable,
} from '../helpers/state-table.ts';

const SAID_MS = 20_000;

const measured: MeasuredStates[] = [];
const begin = besideClients();
const isRecording = process.env.COPANE_RECORD === '1';
afterEach(() => {
  if (isRecording) writeStateTable(measured);
});

/** Every text appears in the open question, scrolled to its end. */
async function isWhole(beside: Beside, texts: readonly string[]): Promise<void> {
  const { companion } = beside;
  await openQuestion(beside);
  let seen = '';
  await companion.until('all of it', async (screen) => {
    seen += squeezed(screen);
    await companion.keys('PageDown');
    return texts.every((text) => seen.includes(squeezed(text)));
  });
}

async function answerFirst(beside: Beside): Promise<void> {
  await answer(beside, '1');
  await beside.companion.until('the answer', (screen) => /Answered/.test(screen), PATIENCE_MS);
}

/** What ends a multiple choice, or leads to its end. */
const ONWARD = /^[▸> ] (\d+) +(?:More answers below|Done|Go on with these|Submit)\b/gm;

/** The number of the last of these answers. */
function onward(screen: string): string | undefined {
  return [...screen.matchAll(ONWARD)].at(-1)?.[1];
}

/** Checks a box of the open question. */
async function check(beside: Beside, label: string): Promise<void> {
  const { companion } = beside;
  const row = new RegExp(String.raw`^[▸> ] (\d+) +\[ \] ${label}`, 'm');
  const screen = await companion.until(`the box of ${label}`, (now) => row.test(now));
  await answer(beside, row.exec(screen)?.[1] ?? '');
  await companion.until(`a check at ${label}`, (now) => new RegExp(String.raw`\[[^ ]\] ${label}`).test(now));
}

/** One answer to the first question, two to the second; the model receives these. */
async function answerAll(beside: Beside): Promise<void> {
  const { companion, ai, model } = beside;
  await answer(beside, '1');
  await check(beside, 'Claude Code');
  await check(beside, 'Gemini CLI');
  const end = squeezed(AFTER_TOOL);
  const isOpen = (screen: string) => screen.includes('─ The AI asks');
  for (let screen = await companion.screen(); isOpen(screen); ) {
    const number = onward(screen);
    if (number === undefined) throw new Error(`nothing leads on:\n${screen}`);
    await answer(beside, number);
    const isNext = (now: string) =>
      !isOpen(now) || (onward(now) !== undefined && questionIn(now) !== questionIn(screen));
    screen = await companion.until('what comes next', isNext, PATIENCE_MS);
  }
  await ai.tmux.until('the answer to it', (screen) => squeezed(screen).includes(end), PATIENCE_MS);
  expect(JSON.stringify(model.requests.at(-1)?.body)).toMatch(/Claude Code[\\", ]+Gemini CLI/);
}

/** The open question with its boxes, whatever is checked, without the message below it. */
function questionIn(screen: string): string {
  const end = [...screen.matchAll(ONWARD)].at(-1)?.index;
  return screen.slice(screen.indexOf('─ The AI asks'), end).replace(/^[▸>]/gm, ' ');
}

/** Some start another turn with an approved plan; there is no script for it. */
async function approvePlan(beside: Beside): Promise<void> {
  await answerFirst(beside);
  const end = /^(?:codex|opencode)$/.test(beside.name) ? 'UNSCRIPTED' : AFTER_TOOL;
  const isGoingOn = (screen: string) => squeezed(screen).includes(squeezed(end));
  await beside.ai.tmux.until('the answer to it', isGoingOn, PATIENCE_MS);
}

const ANSWERS: Readonly<Partial<Record<string, (beside: Beside) => Promise<void>>>> = {
  questions: answerAll,
  plan: approvePlan,
};

async function answeredProse({ companion, ai }: Beside): Promise<void> {
  await ai.submit(promptFor('prose'));
  await companion.until('the answer', (screen) => /A paragraph/.test(screen), PATIENCE_MS);
  await companion.until('the rest', (screen) => /idle|unknown/.test(screen), SAID_MS);
}

/** What Tab in the preview shows where a program can be interrupted. `waits`: its current answer ends first. */
const STEERING: Readonly<Partial<Record<ClientName, { readonly words: string; readonly waits?: true }>>> = {
  claude: { words: 'breaks in now' },
  // It has no key for this.
  'claude-old': { words: 'an older version takes it at its next step', waits: true },
  codex: { words: 'breaks in now' },
  pi: { words: 'at its next step', waits: true },
  'pi-new': { words: 'at its next step', waits: true },
};

const HELD = {
  when: promptFor('streaming'),
  replies: [{ text: 'A paragraph.\n\nAnd its end.', chunkSize: 14, chunkDelayMs: 1, held: true }],
} as const;

/** The open preview of a prompt to an AI that already answers: an earlier prompt may be answered together with the first. */
async function beginHeld(name: ClientName, columns: number): Promise<Beside> {
  const beside = await begin(name, { columns, turns: [HELD] });
  const { companion, ai } = beside;
  await ai.submit(promptFor('streaming'));
  await ai.tmux.until('the stream', (screen) => screen.includes('A paragraph'), PATIENCE_MS);
  await companion.until('the work', (screen) => /working/.test(screen), SAID_MS);
  await companion.note(promptFor('table'));
  await companion.keys('s');
  await companion.until('the preview', (screen) => /The AI is working/.test(screen));
  return beside;
}

/** The session takes another prompt, and both turns are listed: no summary, no repeated answer. */
async function goesOn({ companion, ai }: Beside, said: string): Promise<string> {
  await ai.submit(promptFor('table'));
  await companion.until(
    'both turns',
    (screen) => /1 of 2/.test(screen) && /case table/.test(screen) && /case prose/.test(screen),
    PATIENCE_MS,
  );
  return said;
}

/** The turn ends without a question. */
async function asksNothing({ companion, ai }: Beside, kind: string, end: string): Promise<void> {
  await ai.submit(promptFor(kind));
  await companion.until(
    'the end',
    (screen) => {
      expect(screen).not.toMatch(/waiting for you|asks something/);
      return squeezed(screen).includes(squeezed(end)) && /idle|unknown/.test(screen);
    },
    PATIENCE_MS,
  );
}

const isPi = (name: ClientName) => name.startsWith('pi');

interface DialogCase {
  readonly kind: string;
  readonly row: StateCase;
  readonly options?: (name: ClientName) => Omit<BesideOptions, 'columns'>;
  /** The text of the question; null where no question is expected: `none` checks that there is none. */
  readonly texts: (name: ClientName) => readonly string[] | null;
  readonly none: (beside: Beside) => Promise<string>;
}

const ranUnasked =
  (kind: string): DialogCase['none'] =>
  async (beside) => {
    await asksNothing(beside, kind, AFTER_TOOL);
    return 'asks nothing';
  };

/** The model has no such tool. */
const offersNone =
  (kind: string, tool: RegExp): DialogCase['none'] =>
  async (beside) => {
    if (beside.name === 'codex') await beside.ai.submit('/plan');
    await asksNothing(beside, kind, 'UNSCRIPTED');
    const offered = beside.model.requests.flatMap(({ body }) => (body as { tools?: unknown[] }).tools ?? []);
    expect(offered.map((each) => JSON.stringify(each)).join('\n')).not.toMatch(tool);
    return 'has none';
  };

const codexPlans = (name: ClientName) => (name === 'codex' ? ({ variant: 'plan' } as const) : {});
const DIALOGS: readonly DialogCase[] = [
  {
    kind: 'command',
    row: 'permission for a command',
    texts: (name) => (isPi(name) ? null : [COMMAND_TOOL[name] === null ? 'hello.txt' : 'touch made.txt']),
    none: ranUnasked('command'),
  },
  {
    kind: 'edit',
    row: 'permission for an edit',
    options: (name) => ({
      ...(isPi(name)
        ? {
            turns: [
              {
                when: promptFor('edit'),
                replies: [
                  {
                    text: BEFORE_TOOL,
                    tools: [{ name: 'write', input: { path: 'hello.txt', content: 'hello\n' } }],
                  },
                  { text: AFTER_TOOL },
                ],
              },
            ],
          }
        : {}),
      ...(name === 'aider'
        ? {
            turns: [{ when: promptFor('edit'), replies: [{ text: AIDER_FILE }] }],
            // It asks before it touches a file outside its list.
            prepare: ({ project }) => {
              mkdirSync(project, { recursive: true });
              writeFileSync(path.join(project, 'hello.txt'), 'good day\n');
            },
          }
        : {}),
    }),
    texts: (name) => (isPi(name) ? null : name === 'aider' ? ['hello.txt'] : ['hello', 'world']),
    none: ranUnasked('edit'),
  },
  {
    kind: 'question',
    row: 'question with descriptions',
    options: codexPlans,
    texts: (name) =>
      QUESTION_TOOL[name] === null && name !== 'codex' ? null : ['Which colour', 'The warm one'],
    none: offersNone('question', /"name":"[^"]*(?:question|ask_user|user_input)/i),
  },
  {
    kind: 'questions',
    row: 'multi-select',
    options: codexPlans,
    texts: (name) =>
      QUESTIONS_TOOL[name] === null ? null : ['needs no server; a little larger on disk than a plain list'],
    none: offersNone('multi', /"name":"[^"]*(?:question|ask_user|user_input).*multi/i),
  },
  {
    kind: 'plan',
    row: 'plan',
    options: () => ({ variant: 'plan' }),
    texts: (name) => (/^(?:pi|aider)/.test(name) ? null : PLAN.split('\n').filter((line) => line !== '')),
    none: offersNone('plan', /"name":"[^"]*plan/i),
  },
];

/** Its help lists no such option. */
function forksNot(name: ClientName): string {
  expect(execFileSync(programOf(name), ['--help'], { encoding: 'utf8' })).not.toMatch(/--fork/);
  return 'has none';
}

/** The session file written by pi. */
function piSession({ ai }: Beside): string {
  const folder = ai.launch.env.PI_CODING_AGENT_DIR ?? '';
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((each) =>
    each.endsWith('.jsonl'),
  );
  return path.join(folder, file ?? '');
}

/** The first line of the error. */
const wrong = (thrown: unknown) =>
  `wrong: ${String(thrown instanceof Error ? thrown.message : thrown)
    .split('\n')[0]
    ?.replaceAll('|', '/')
    .slice(0, 80)}`;

describe.each(CLIENTS.map(({ name }) => name))('%s', (name) => {
  describe.each(STATE_WIDTHS)('at %i columns', (columns) => {
    const cells = new Map<StateCase, string>();
    const states = { client: name, columns, cells };
    measured.push(states);
    const measure = async (row: StateCase, play: () => Promise<string>) => {
      try {
        cells.set(row, await play());
      } catch (thrown) {
        cells.set(row, wrong(thrown));
        throw thrown;
      }
      if (!isRecording) expect(cells.get(row)).toBe(pageSays(states, row));
    };
    for (const { kind, row, options, texts, none } of DIALOGS)
      it.skipIf(!isInstalled(name))(row, () =>
        measure(row, async () => {
          const wanted = texts(name);
          const beside = await begin(name, { columns, ...options?.(name) });
          if (wanted === null) return none(beside);
          await ask(beside, kind);
          await isWhole(beside, wanted);
          await (ANSWERS[kind] ?? answerFirst)(beside);
          return 'shown whole, answered';
        }),
      );
    it.skipIf(!isInstalled(name))('busy, interrupted, killed', async () => {
      const { companion, ai } = await begin(name, { columns });
      await ai.submit(promptFor('thinking'));
      await measure('busy', async () => {
        await companion.until('the work', (screen) => /working/.test(screen), SAID_MS);
        return 'said';
      });
      await measure('interrupted', async () => {
        await ai.tmux.keys(name === 'aider' ? 'C-c' : 'Escape');
        if (name === 'opencode') {
          // The two must not arrive as one key, and a key that comes before its server works is lost.
          const isFirst = (screen: string) => /esc again/.test(screen);
          const press = () => ai.tmux.keys('Escape');
          await ai.tmux.until('the first one', isFirst, SAID_MS).catch(press);
          await ai.tmux.until('the first one', isFirst);
          await press();
        }
        await companion.until('the rest', (screen) => /● idle|interrupted/.test(screen), SAID_MS);
        return 'said';
      });
      await measure('killed', async () => {
        const pid = await ai.tmux.run(['display-message', '-p', '-t', ai.tmux.pane, '#{pane_pid}']);
        process.kill(Number(pid.stdout.toString().trim()), 'SIGKILL');
        await companion.until('the end', (screen) => /has ended|was closed/.test(screen), SAID_MS);
        return 'said';
      });
    });
    it.skipIf(!isInstalled(name))('quit', () =>
      measure('quit', async () => {
        const { companion, ai } = await begin(name, { columns });
        await companion.until('the AI', (screen) => /idle|unknown/.test(screen), SAID_MS);
        await ai.submit(QUIT[name]);
        await companion.until('the end', (screen) => /has ended|was closed/.test(screen), SAID_MS);
        return 'said';
      }),
    );
    it.skipIf(!isInstalled(name))('cleared', () =>
      measure('cleared', async () => {
        const beside = await begin(name, { columns });
        const { companion, ai } = beside;
        await answeredProse(beside);
        await ai.submit(CLEAR[name]);
        await ai.tmux.settled(1_500);
        // It always uses the same session file.
        if (name === 'aider') return goesOn(beside, 'the answers before it stay');
        await ai.submit(promptFor('table'));
        await companion.until(
          'the new session',
          (screen) => /1 of 1/.test(screen) && /case table/.test(screen),
          PATIENCE_MS,
        );
        await companion.keys('H');
        await companion.until(
          'the earlier one',
          (screen) => /Sessions of this project/.test(screen) && /case prose/.test(screen),
          SAID_MS,
        );
        return 'new session, the old one by H';
      }),
    );
    it.skipIf(!isInstalled(name))('trust prompt', () =>
      measure('trust prompt', async () => {
        if (!/^(?:claude|gemini|codex)/.test(name)) {
          // Its home is new: it knows no folder there.
          const beside = await begin(name, { columns });
          await asksNothing(beside, 'table', 'After the table');
          return 'asks nothing';
        }
        const beside = await begin(name, { columns, variant: 'untrusted' });
        const { companion } = beside;
        await companion.until(
          'the question',
          (screen) => /waiting for you|asks something/.test(screen),
          // Codex shows its composer first, and asks once its server has started.
          PATIENCE_MS,
        );
        await openQuestion(beside);
        const yes = /^[▸> ] (\d+) +(?:Yes|Trust)\b/m;
        const screen = await companion.until('the yes', (now) => /trust/i.test(now) && yes.test(now));
        await answer(beside, yes.exec(screen)?.[1] ?? '');
        await companion.until('the answer', (now) => /Answered/.test(now), PATIENCE_MS);
        await companion.until('the rest', (now) => /idle|unknown/.test(now), SAID_MS);
        return 'shown whole, answered';
      }),
    );
    it.skipIf(!isInstalled(name))('login or limit notice', () =>
      measure('login or limit notice', async () => {
        const { companion, ai } = await begin(name, { columns });
        await ai.submit(promptFor('login'));
        await companion.until('the turn', (screen) => /Show the case/.test(screen), SAID_MS);
        await companion.until(
          'the notice',
          (screen) => /! \S/.test(screen) && /idle|unknown/.test(screen),
          PATIENCE_MS,
        );
        await companion.keys('Enter');
        await companion.until('its words', (screen) =>
          squeezed(screen).includes(squeezed(LOGIN_NOTICE).slice(0, 10)),
        );
        return 'said';
      }),
    );
    it.skipIf(!isInstalled(name))('queued', () =>
      measure('queued', async () => {
        const { companion, ai, model } = await beginHeld(name, columns);
        await companion.keys('Enter');
        if (name === 'aider') {
          await companion.until(
            'the refusal',
            (screen) => squeezed(screen).includes(squeezed('takes no prompt until it is done')),
            SAID_MS,
          );
          return 'refused, the note stays';
        }
        await companion.until('the queue', (screen) => /queued/.test(screen), SAID_MS);
        model.release();
        await ai.tmux.until('the next answer', (screen) => /After the table/.test(screen), PATIENCE_MS);
        await companion.until('the delivery', (screen) => /[Dd]elivered/.test(screen), SAID_MS);
        return 'said, delivered after the answer';
      }),
    );
    it.skipIf(!isInstalled(name))('steered', () =>
      measure('steered', async () => {
        const { companion, model } = await beginHeld(name, columns);
        const steering = STEERING[name];
        if (steering === undefined) {
          expect(await companion.screen()).not.toMatch(/break in/);
          return 'no choice';
        }
        await companion.keys('Tab');
        await companion.until('the choice', (screen) => squeezed(screen).includes(squeezed(steering.words)));
        await companion.keys('Enter');
        if (steering.waits) {
          await companion.until('the queue', (screen) => /queued/.test(screen), SAID_MS);
          model.release();
        }
        await companion.until('the delivery', (screen) => /[Dd]elivered/.test(screen), PATIENCE_MS);
        await companion.until(
          'both turns',
          (screen) => /case table/.test(screen) && /1 of 2/.test(screen),
          SAID_MS,
        );
        return steering.waits ? 'said, delivered at its next step' : 'said, delivered at once';
      }),
    );
    it.skipIf(!isInstalled(name))('compacted', () =>
      measure('compacted', async () => {
        const beside = await begin(name, { columns });
        await answeredProse(beside);
        await beside.ai.submit(name === 'gemini' ? '/compress' : '/compact');
        if (name === 'aider') {
          await beside.ai.tmux.until('what it says', (screen) => /Invalid command: \/compact/.test(screen));
          return 'has none';
        }
        await beside.companion.until('the rest', (screen) => /idle|unknown/.test(screen), SAID_MS);
        await beside.ai.tmux.settled(1_500);
        return goesOn(beside, 'the answers before it stay');
      }),
    );
    const again = (row: 'resumed' | 'forked', argsOf: (beside: Beside) => readonly string[]) =>
      it.skipIf(!isInstalled(name))(row, () =>
        measure(row, async () => {
          if (row === 'forked' && FORK[name] === undefined) return forksNot(name);
          const beside = await begin(name, { columns });
          await answeredProse(beside);
          await beside.ai.submit(QUIT[name]);
          await beside.companion.until('the end', (screen) => /has ended|was closed/.test(screen), SAID_MS);
          await beside.ai.restart(argsOf(beside));
          return goesOn(beside, 'the answers before it stay');
        }),
      );
    again('resumed', () => RESUME[name]);
    again('forked', (beside) => [...(FORK[name] ?? []), ...(isPi(name) ? [piSession(beside)] : [])]);
  });
});
