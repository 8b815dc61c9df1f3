/** The pictures: what happens on the stage, and which part is shown. */

import { once } from 'node:events';
import { createConnection } from 'node:net';
import path from 'node:path';
import { putTree } from '../../test/helpers/git-fixture.ts';
import { PLAIN_LOOK } from './cells.ts';
import { fixTimes, padTo } from './fixed.ts';
import type { Stage } from './stage.ts';
import { HUNK_NOTES, INSTRUCTION, NOTES_BETWEEN, SANDBOX, SUGGESTION, TYPED } from './story.ts';
import type { Frame } from './svg.ts';

export interface Scene {
  readonly name: string;
  readonly title: string;
  readonly size: { readonly columns: number; readonly rows: number };
  readonly companionColumns: number | null;
  /** One frame, or a film. */
  readonly play: (stage: Stage) => Promise<readonly Frame[]>;
}

const SINGLE = { columns: 100, rows: 24 };

export const SCENES: readonly Scene[] = [
  {
    name: 'responses',
    title:
      'An AI CLI in the left pane, copane beside it: two notes are written between the lines of an answer, and sent',
    size: { columns: 141, rows: 28 },
    companionColumns: 60,
    play: playResponses,
  },
  ...[80, 160].map((columns) => ({
    name: `review-${columns}`,
    title: 'The Review screen: a suggestion of an AI, decided hunk by hunk',
    size: { columns, rows: 34 },
    companionColumns: null,
    play: playReview,
  })),
  {
    name: 'agent',
    title: 'The Agent screen: an instruction, what the model looked at, and its proposal',
    size: SINGLE,
    companionColumns: null,
    play: playAgent,
  },
  {
    name: 'shell',
    title: 'The Shell screen: what shells asked, what was offered and how fast',
    size: SINGLE,
    companionColumns: null,
    play: playShell,
  },
];

const HOLD_MS = { look: 1800, key: 600, typing: 220, end: 3500 };

/** The loop, from an answer to notes that arrived. */
async function playResponses(stage: Stage): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  const shoot = async (ms: number) => {
    const [left, right] = [await stage.ai(), (await stage.companion()).map(fixTimes)];
    frames.push({ rows: right.map((row, at) => [...padTo(left[at] ?? [], 80), BORDER, ...row]), ms });
  };
  await stage.see('of 3');
  await settled(stage);
  await shoot(HOLD_MS.look);
  await stage.keys('Enter');
  await stage.see('v select');
  await shoot(HOLD_MS.key);
  for (const { down, text } of NOTES_BETWEEN) {
    await stage.keys(...Array.from({ length: down }, () => 'j'), 'o');
    await stage.see('INSERT');
    await shoot(HOLD_MS.key);
    let typed = '';
    for (const part of text.match(/.{1,6}/g) ?? []) {
      typed += part;
      await stage.type(part);
      await stage.see(typed);
      await shoot(HOLD_MS.typing);
    }
    await stage.keys('Escape');
    await stage.see('INSERT', false);
    await shoot(HOLD_MS.key);
  }
  await stage.keys('s');
  await stage.see('This will be sent');
  await shoot(HOLD_MS.look);
  await stage.keys('Enter');
  await stage.see('Delivered');
  await shoot(HOLD_MS.end);
  return frames;
}

const BORDER = { text: '│', width: 1, look: { ...PLAIN_LOOK, color: '#6e7681' } };

async function playReview(stage: Stage): Promise<readonly Frame[]> {
  const sandbox = stage.copane('sandbox', 'new', 'parser').split('\n').at(-1) ?? '';
  putTree(path.resolve(stage.project, sandbox), SANDBOX);
  const notes = HUNK_NOTES.flatMap((note) => ['--note', note]);
  stage.copane('publish', '--source', sandbox, '--description', SUGGESTION, ...notes);
  await stage.keys('2');
  await stage.see(/0\/5 decided/);
  await stage.keys('r');
  await stage.see(/1\/5 decided/);
  await stage.keys('a');
  await stage.see(/2\/5 decided/);
  return settled(stage);
}

async function playAgent(stage: Stage): Promise<readonly Frame[]> {
  await stage.keys('3');
  await stage.see('i writes the first instruction');
  await stage.keys('i');
  await stage.type(INSTRUCTION);
  await stage.see('links to it');
  await stage.keys('Enter');
  await stage.see(/Proposal 4 hunks in 3 files/);
  return settled(stage);
}

async function playShell(stage: Stage): Promise<readonly Frame[]> {
  await stage.keys('4');
  await stage.see('alive');
  for (const [index, { input, takes }] of TYPED.entries()) {
    await say(stage.socket, {
      request_id: index + 1,
      input,
      cursor_pos: input.length,
      cwd: '/home/you/parser',
      session_id: '1',
      max_candidates: 4,
    });
    const taken = { type: 'event', event: 'accepted', line: takes, session_id: '1', reply: true };
    if (takes !== null) await say(stage.socket, taken);
  }
  await stage.see(/3 times, after 60 %/);
  return settled(stage);
}

/** One message, as zsh sends it, and its answer. */
async function say(socket: string, message: object): Promise<void> {
  const connection = createConnection(socket);
  await once(connection, 'connect');
  connection.write(`${JSON.stringify(message)}\n`);
  await once(connection, 'data');
  connection.destroy();
}

/** The companion with every time fixed. */
async function settled(stage: Stage): Promise<readonly Frame[]> {
  await stage.see(/claude ● idle \d+/);
  await stage.see(/Suggestion ready|Every hunk|Pulled \d+ response/, false);
  return [{ rows: (await stage.companion()).map(fixTimes), ms: 0 }];
}
