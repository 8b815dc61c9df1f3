/** A session that the user begins by hand in the AI CLI: the companion follows it, though its file appears late. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { COPANE, CompanionPane, copaneEnv } from '../../helpers/companion-pane.ts';
import type { PrivateTmux } from '../../helpers/private-tmux.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { piSessions, startSilentPi } from '../../helpers/silent-pi.ts';

/** Longer than the companion delays a read that output triggers. */
const FILE_COMES_LATE_MS = 400;

let root = '';
let project = '';
let tmux: PrivateTmux;

beforeEach(async () => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-new-session-')));
  project = path.join(root, 'project');
  mkdirSync(project);
  tmux = await startSilentPi(root, project, 30);
});

afterEach(async () => {
  await tmux.kill();
  removeTree(root);
});

async function ask(prompt: string): Promise<void> {
  await tmux.type(prompt);
  await tmux.keys('Enter');
  await tmux.until(prompt, (screen) => screen.includes(prompt));
}

function writeSession(id: string, prompt: string, answer: string): void {
  const folder = piSessions(root, project);
  const records = [
    { type: 'session', version: 3, id, timestamp: '2026-01-02T03:04:05Z', cwd: project },
    { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: prompt } },
    {
      type: 'message',
      id: 'b',
      parentId: 'a',
      message: { role: 'assistant', content: [{ type: 'text', text: answer }], stopReason: 'stop' },
    },
  ];
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  writeFileSync(path.join(folder, `2026-01-02T03-04-05Z_${id}.jsonl`), text);
}

it('shows the new session instead of the old one, and not one of another pane', async () => {
  const companion = await CompanionPane.open(tmux, { root, project });
  await ask('Question one, please.');
  writeSession('one', 'Question one, please.', 'The first answer.');
  const first = await companion.until('the first', (screen) => screen.includes('The first answer.'));
  expect(first).not.toContain('not tied');
  writeSession('elsewhere', 'Asked in another pane.', 'No answer of this pane.');
  await ask('Question two, please.');
  await sleep(FILE_COMES_LATE_MS);
  writeSession('two', 'Question two, please.', 'The second answer.');
  const second = await companion.until('the second', (screen) => screen.includes('The second answer.'));
  expect(second).not.toContain('No answer of this pane.');
});

it('lists earlier sessions of the project, searches them, and pulls from one', async () => {
  writeSession('old-1', 'Why is the last line lost?', 'The flush is missing.');
  writeSession('old-2', 'Write the docs.', 'They are written.');
  const run = (...args: string[]) => {
    const env = copaneEnv({ root, project, env: { PI_CODING_AGENT_DIR: path.join(root, '.pi/agent') } });
    const { stdout, stderr } = spawnSync(COPANE, args, { env, cwd: project, encoding: 'utf8' });
    return stdout + stderr;
  };
  const titles = (...args: string[]) =>
    JSON.parse(run('sessions', '--json', ...args)).sessions.map(({ title }: { title: string }) => title);
  expect(titles()).toEqual(expect.arrayContaining(['Write the docs.', 'Why is the last line lost?']));
  expect(titles('--search', 'flush missing')).toEqual(['Why is the last line lost?']);
  expect(titles('--search', 'zebra')).toEqual([]);
  expect(run('pull', '--session', 'old-1')).toBe('The flush is missing.\n');
  expect(run('pull', '--session', 'nope')).toContain('This folder has no session nope');
  const companion = await CompanionPane.open(tmux, {
    root,
    project,
    env: { PI_CODING_AGENT_DIR: path.join(root, '.pi/agent') },
  });
  await companion.keys('H');
  await companion.until('both sessions', (screen) =>
    /Write the docs[\s\S]*last line|last line[\s\S]*Write the docs/.test(screen),
  );
  await companion.keys('/');
  await companion.type('flush');
  await companion.keys('Enter');
  await companion.until('the one found', (screen) => screen.includes('Sessions with "flush"'));
  await companion.keys('Enter');
  await companion.until('its answer', (screen) =>
    /Earlier session pi[\s\S]*The flush is missing/.test(screen),
  );
  await companion.keys('p');
  await companion.until('the draft', (screen) => /Draft/.test(screen));
});
