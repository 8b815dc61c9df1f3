/** Two running programs that continue the same session. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { jsonLines, put, scratchFolder } from '../../../test/helpers/recorded-session.ts';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { createTranscriptReaders } from './registry.ts';

let home = '';
beforeEach(() => {
  home = scratchFolder();
});
afterEach(() => removeTree(home));

const row = (uuid: string, parentUuid: string | null) => ({
  type: 'user',
  uuid,
  parentUuid,
  message: { content: `prompt ${uuid}` },
});

function pidFile(pid: number, sessionId: string, status: string): void {
  put(path.join(home, `.claude/sessions/${pid}.json`), JSON.stringify({ pid, sessionId, status }));
}

async function sessionOf(pid: number) {
  const reader = createTranscriptReaders({ isAlive: () => true }).get('claude');
  const [ref] = (await reader?.find({ cwd: '/p', pid, env: { HOME: home } })) ?? [];
  const session = ref && reader?.open(ref);
  return { isShared: ref?.isShared, state: (await session?.read())?.state, branches: session?.branches?.() };
}

it('two Claude Codes have their own states, and both branches are known', async () => {
  const rows = [row('one', null), row('mine', 'one'), row('theirs', 'one')];
  put(path.join(home, '.claude/projects/-p/same.jsonl'), jsonLines(rows));
  pidFile(100, 'same', 'idle');
  pidFile(200, 'same', 'waiting');
  const both = await Promise.all([100, 200].map(sessionOf));
  expect(both.map(({ state }) => state)).toEqual(['idle', 'waiting']);
  for (const { isShared, branches } of both) {
    expect(isShared).toBe(true);
    expect(branches?.map((turns) => turns.map(({ id }) => id))).toEqual([
      ['one', 'theirs'],
      ['one', 'mine'],
    ]);
  }
  pidFile(200, 'other', 'waiting');
  expect((await sessionOf(100)).isShared).toBe(false);
});

it.runIf(existsSync('/proc/self/cwd'))('the history of a project is shared by its aiders', async () => {
  const env = { HOME: home, AIDER_CHAT_HISTORY_FILE: put(path.join(home, 'history.md'), '#### one  \n') };
  const aider = createTranscriptReaders({ isAlive: () => true }).get('aider');
  const isShared = async (cwd: string, others: readonly number[]) =>
    (await aider?.find({ cwd, pid: 1, env, others }))?.map((ref) => ref.isShared);
  expect(await isShared(process.cwd(), [process.pid])).toEqual([true]);
  expect(await isShared(process.cwd(), [])).toEqual([false]);
  expect(await isShared(home, [process.pid])).toEqual([false]);
});
