/**
 * What the companion shows of the dialogs and states of the real AI CLIs, case by case. A case that a program has and that
 * is shown wrong fails. `COPANE_RECORD=1` writes docs/dialogs-and-states.md.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type ClientName, isInstalled } from '../helpers/client-catalog.ts';
import { clientStages } from '../helpers/client-stage.ts';
import { CompanionPane } from '../helpers/companion-pane.ts';
import type { ClientVariant, StartedClient } from '../helpers/real-clients.ts';
import {
  COMMAND_TOOL,
  EDIT_TOOL,
  LOGIN_NOTICE,
  PLAN,
  promptFor,
  QUESTION_TOOL,
  QUESTIONS_TOOL,
  sceneScript,
} from '../helpers/screen-scenes.ts';
import {
  type MeasuredStates,
  STATE_WIDTHS,
  type StateCase,
  writeStateTable,
} from '../helpers/state-table.ts';

const PATIENCE_MS = 60_000;
const SAID_MS = 20_000;

const measured: MeasuredStates[] = [];
const startStage = clientStages();
afterAll(() => {
  if (process.env.COPANE_RECORD === '1') writeStateTable(measured);
});

interface Beside {
  readonly companion: CompanionPane;
  readonly ai: StartedClient;
  readonly project: string;
}

async function begin(name: ClientName, columns: number, variant?: ClientVariant): Promise<Beside> {
  const options = {
    columns,
    patienceMs: PATIENCE_MS,
    ...(variant === undefined ? {} : { variant }),
    // By default it asks a service that refuses it again and again, for minutes.
    ...(name.startsWith('claude') ? { env: { CLAUDE_CODE_MAX_RETRIES: '0' } } : {}),
  };
  const script = (place: string) => sceneScript(name, place);
  const { root, project, client } = await startStage(name, script, options);
  return { companion: await CompanionPane.open(client.tmux, { root, project }), ai: client, project };
}

const OPEN_QUESTION = /─ The AI asks/;

const squeezed = (text: string) => text.replace(/[\s│┃╌─]+/g, '');

/** Every text stands in the open question, which is scrolled to its end. */
async function isWhole(companion: CompanionPane, texts: readonly string[]): Promise<void> {
  await companion.keys('g', 'a');
  await companion.until('the open question', (screen) => OPEN_QUESTION.test(screen));
  let seen = '';
  await companion.until('all of it', async (screen) => {
    seen += squeezed(screen);
    await companion.keys('PageDown');
    return texts.every((text) => seen.includes(squeezed(text)));
  });
}

async function answerFirst(companion: CompanionPane): Promise<void> {
  await companion.keys('1');
  await companion.until('the mark', (screen) => /[▸>] 1\b/.test(screen));
  await companion.keys('Enter');
  await companion.until('the answer', (screen) => /Answered/.test(screen), PATIENCE_MS);
}

async function asks({ companion, ai }: Beside, name: ClientName, kind: string): Promise<void> {
  if (kind === 'plan' && name === 'codex') await ai.submit('/plan');
  await ai.submit(promptFor(kind));
  await companion.until(
    'the question',
    (screen) => /waiting for you|asks something/.test(screen),
    PATIENCE_MS,
  );
}

const QUIT: Readonly<Record<ClientName, string>> = {
  claude: '/exit',
  'claude-old': '/exit',
  codex: '/quit',
  opencode: '/exit',
  pi: '/quit',
  'pi-new': '/quit',
  gemini: '/quit',
  aider: '/exit',
};

/** What begins a new session; null where a folder has one for ever. */
const CLEAR: Readonly<Record<ClientName, string | null>> = {
  claude: '/clear',
  'claude-old': '/clear',
  codex: '/new',
  opencode: '/new',
  pi: '/new',
  'pi-new': '/new',
  gemini: '/clear',
  aider: null,
};

/** What shortens a conversation; null where nothing does. */
const COMPACT: Readonly<Record<ClientName, string | null>> = {
  ...CLEAR,
  claude: '/compact',
  'claude-old': '/compact',
  codex: '/compact',
  opencode: '/compact',
  pi: '/compact',
  'pi-new': '/compact',
  gemini: '/compress',
};

/** The arguments that go on with the last session. */
const RESUME: Readonly<Record<ClientName, readonly string[] | null>> = {
  claude: ['--continue'],
  'claude-old': ['--continue'],
  codex: ['resume', '--last'],
  opencode: ['--continue'],
  pi: ['--continue'],
  'pi-new': ['--continue'],
  gemini: ['--resume', 'latest'],
  aider: ['--restore-chat-history'],
};

/** The arguments that go on with a copy of it; null where that takes a key in a list, or nothing does. */
const FORK: Readonly<Record<ClientName, readonly string[] | null>> = {
  claude: ['--continue', '--fork-session'],
  'claude-old': ['--continue', '--fork-session'],
  codex: ['fork', '--last'],
  opencode: ['--continue', '--fork'],
  pi: null,
  'pi-new': null,
  gemini: null,
  aider: null,
};

async function answeredProse({ companion, ai }: Beside): Promise<void> {
  await ai.submit(promptFor('prose'));
  await companion.until('the answer', (screen) => /A paragraph/.test(screen), PATIENCE_MS);
  await companion.until('the rest', (screen) => /idle|unknown/.test(screen), SAID_MS);
}

/** The session takes one more prompt, and both turns are listed: no summary, no answer twice. */
async function goesOn({ companion, ai }: Beside, said: string): Promise<string> {
  await ai.submit(promptFor('table'));
  await companion.until(
    'both turns',
    (screen) => /1 of 2/.test(screen) && /case table/.test(screen) && /case prose/.test(screen),
    PATIENCE_MS,
  );
  return said;
}

/** What is asked and must be read; null where the program has no such dialog. */
interface DialogCase {
  readonly kind: string;
  readonly row: StateCase;
  readonly variant?: ClientVariant;
  readonly texts: (name: ClientName) => readonly string[] | null;
}

const DIALOGS: readonly DialogCase[] = [
  {
    kind: 'command',
    row: 'permission for a command',
    texts: (name) =>
      name.startsWith('pi') ? null : [COMMAND_TOOL[name] === null ? 'hello.txt' : 'touch made.txt'],
  },
  {
    kind: 'edit',
    row: 'permission for an edit',
    texts: (name) => (EDIT_TOOL[name] === null ? null : ['hello', 'world']),
  },
  {
    kind: 'question',
    row: 'question with descriptions',
    texts: (name) => (QUESTION_TOOL[name] === null ? null : ['Which colour']),
  },
  {
    kind: 'questions',
    row: 'multi-select',
    texts: (name) =>
      QUESTIONS_TOOL[name] === null ? null : ['needs no server; a little larger on disk than a plain list'],
  },
  {
    kind: 'plan',
    row: 'plan',
    variant: 'plan',
    texts: (name) => (/^(?:pi|aider)/.test(name) ? null : PLAN.split('\n').filter((line) => line !== '')),
  },
];

/** The first line of what went wrong. */
const wrong = (thrown: unknown) =>
  `wrong: ${String(thrown instanceof Error ? thrown.message : thrown)
    .split('\n')[0]
    ?.replaceAll('|', '/')
    .slice(0, 80)}`;

const CLIENTS_RUN: readonly ClientName[] = [
  'claude',
  'claude-old',
  'codex',
  'opencode',
  'pi',
  'pi-new',
  'gemini',
  'aider',
];

describe.each(CLIENTS_RUN)('%s', (name) => {
  describe.each(STATE_WIDTHS)('at %i columns', (columns) => {
    const cells = new Map<StateCase, string>();
    measured.push({ client: name, columns, cells });
    const measure = async (row: StateCase, play: () => Promise<string>) => {
      try {
        cells.set(row, await play());
      } catch (thrown) {
        cells.set(row, wrong(thrown));
        throw thrown;
      }
    };
    for (const { kind, row, variant, texts } of DIALOGS)
      it.skipIf(!isInstalled(name))(row, () =>
        measure(row, async () => {
          const wanted = texts(name);
          if (wanted === null) return 'has none';
          const beside = await begin(name, columns, variant);
          await asks(beside, name, kind);
          await isWhole(beside.companion, wanted);
          if (kind === 'questions' || kind === 'plan') return 'shown whole';
          await answerFirst(beside.companion);
          return 'shown whole, answered';
        }),
      );
    it.skipIf(!isInstalled(name))('busy, interrupted, killed', async () => {
      const { companion, ai } = await begin(name, columns);
      await ai.submit(promptFor('thinking'));
      await measure('busy', async () => {
        await companion.until('the work', (screen) => /working/.test(screen), SAID_MS);
        return 'said';
      });
      await measure('interrupted', async () => {
        await ai.tmux.keys(name === 'aider' ? 'C-c' : 'Escape');
        if (name === 'opencode') {
          // The two must not come as one key.
          await ai.tmux.until('the first one', (screen) => /esc again/.test(screen));
          await ai.tmux.keys('Escape');
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
        const { companion, ai } = await begin(name, columns);
        await companion.until('the AI', (screen) => /idle|unknown/.test(screen), SAID_MS);
        await ai.submit(QUIT[name]);
        await companion.until('the end', (screen) => /has ended|was closed/.test(screen), SAID_MS);
        return 'said';
      }),
    );
    it.skipIf(!isInstalled(name))('cleared', () =>
      measure('cleared', async () => {
        const clear = CLEAR[name];
        if (clear === null) return 'has none';
        const beside = await begin(name, columns);
        const { companion, ai } = beside;
        await answeredProse(beside);
        await ai.submit(clear);
        await ai.tmux.settled(1_500);
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
        if (!/^(?:claude|gemini|codex)/.test(name)) return 'has none';
        const { companion } = await begin(name, columns, 'untrusted');
        await companion.until(
          'the question',
          (screen) => /waiting for you|asks something/.test(screen),
          SAID_MS,
        );
        await companion.keys('g', 'a');
        await companion.until(
          'the open question',
          (screen) => OPEN_QUESTION.test(screen) && /trust/i.test(screen),
        );
        return 'shown whole';
      }),
    );
    it.skipIf(!isInstalled(name))('login or limit notice', () =>
      measure('login or limit notice', async () => {
        const { companion, ai } = await begin(name, columns);
        await ai.submit(promptFor('login'));
        await companion.until('the turn', (screen) => /case login/.test(screen), SAID_MS);
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
        const { companion, ai } = await begin(name, columns);
        await ai.submit(promptFor('streaming'));
        await companion.until('the work', (screen) => /working/.test(screen), SAID_MS);
        await companion.note(promptFor('table'));
        await companion.keys('s');
        await companion.until('the preview', (screen) => /The AI is working/.test(screen));
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
        await ai.tmux.until('the next answer', (screen) => /After the table/.test(screen), PATIENCE_MS);
        await companion.until('the delivery', (screen) => /[Dd]elivered/.test(screen), SAID_MS);
        return 'said, delivered after the answer';
      }),
    );
    it.skipIf(!isInstalled(name))('steered', () =>
      measure('steered', async () => {
        if (name !== 'codex') return 'has none';
        const { companion, ai } = await begin(name, columns);
        await ai.submit(promptFor('streaming'));
        await companion.until('the work', (screen) => /working/.test(screen), SAID_MS);
        await companion.note(promptFor('table'));
        await companion.keys('s');
        await companion.until('the preview', (screen) => /this waits until/.test(screen));
        await companion.keys('Tab');
        await companion.until('the choice', (screen) => /breaks in now/.test(screen));
        await companion.keys('Enter');
        await companion.until('the delivery', (screen) => /[Dd]elivered/.test(screen), PATIENCE_MS);
        await companion.until(
          'both turns',
          (screen) => /case table/.test(screen) && /1 of 2/.test(screen),
          SAID_MS,
        );
        return 'said, delivered at once';
      }),
    );
    it.skipIf(!isInstalled(name))('compacted', () =>
      measure('compacted', async () => {
        const compact = COMPACT[name];
        if (compact === null) return 'has none';
        const beside = await begin(name, columns);
        await answeredProse(beside);
        await beside.ai.submit(compact);
        await beside.companion.until('the rest', (screen) => /idle|unknown/.test(screen), SAID_MS);
        await beside.ai.tmux.settled(1_500);
        return goesOn(beside, 'the answers before it stay');
      }),
    );
    const again = (
      row: 'resumed' | 'forked',
      words: Readonly<Record<ClientName, readonly string[] | null>>,
    ) =>
      it.skipIf(!isInstalled(name))(row, () =>
        measure(row, async () => {
          const args = words[name];
          if (args === null) return 'has none';
          const beside = await begin(name, columns);
          await answeredProse(beside);
          await beside.ai.submit(QUIT[name]);
          await beside.companion.until('the end', (screen) => /has ended|was closed/.test(screen), SAID_MS);
          await beside.ai.restart(args);
          return goesOn(beside, 'the answers before it stay');
        }),
      );
    again('resumed', RESUME);
    again('forked', FORK);
  });
});

it('has a page with a cell for every case', () => {
  expect(existsSync(path.join(import.meta.dirname, '../../docs/dialogs-and-states.md'))).toBe(true);
});
