import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { jsonLines, put, readSession, scratchFolder, told } from '../../../test/helpers/recorded-session.ts';

const root = scratchFolder();
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CWD = '/home/dev/project';
let count = 0;

const line = (type: string, payload: object) => ({ timestamp: '2026-01-01T00:00:00Z', type, payload });
const META = line('session_meta', { id: 'thread', cwd: CWD });
const prompt = (text: string) =>
  line('event_msg', {
    type: 'item_completed',
    item: { type: 'UserMessage', id: `u${++count}`, content: [{ text }] },
  });
const changed = (changes: object, id = `call_${++count}`) =>
  line('event_msg', {
    type: 'item_completed',
    item: { type: 'FileChange', id, status: 'completed', changes },
  });
const update = (name: string, unified_diff: string, move_path: string | null = null) => ({
  [`${CWD}/${name}`]: { type: 'update', unified_diff, move_path },
});
const call = (id: string, input: string) =>
  line('response_item', {
    type: 'custom_tool_call',
    name: 'apply_patch',
    call_id: id,
    status: 'completed',
    input,
  });
const output = (id: string, text: unknown) =>
  line('response_item', { type: 'custom_tool_call_output', call_id: id, output: text });

function read(...lines: object[]) {
  const file = path.join(root, `${++count}`, 'sessions/2026/01/01/rollout-2026-01-01T00-00-00-thread.jsonl');
  return readSession('codex', put(file, jsonLines([META, ...lines])));
}

describe('recorded edits of Codex', () => {
  it('are the changed lines, exact without the rest of the file', async () => {
    const { changes } = await read(
      prompt('Edit.'),
      changed(update('a.txt', '@@ -2,3 +2,3 @@\n two\n-three\n+THREE\n four\n')),
    );
    expect(told(changes(), 'a.txt')).toMatchObject({
      exact: true,
      before: undefined,
      hunks: [{ oldStart: 2, oldLines: 3, newStart: 2, newLines: 3 }],
      lines: [' two\n', '-three\n', '+THREE\n', ' four\n'],
    });
  });

  it('become one difference, with the line numbers of the first text and of the last', async () => {
    const { changes } = await read(
      prompt('Edit twice.'),
      changed(update('a.txt', '@@ -20,1 +20,3 @@\n-old\n+new\n+more\n+even more\n')),
      changed(update('a.txt', '@@ -40,2 +40,1 @@\n kept\n-gone\n')),
      changed(update('a.txt', '@@ -21,1 +21,1 @@\n-more\n+MORE\n')),
    );
    expect(told(changes(), 'a.txt')).toMatchObject({
      exact: true,
      hunks: [
        {
          oldStart: 20,
          oldLines: 1,
          newStart: 20,
          newLines: 3,
          lines: ['-old\n', '+new\n', '+MORE\n', '+even more\n'],
        },
        { oldStart: 38, oldLines: 2, newStart: 40, newLines: 1 },
      ],
    });
  });

  it('report a line between two of them that somebody else changed', async () => {
    const { changes } = await read(
      prompt('Edit twice.'),
      changed(update('a.txt', '@@ -1,1 +1,1 @@\n-one\n+ONE\n')),
      changed(update('a.txt', '@@ -1,1 +1,1 @@\n-mine\n+two\n')),
    );
    expect(told(changes(), 'a.txt')).toMatchObject({
      exact: false,
      why: expect.stringContaining('part of what'),
    });
  });

  it('keep line ends unchanged, and mark a last line without one', async () => {
    const { changes } = await read(
      prompt('Edit.'),
      changed({
        ...update('crlf.txt', '@@ -1,2 +1,2 @@\n one\r\n-two\r\n+TWO\r\n'),
        ...update('end.txt', '@@ -1,1 +1,1 @@\n-end\n\\ No newline at end of file\n+END\n'),
      }),
    );
    expect(told(changes(), 'crlf.txt').lines).toEqual([' one\r\n', '-two\r\n', '+TWO\r\n']);
    expect(told(changes(), 'end.txt').lines).toEqual(['-end', '+END\n']);
  });

  it('delete files, and rename them with their changes, even outside the project', async () => {
    const { changes } = await read(
      prompt('Move.'),
      changed({
        [`${CWD}/del.txt`]: { type: 'delete', content: 'gone\r\n' },
        ...update('old.txt', '@@ -1,1 +1,1 @@\n-a\n+b\n', `${CWD}/sub/new.txt`),
        '/etc/outside.txt': { type: 'update', unified_diff: '@@ -1 +1 @@\n-a\n+b\n', move_path: null },
      }),
    );
    expect(told(changes(), 'del.txt')).toMatchObject({ kind: 'delete', exact: true, before: 'gone\r\n' });
    expect(told(changes(), 'new.txt')).toMatchObject({
      kind: 'rename',
      exact: true,
      movedFrom: `${CWD}/old.txt`,
    });
    expect(told(changes(), 'outside.txt').exact).toBe(true);
  });

  it('do not claim that an added file was new: one that was overwritten looks the same', async () => {
    const { changes } = await read(
      prompt('Add.'),
      changed({ [`${CWD}/new.txt`]: { type: 'add', content: 'x\n' } }),
    );
    expect(told(changes(), 'new.txt')).toMatchObject({ kind: 'add', after: 'x\n', exact: false });
  });

  it('include the whole text of a file once it was added, through later edits', async () => {
    const { changes } = await read(
      prompt('Add and edit.'),
      changed({ [`${CWD}/new.txt`]: { type: 'add', content: 'one\ntwo\n' } }),
      changed(update('new.txt', '@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n')),
    );
    expect(told(changes(), 'new.txt').after).toBe('one\nTWO\n');
  });

  it('include a stopped command, which has no separate record', async () => {
    const shell = (id: string) =>
      line('response_item', {
        type: 'function_call',
        name: 'exec_command',
        call_id: id,
        arguments: '{"cmd":"make"}',
      });
    const ended = (id: string, text: string) =>
      line('response_item', { type: 'function_call_output', call_id: id, output: text });
    const item = { type: 'CommandExecution', id: 'c2', status: 'completed', command: ['ls'], exit_code: 0 };
    const { recorded } = await read(
      prompt('Run.'),
      shell('c1'),
      ended('c1', 'Wall time: 0.2 seconds\naborted by user'),
      shell('c2'),
      line('event_msg', { type: 'item_completed', item }),
      ended('c2', 'aborted by user after 1.5s'),
    );
    const told = recorded[0]?.commands.map(({ command, outcome }) => [command, outcome]);
    expect(told?.sort()).toEqual([
      ['ls', 'applied'],
      ['make', 'unknown'],
    ]);
  });

  it('include a running command until its end is recorded: even after the turn, and in code mode', async () => {
    const execute = (name: string) =>
      line('response_item', { type: 'function_call', name, call_id: 'c', arguments: '{"cmd":"make"}' });
    const goesOn = 'Wall time: 10.0 seconds\nProcess running with session ID 77\nOutput:\n';
    const result = line('response_item', { type: 'function_call_output', call_id: 'c', output: goesOn });
    const end = (id: string) =>
      line('event_msg', {
        type: 'item_completed',
        item: { type: 'CommandExecution', id, process_id: '77', command: ['make'], status: 'completed' },
      });
    const told = async (...lines: object[]) =>
      (await read(prompt('Run.'), ...lines)).recorded[0]?.commands.map(({ command, endedAt, outcome }) => [
        command,
        endedAt === null ? 'runs' : 'ended',
        outcome,
      ]);
    const runs = [['make', 'runs', 'unknown']];
    expect(await told(execute('exec_command'))).toEqual(runs);
    expect(await told(execute('exec_command'), result)).toEqual(runs);
    for (const id of ['c', 'exec-1'])
      expect((await told(execute('exec_command'), result, end(id)))?.map(([, , outcome]) => outcome)).toEqual(
        ['applied'],
      );
  });

  it.each([
    { tool: 'exec_command', told: { arguments: '{"cmd":"make"}' } },
    { tool: 'shell', told: { arguments: '{"command":["bash","-lc","make"]}' } },
    { tool: 'shell', told: { arguments: '{"command":["make"]}' } },
    { tool: 'local_shell_call', told: { action: { type: 'exec', command: ['sh', '-c', 'make'] } } },
  ])('include a stopped command of $tool, by $told', async ({ tool, told: more }) => {
    const isFunction = tool !== 'local_shell_call';
    const { recorded } = await read(
      prompt('Run.'),
      line('response_item', {
        type: isFunction ? 'function_call' : tool,
        ...(isFunction && { name: tool }),
        call_id: 'c',
        ...more,
      }),
      line('response_item', { type: 'function_call_output', call_id: 'c', output: 'aborted by user' }),
    );
    expect(recorded[0]?.commands).toMatchObject([{ command: 'make', outcome: 'unknown' }]);
  });

  it('change nothing if the call was refused, failed or never answered', async () => {
    const input = '*** Begin Patch\n*** Update File: a.txt\n@@\n-x\n+y\n*** End Patch\n';
    const { changes, recorded } = await read(
      prompt('Try.'),
      call('r', input),
      output('r', 'aborted by user after 1.5s'),
      call('f', input),
      output('f', 'apply_patch verification failed: Failed to find expected lines'),
      call('n', input),
      line('event_msg', { type: 'turn_aborted', reason: 'interrupted' }),
    );
    expect(recorded[0]?.edits.map(({ outcome }) => outcome)).toEqual(['refused', 'failed', 'unknown']);
    expect(recorded[0]?.edits[0]?.path).toBe(`${CWD}/a.txt`);
    expect(recorded[0]?.interrupted).toBe(true);
    expect(changes().files).toEqual([]);
  });

  it('of code mode have separate ids, and the command beside them is listed', async () => {
    const { changes, recorded } = await read(
      prompt('Script it.'),
      line('response_item', {
        type: 'custom_tool_call',
        name: 'exec',
        call_id: 'c',
        input: 'await tools.apply_patch(p)',
      }),
      changed(update('a.txt', '@@ -1,1 +1,1 @@\n-a\n+b\n'), 'exec-1'),
      line('event_msg', {
        type: 'item_completed',
        item: {
          type: 'CommandExecution',
          id: 'exec-2',
          command: ['/bin/bash', '-lc', 'sed -i s/a/b/ x'],
          cwd: `file://${CWD}`,
          status: 'completed',
          exit_code: 0,
        },
      }),
      output('c', [{ type: 'input_text', text: 'Script completed' }]),
    );
    expect(recorded[0]?.edits).toHaveLength(1);
    expect(recorded[0]?.commands).toMatchObject([
      { command: 'sed -i s/a/b/ x', cwd: CWD, exit: 0, order: 1 },
    ]);
    expect(changes().unknown).toContain('a command');
  });

  it('include commands that began with their call: the recorded start may be the end', async () => {
    const at = (seconds: number) => `2026-01-01T00:00:0${seconds}.000Z`;
    const ms = (seconds: number) => Date.parse(at(seconds));
    const execution = {
      type: 'item_completed',
      started_at_ms: ms(3),
      item: { type: 'CommandExecution', id: 'c', command: ['true'], cwd: CWD, status: 'completed' },
    };
    const { recorded } = await read(
      prompt('Run it.'),
      { ...call('c', 'true'), timestamp: at(1) },
      { ...line('event_msg', execution), timestamp: at(3) },
      { ...output('c', 'ok'), timestamp: at(4) },
    );
    expect(recorded[0]?.commands).toMatchObject([{ command: 'true', at: ms(1), endedAt: ms(3) }]);
  });

  it('are lost if an older version recorded only the call', async () => {
    const { changes } = await read(
      prompt('Edit.'),
      call('old', '*** Begin Patch\n*** Update File: a.txt\n@@\n-x\n+y\n*** End Patch\n'),
      output('old', 'Success. Updated the following files:\nM a.txt\n'),
    );
    expect(told(changes(), 'a.txt')).toMatchObject({
      exact: false,
      hunks: [],
      why: expect.stringContaining('no text'),
    });
  });

  it('are removed with a turn that was undone', async () => {
    const { recorded } = await read(
      prompt('One.'),
      changed(update('a.txt', '@@ -1 +1 @@\n-a\n+b\n')),
      prompt('Two.'),
      changed(update('b.txt', '@@ -1 +1 @@\n-a\n+b\n')),
      line('event_msg', { type: 'thread_rolled_back', num_turns: 1 }),
    );
    expect(recorded.flatMap(({ edits }) => edits.map((edit) => path.basename(edit.path)))).toEqual(['a.txt']);
  });
});
