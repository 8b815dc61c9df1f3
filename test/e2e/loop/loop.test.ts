/** The loop beside a plain program, by markers only, in the real companion; and what survives when it is killed. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { run } from '../../../src/platform/run.ts';
import { COPANE, CompanionPane, copaneEnv, PLAIN_AI } from '../../helpers/companion-pane.ts';
import { hasRecorded } from '../../helpers/first-look.ts';
import { rowsOf } from '../../helpers/full-run.ts';
import { PrivateTmux } from '../../helpers/private-tmux.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { until } from '../../helpers/until.ts';

let root = '';
let project = '';
let tmux: PrivateTmux;

beforeEach(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-loop-'));
  project = path.join(root, 'project');
  mkdirSync(project);
  tmux = new PrivateTmux();
});

afterEach(async () => {
  await tmux.kill();
  removeTree(root);
});

async function startProgram(columns = 80): Promise<void> {
  const env = { ...copaneEnv({ root, project }), TERM: 'tmux-256color' };
  await tmux.start({ argv: PLAIN_AI, env, cwd: project, size: { columns, rows: 40 } });
  await tmux.until('the program', (screen) => screen.includes('SCRIPTED AI'));
}

const companionHere = () => CompanionPane.open(tmux, { root, project });

/** The prompt blocks that the program received, from its screen and history. */
async function promptsSeen(): Promise<number> {
  return (await tmux.history()).split('### END PROMPT').length - 1;
}

async function pidOf(companion: CompanionPane): Promise<number> {
  const shown = await tmux.run(['display-message', '-p', '-t', companion.pane, '#{pane_pid}']);
  return Number(shown.stdout.toString('utf8'));
}

async function kill(companion: CompanionPane): Promise<void> {
  process.kill(await pidOf(companion), 'SIGKILL');
  await until('the end of the companion', async () => {
    const shown = await tmux.run(['display-message', '-p', '-t', companion.pane, '#{pane_dead}']);
    return shown.stdout.toString('utf8').trim() !== '0';
  });
}

test.each(rowsOf(1, [80, 44]))(
  'ask, pull, annotate, send back only the notes, at %i columns',
  async (columns) => {
    await startProgram(columns);
    const companion = await companionHere();
    await companion.note('Why?');
    await companion.send();
    await companion.until('the answer', (screen) => screen.includes('never flushes'));
    await companion.until('the whole answer', (screen) => /Response \d+ lines/.test(screen));
    await tmux.until('the end of the answer', (screen) => screen.includes('and Enter.)'));
    await companion.keys('p');
    await companion.until('the pull', (screen) => screen.split('never flushes').length > 2);
    await companion.note('first note 漢字');
    await companion.keys('G');
    await companion.note('second note;');
    await companion.send();
    await tmux.until('the echo', (screen) => screen.includes('I received 2 lines'));
    const history = await tmux.history();
    expect(history).toMatch(/ {2}first note 漢字\n {2}second note;\n/);
    expect(await promptsSeen()).toBe(2);
  },
);

test('a closed pane is reported as closed, also when it is looked at again', async () => {
  await startProgram();
  // The last pane of a session ends the session, and the server with it.
  const companion = await companionHere();
  await companion.until('the program', (screen) => /idle|unknown/.test(screen));
  await tmux.run(['kill-pane', '-t', tmux.pane]);
  const isSaid = (screen: string) => screen.includes('The AI pane was closed');
  await companion.until('the end', isSaid);
  await companion.keys('r');
  // The look's own message is below the draft.
  const screen = await companion.until('the look', (now) =>
    /─ Draft[\s\S]*\bAI pane|─ Draft[\s\S]*%/.test(now),
  );
  expect(isSaid(screen)).toBe(true);
  expect(screen).not.toMatch(/no pane %|Ask the AI something/);
});

test('another AI takes the place of a closed pane only when it is chosen', async () => {
  await startProgram();
  const companion = await companionHere();
  await companion.until('the program', (screen) => /idle|unknown/.test(screen));
  const vars = Object.entries({ ...copaneEnv({ root, project }), TERM: 'tmux-256color' });
  const program = ['env', '-i', ...vars.map(([name, value]) => `${name}=${value}`), ...PLAIN_AI];
  const split = ['split-window', '-d', '-P', '-F', '#{pane_id}', '-t', companion.pane, ...program];
  const other = (await tmux.run(split)).stdout.toString('utf8').trim();
  await tmux.run(['set-option', '-p', '-t', other, '@copane_role', 'ai']);
  const inOther = async () =>
    (await tmux.run(['capture-pane', '-p', '-S', '-', '-t', other])).stdout.toString('utf8');
  await companion.keys('t');
  await companion.until('both panes', (screen) => /AI panes[\s\S]*0\.0[\s\S]*1\.1/.test(screen));
  await companion.keys('Escape');
  await tmux.run(['kill-pane', '-t', tmux.pane]);
  const isSaid = (screen: string) => /The AI pane was closed[\s\S]* t AI panes/.test(screen);
  await companion.until('the end, and what to do', isSaid);
  await companion.note('for the one that is gone');
  await companion.keys('s');
  await companion.until('the preview', (screen) => screen.includes('This will be sent'));
  await companion.keys('Enter');
  await companion.until('the refusal', (screen) =>
    /closed: generic[\s\S]*Press\s+t\s+to\s+follow/.test(screen.slice(screen.indexOf('─ Draft'))),
  );
  expect(await inOther()).not.toContain('for the one');
  await companion.keys('t');
  await companion.until('the other one alone', (screen) => /AI panes[\s\S]*1\.1/.test(screen));
  await companion.keys('Enter');
  await companion.until('the other', (screen) => !isSaid(screen) && /for the one/.test(screen));
  await companion.send();
  let seen = '';
  const hasCome = async () => {
    seen = await inOther();
    return seen.includes('Answer 1 of the script');
  };
  await until('the note', hasCome, { show: () => seen });
  expect(seen).toContain('for the one that is gone');
});

describe('killed with -9', () => {
  test('the draft is there again', async () => {
    await startProgram();
    const first = await companionHere();
    await first.note('a thought that must not be lost');
    // Saved within a moment of the last key: wait until another process can read it.
    const env = { ...copaneEnv({ root, project }) };
    await until(
      'the draft on disk',
      async () => {
        const socket = (await tmux.run(['display-message', '-p', '#{socket_path},1,0'])).stdout
          .toString('utf8')
          .trim();
        const said = await run(COPANE, ['append', '--json', '--pane', tmux.pane, 'from a script'], {
          env: { ...env, TMUX: socket },
        });
        return said.code === 0 && JSON.parse(said.stdout.toString('utf8')).lines > 1;
      },
      { intervalMs: 200 },
    );
    await kill(first);
    const second = await companionHere();
    await second.until(
      'the draft',
      (screen) => screen.includes('a thought that must not be lost') && screen.includes('from a script'),
    );
  });

  test('in the middle of a send: nothing is lost, nothing is typed twice', async () => {
    await startProgram();
    for (let round = 1; round <= 4; round += 1) {
      const companion = await companionHere();
      await companion.keys('G');
      await companion.note(`round ${round}`);
      await companion.keys('s');
      await companion.until('the preview', (screen) => screen.includes('This will be sent'));
      const before = await promptsSeen();
      await companion.keys('Enter');
      // Somewhere between the record and the proof; another moment in each round.
      await until('the record', () => Promise.resolve(hasRecorded(root, `round ${round}`)));
      if (round % 2 === 0)
        await until(
          'the paste',
          async () => (await promptsSeen()) > before || (await tmux.screen()).includes(`round ${round}`),
        );
      await kill(companion);
      const again = await companionHere();
      const typed = async () =>
        (await tmux.history()).split('\n').filter((line) => line.trim() === `round ${round}`).length;
      await again.until(
        'the text, sent or still in the draft',
        async (screen) => (await typed()) > 0 || screen.includes(`round ${round}`),
      );
      // The program echoes its input: a prompt that went through once appears at most twice.
      expect(await typed()).toBeLessThanOrEqual(2);
      await kill(again);
    }
  });
});

test('two companions on one pane: each shows what the other writes, and survives its death', async () => {
  await startProgram();
  const [leader, follower] = [await companionHere(), await companionHere()];
  await leader.note('from the leader');
  await follower.until('the note of the other', (screen) => screen.includes('from the leader'));
  await kill(leader);
  await follower.keys('Tab', 'Tab', 'G');
  await follower.note('from the follower');
  await follower.send();
  await tmux.until(
    'both notes',
    (screen) => screen.includes('from the leader') && screen.includes('from the follower'),
  );
  await follower.until('the word about it', (screen) => /delivered/i.test(screen));
  expect(await promptsSeen()).toBe(1);
});

test('at 20×5 it says that it is too small, and returns when there is room', async () => {
  await startProgram();
  const companion = await companionHere();
  await tmux.run(['resize-window', '-t', companion.pane, '-x', '20', '-y', '5']);
  await companion.until(
    'one line about the size',
    (screen) => !screen.includes('Responses') && screen.trim() !== '',
  );
  await tmux.run(['resize-window', '-t', companion.pane, '-x', '80', '-y', '24']);
  await companion.until('the screen', (screen) => screen.includes('Responses'));
});
