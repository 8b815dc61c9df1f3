import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { jsonLines, put, readSession, scratchFolder, told } from '../../../test/helpers/recorded-session.ts';

const root = scratchFolder();
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CWD = '/home/dev/project';
let count = 0;

const prompt = (text: string) => ({
  id: `p${++count}`,
  type: 'user',
  content: text,
  timestamp: '2026-01-01T00:00:00Z',
});
const message = (toolCalls: object[], id = `m${++count}`) => ({
  id,
  type: 'gemini',
  content: 'Next.',
  toolCalls,
});

interface Texts {
  readonly before: string;
  readonly after: string;
  readonly more?: object;
}

function tool(name: string, file: string, { before, after, more = {} }: Texts) {
  return {
    id: `${name}__${++count}`,
    name,
    status: 'success',
    args: { file_path: file },
    resultDisplay: {
      fileDiff: 'not used',
      filePath: `${CWD}/${file}`,
      originalContent: before,
      newContent: after,
      isNewFile: false,
    },
    ...more,
  };
}

function read(...lines: object[]) {
  const folder = path.join(root, `${++count}`, '.gemini/tmp/project');
  put(path.join(folder, '.project_root'), CWD);
  const head = { sessionId: 's', projectHash: 'h', startTime: '2026-01-01T00:00:00Z' };
  return readSession('gemini', put(path.join(folder, 'chats/session-1.jsonl'), jsonLines([head, ...lines])));
}

describe('recorded edits of Gemini CLI', () => {
  it('are whole texts that chain, from the last version of the message', async () => {
    const calls = [
      tool('replace', 'a.txt', { before: 'one\ntwo\n', after: 'one\nTWO\n' }),
      tool('replace', 'a.txt', { before: 'one\nTWO\n', after: 'ONE\nTWO\n' }),
    ];
    const { changes } = await read(
      prompt('Edit.'),
      { ...message([], 'same'), toolCalls: undefined },
      message(calls, 'same'),
    );
    expect(told(changes(), 'a.txt')).toMatchObject({ before: 'one\ntwo\n', after: 'ONE\nTWO\n' });
    expect(changes()).toMatchObject({ added: 2, removed: 2 });
  });

  it('of "replace" do not show the line ends on disk', async () => {
    const { changes } = await read(
      prompt('Edit.'),
      message([tool('replace', 'a.txt', { before: 'a\n', after: 'b\n' })]),
    );
    expect(told(changes(), 'a.txt')).toMatchObject({ exact: false, why: expect.stringContaining('LF') });
  });

  it('of "write_file" keep the line ends of the previous file, as the program does on disk', async () => {
    const { changes } = await read(
      prompt('Write.'),
      message([
        tool('write_file', 'crlf.txt', { before: 'a\r\nb\r\n', after: 'a\nB\n' }),
        tool('write_file', 'lf.txt', { before: 'a\nb', after: 'a\nB' }),
        tool('write_file', 'mixed.txt', { before: 'a\r\nb\n', after: 'a\nB\n' }),
      ]),
    );
    expect(told(changes(), 'crlf.txt')).toMatchObject({ exact: true, after: 'a\r\nB\r\n' });
    expect(told(changes(), 'lf.txt')).toMatchObject({ exact: true, after: 'a\nB' });
    expect(told(changes(), 'mixed.txt').exact).toBe(false);
  });

  it('distinguish a new file, and one that the user changed before approval', async () => {
    const created = {
      resultDisplay: {
        filePath: `${CWD}/new.txt`,
        originalContent: '',
        newContent: 'mine\n',
        isNewFile: true,
      },
    };
    const args = {
      file_path: 'new.txt',
      content: 'mine\n',
      ai_proposed_content: 'its\n',
      modified_by_user: true,
    };
    const call = { ...tool('write_file', 'new.txt', { before: '', after: '' }), ...created, args };
    const { changes } = await read(prompt('Write.'), message([call]));
    expect(told(changes(), 'new.txt')).toMatchObject({ kind: 'add', exact: true, after: 'mine\n' });
  });

  it('have no effect if refused, though the record has the whole diff', async () => {
    const refused = tool('replace', 'a.txt', { before: 'a\n', after: 'b\n', more: { status: 'cancelled' } });
    const failed = {
      ...tool('replace', 'b.txt', { before: '', after: '' }),
      status: 'error',
      resultDisplay: 'Error: no match',
    };
    const { changes, recorded } = await read(prompt('Edit.'), message([refused, failed]));
    expect(recorded[0]?.edits.map(({ outcome, path: file }) => [outcome, file])).toEqual([
      ['refused', `${CWD}/a.txt`],
      ['failed', `${CWD}/b.txt`],
    ]);
    expect(changes().files).toEqual([]);
  });

  it('do not claim the previous text of a file that is not UTF-8', async () => {
    const { changes } = await read(
      prompt('Write.'),
      message([tool('write_file', 'latin.txt', { before: 'caf\ufffd\n', after: 'x\n' })]),
    );
    expect(told(changes(), 'latin.txt')).toMatchObject({ exact: false, before: undefined });
  });

  it('list commands with their folder, from the answer that called them to their end', async () => {
    const shell = {
      id: 'c',
      name: 'run_shell_command',
      status: 'success',
      args: { command: 'rm x', dir_path: 'sub' },
      timestamp: '2026-01-01T00:00:05Z',
    };
    const asked = { ...message([shell]), timestamp: '2026-01-01T00:00:02Z' };
    const { recorded } = await read(prompt('Run.'), asked);
    const [at, endedAt] = [Date.parse('2026-01-01T00:00:02Z'), Date.parse('2026-01-01T00:00:05Z')];
    expect(recorded[0]?.commands).toMatchObject([
      { command: 'rm x', cwd: `${CWD}/sub`, exit: null, at, endedAt },
    ]);
  });

  it.each(['05.000Z', '05.040Z'])(
    'have no start for a stopped command, nor whether it ran (asked at %s)',
    async (second) => {
      const shell = { id: 'c', name: 'run_shell_command', status: 'cancelled', args: { command: 'make' } };
      const stopped = { ...shell, timestamp: '2026-01-01T00:00:05Z' };
      const asked = { ...message([stopped]), timestamp: `2026-01-01T00:00:${second}` };
      const { recorded } = await read(prompt('Run.'), asked);
      const endedAt = Date.parse('2026-01-01T00:00:05Z');
      expect(recorded[0]?.commands).toMatchObject([{ at: null, endedAt, outcome: 'unknown' }]);
    },
  );

  it('are removed by a rewind or a restore', async () => {
    const second = prompt('Two.');
    const lines = [
      prompt('One.'),
      message([tool('replace', 'a.txt', { before: 'a\n', after: 'b\n' })]),
      second,
      message([tool('replace', 'b.txt', { before: 'a\n', after: 'b\n' })]),
      { $rewindTo: second.id },
    ];
    const rewound = await read(...lines);
    expect(rewound.recorded.map(({ edits }) => edits.length)).toEqual([1]);
    const kept = [prompt('Again.'), message([tool('replace', 'c.txt', { before: 'a\n', after: 'b\n' })])];
    const restored = await read(...lines, { $set: { messages: kept } });
    expect(restored.changes().files.map((file) => path.basename(file.path))).toEqual(['c.txt']);
  });
});
