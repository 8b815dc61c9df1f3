import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { jsonLines, put, readSession, scratchFolder, told } from '../../../test/helpers/recorded-session.ts';

const root = scratchFolder();
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CWD = '/home/dev/project';
let count = 0;
let parent: string | null = null;

function line(message: object) {
  const id = `e${++count}`;
  const record = { type: 'message', id, parentId: parent, timestamp: '2026-01-01T00:00:00Z', message };
  parent = id;
  return record;
}

const prompt = (text: string) => line({ role: 'user', content: [{ type: 'text', text }] });
const calls = (...content: object[]) => line({ role: 'assistant', content, stopReason: 'toolUse' });
const call = (id: string, name: string, args: object) => ({ type: 'toolCall', id, name, arguments: args });
const result = (id: string, name: string, more: object) =>
  line({
    role: 'toolResult',
    toolCallId: id,
    toolName: name,
    content: [{ type: 'text', text: 'done' }],
    isError: false,
    ...more,
  });

function read(...lines: object[]) {
  const head = { type: 'session', version: 3, id: 's', cwd: CWD };
  parent = null;
  return readSession('pi', put(path.join(root, `${++count}`, '1_s.jsonl'), jsonLines([head, ...lines])));
}

describe('recorded edits of pi', () => {
  it('have a patch since 1.6, without the line ends on disk', async () => {
    const patch = '--- a.txt\n+++ a.txt\n@@ -14,3 +14,3 @@\n 14\n-15\n+FIFTEEN\n 16\n';
    const { changes } = await read(
      prompt('Edit.'),
      calls(call('c', 'edit', { path: 'a.txt', edits: [{ oldText: '15', newText: 'FIFTEEN' }] })),
      result('c', 'edit', { details: { diff: '', patch } }),
    );
    expect(told(changes(), 'a.txt')).toMatchObject({
      path: `${CWD}/a.txt`,
      exact: false,
      why: expect.stringContaining('LF'),
      hunks: [{ oldStart: 14, newStart: 14, lines: [' 14\n', '-15\n', '+FIFTEEN\n', ' 16\n'] }],
    });
  });

  it('of earlier versions have a diff for display, made from a simplified text', async () => {
    const diff =
      '    ...\n 14 line 14\n-15 line 15\n+15 line FIFTEEN\n+16 extra\n 16 line 16\n-17 line 17\n    ...\n 40 x\n+42 y';
    const { changes } = await read(
      prompt('Edit.'),
      calls(call('c', 'edit', { path: 'a.txt', edits: [] })),
      result('c', 'edit', { details: { diff, firstChangedLine: 15 } }),
    );
    const file = told(changes(), 'a.txt');
    expect(file).toMatchObject({ exact: false, why: expect.stringContaining('loosened') });
    expect(file.hunks.map(({ oldStart, newStart, lines }) => [oldStart, newStart, lines.length])).toEqual([
      [14, 14, 6],
      [40, 40, 2],
    ]);
  });

  it('of several simultaneous calls become one difference', async () => {
    const patch = (at: number, old: string, put: string) =>
      `--- a\n+++ a\n@@ -${at},1 +${at},1 @@\n-${old}\n+${put}\n`;
    const { changes } = await read(
      prompt('Edit.'),
      calls(call('one', 'edit', { path: 'a.txt' }), call('two', 'edit', { path: `${CWD}/a.txt` })),
      result('one', 'edit', { details: { patch: patch(1, 'a', 'b') } }),
      result('two', 'edit', { details: { patch: patch(1, 'b', 'c') } }),
    );
    expect(told(changes(), 'a.txt').lines).toEqual(['-a\n', '+c\n']);
  });

  it('of "write" have the new text, but not the previous one', async () => {
    const { changes } = await read(
      prompt('Write.'),
      calls(call('c', 'write', { path: 'new.txt', content: 'x\r\ny' })),
      result('c', 'write', {}),
    );
    expect(told(changes(), 'new.txt')).toMatchObject({ kind: 'add', after: 'x\r\ny', exact: false });
  });

  it('change nothing if they failed, or if their answer was stopped', async () => {
    const { changes, recorded } = await read(
      prompt('Edit.'),
      calls(call('f', 'edit', { path: 'a.txt' })),
      result('f', 'edit', { isError: true, details: {} }),
      calls(call('n', 'edit', { path: 'b.txt' })),
      line({ role: 'assistant', content: [call('x', 'edit', { path: 'c.txt' })], stopReason: 'aborted' }),
    );
    expect(recorded[0]?.edits.map(({ outcome }) => outcome)).toEqual(['failed', 'unknown']);
    expect(recorded[0]?.interrupted).toBe(true);
    expect(changes().files).toEqual([]);
  });

  it('list commands with their exit status', async () => {
    const { recorded } = await read(
      prompt('Run.'),
      calls(call('ok', 'bash', { command: 'rm x' }), call('bad', 'bash', { command: 'false' })),
      result('ok', 'bash', {}),
      result('bad', 'bash', {
        isError: true,
        content: [{ type: 'text', text: 'Command exited with code 3' }],
      }),
    );
    expect(recorded[0]?.commands).toMatchObject([
      { command: 'rm x', cwd: CWD, exit: 0, outcome: 'applied' },
      { command: 'false', exit: 3, outcome: 'failed' },
    ]);
  });
});
