import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { createCodexReader } from './codex.ts';

let root = '';
let folder = '';
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-rollout-'));
  folder = path.join(root, '2026/01/02');
  mkdirSync(folder, { recursive: true });
});
afterEach(() => removeTree(root));

const THREAD = 'thread-1';

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function turn(name: string): string {
  return (
    line({ type: 'event_msg', payload: { type: 'user_message', message: name } }) +
    line({
      type: 'response_item',
      payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: `to ${name}` }] },
    }) +
    line({ type: 'event_msg', payload: { type: 'task_complete' } })
  );
}

/** A rollout; `base` = how many bytes of the thread's previous file still apply. */
function put(name: string, turns: string, base?: number): string {
  const history = base === undefined ? {} : { history_base: { thread_id: THREAD, end_byte_offset: base } };
  const file = path.join(folder, name);
  writeFileSync(file, line({ type: 'session_meta', payload: { id: THREAD, cwd: '/x', ...history } }) + turns);
  return file;
}

async function prompts(file: string, firstStretchBytes: number): Promise<unknown> {
  const reader = createCodexReader({ firstStretchBytes });
  const session = reader.open({ cli: 'codex', path: file, sessionId: THREAD, tie: 'folder', modifiedAt: 0 });
  const snapshot = await session.read({ turns: 100 });
  return [snapshot?.turns.map((told) => told.prompt), snapshot?.complete];
}

/** The bytes of a rollout up to the end of its first `count` turns. */
function upTo(turns: readonly string[], count: number, head: number): number {
  return head + Buffer.byteLength(turns.slice(0, count).join(''));
}

it.each([50, 400, 100_000])('reads the files that a rollout continues (stretch %i)', async (stretch) => {
  const first = ['one', 'two', 'three'].map(turn);
  const head = Buffer.byteLength(line({ type: 'session_meta', payload: { id: THREAD, cwd: '/x' } }));
  put(`rollout-2026-01-02T01-${THREAD}.jsonl`, first.join(''));
  const second = put(`rollout-2026-01-02T02-${THREAD}_a.jsonl`, turn('four'), upTo(first, 2, head));
  expect(await prompts(second, stretch)).toEqual([['one', 'two', 'four'], true]);
  const size = Buffer.byteLength(
    line({
      type: 'session_meta',
      payload: {
        id: THREAD,
        cwd: '/x',
        history_base: { thread_id: THREAD, end_byte_offset: upTo(first, 2, head) },
      },
    }) + turn('four'),
  );
  const third = put(`rollout-2026-01-02T03-${THREAD}_b.jsonl`, turn('five'), size);
  expect(await prompts(third, stretch)).toEqual([['one', 'two', 'four', 'five'], true]);
});

it('begins where it can if the previous file is gone', async () => {
  const file = put(`rollout-2026-01-02T02-${THREAD}_a.jsonl`, turn('four'), 10_000);
  expect(await prompts(file, 1_000)).toEqual([['four'], true]);
  put(`rollout-2026-01-02T01-${THREAD}.jsonl`, turn('too short'));
  expect(await prompts(file, 1_000)).toEqual([['four'], true]);
});

it('continues with the newest file', async () => {
  const first = turn('one');
  const head = Buffer.byteLength(line({ type: 'session_meta', payload: { id: THREAD, cwd: '/x' } }));
  const before = put(`rollout-2026-01-02T01-${THREAD}.jsonl`, first);
  const file = put(`rollout-2026-01-02T02-${THREAD}_a.jsonl`, '', head + Buffer.byteLength(first));
  const reader = createCodexReader();
  const session = reader.open({ cli: 'codex', path: file, sessionId: THREAD, tie: 'folder', modifiedAt: 0 });
  expect((await session.read({ turns: 9 }))?.turns.map((told) => told.prompt)).toEqual(['one']);
  appendFileSync(file, turn('two'));
  appendFileSync(before, turn('not of this branch'));
  const grown = await session.read({ turns: 9 });
  expect(grown?.turns.map((told) => told.prompt)).toEqual(['one', 'two']);
  expect(await session.read({ turns: 9 })).toBe(grown);
});
