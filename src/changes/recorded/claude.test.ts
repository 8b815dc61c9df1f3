import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CWD, EditingSession } from '../../../test/helpers/claude-session.ts';
import { jsonLines, put, readSession, scratchFolder, told } from '../../../test/helpers/recorded-session.ts';
import { removeTree } from '../../../test/helpers/remove-tree.ts';

const NAME = 'aaaaaaaaaaaaaaaa@v1';
const SESSION = '5b1e0000-0000-4000-8000-000000000001';
const root = scratchFolder();
afterAll(() => removeTree(root));
let count = 0;

interface Beside {
  readonly backups?: Readonly<Record<string, string>>;
  readonly agents?: Readonly<Record<string, EditingSession>>;
}

/** The edits of a session, with its backups and sub-agents. */
async function readLines({ rows }: EditingSession, { backups = {}, agents = {} }: Beside = {}) {
  const config = path.join(root, `config-${++count}`);
  const project = path.join(config, 'projects', 'p');
  for (const [name, content] of Object.entries(backups))
    put(path.join(config, 'file-history', SESSION, name), content);
  for (const [id, own] of Object.entries(agents))
    put(
      path.join(project, SESSION, 'subagents', `agent-${id}.jsonl`),
      jsonLines(own.rows.map((row) => ({ ...row, isSidechain: true }))),
    );
  return readSession('claude', put(path.join(project, `${SESSION}.jsonl`), jsonLines(rows)), SESSION);
}

describe('recorded edits of Claude Code', () => {
  it('are exact if a backup has the bytes, edit after edit', async () => {
    const lines = new EditingSession();
    const prompt = lines.prompt('Change a.');
    lines.backup(prompt, 'a.txt', NAME);
    lines.edit('a.txt', { old: 'two', put: 'TWO', original: 'one\ntwo\nthree\n' });
    lines.edit('a.txt', { old: 'three', put: 'THREE', original: 'one\nTWO\nthree\n' });
    lines.done();
    const { changes } = await readLines(lines, { backups: { [NAME]: 'one\ntwo\nthree\n' } });
    expect(told(changes(), 'a.txt')).toMatchObject({
      exact: true,
      before: 'one\ntwo\nthree\n',
      after: 'one\nTWO\nTHREE\n',
    });
  });

  it('have the line ends of the backup, though the record has LF', async () => {
    const lines = new EditingSession();
    lines.backup(lines.prompt('Change a.'), 'a.txt', NAME);
    lines.edit('a.txt', { old: 'two', put: 'TWO', original: 'one\ntwo\n' });
    const { changes } = await readLines(lines, { backups: { [NAME]: 'one\r\ntwo\r\n' } });
    expect(told(changes(), 'a.txt')).toMatchObject({ exact: true, after: 'one\r\nTWO\r\n' });
  });

  it('mark mixed line ends as unknown', async () => {
    const lines = new EditingSession();
    lines.backup(lines.prompt('Change a.'), 'a.txt', NAME);
    lines.edit('a.txt', { old: 'two', put: 'TWO', original: 'one\ntwo\n' });
    const { changes } = await readLines(lines, { backups: { [NAME]: 'one\r\ntwo\n' } });
    expect(told(changes(), 'a.txt')).toMatchObject({ exact: false, why: expect.stringContaining('LF') });
  });

  it('keep a byte order mark and a missing last line end', async () => {
    const lines = new EditingSession();
    lines.backup(lines.prompt('Change a.'), 'a.txt', NAME);
    lines.edit('a.txt', { old: 'two', put: 'TWO', original: '\ufeffone\ntwo' });
    const { changes } = await readLines(lines, { backups: { [NAME]: '\ufeffone\ntwo' } });
    expect(told(changes(), 'a.txt')).toMatchObject({
      exact: true,
      before: '\ufeffone\ntwo',
      after: '\ufeffone\nTWO',
    });
  });

  it('are not exact without a backup: only the lines are known', async () => {
    const lines = new EditingSession();
    lines.prompt('Change a.');
    lines.edit('a.txt', { old: 'two', put: 'TWO', original: 'one\ntwo\n' });
    const { changes } = await readLines(lines);
    expect(told(changes(), 'a.txt')).toMatchObject({ exact: false, lines: [' one\n', '-two\n', '+TWO\n'] });
  });

  it('find the previous text of a large file in its backup', async () => {
    const large = `${`${'x'.repeat(70)}\n`.repeat(300)}last\n`;
    const lines = new EditingSession();
    lines.backup(lines.prompt('Change it.'), 'big.txt', NAME);
    lines.edit('big.txt', { old: 'last', put: 'y', original: null });
    const { changes } = await readLines(lines, { backups: { [NAME]: large } });
    expect(told(changes(), 'big.txt')).toMatchObject({
      exact: true,
      before: large,
      after: large.replace('last', 'y'),
    });
  });

  it('fall back to the patch for a large file without a backup, and report tabs that may be lost', async () => {
    const patch = (first: string) => [
      { oldStart: 7, oldLines: 2, newStart: 7, newLines: 2, lines: [first, '-old', '+new'] },
    ];
    const lines = new EditingSession();
    lines.prompt('Change them.');
    lines.edit('big.txt', {
      old: 'old',
      put: 'new',
      original: null,
      more: { structuredPatch: patch(' plain') },
    });
    lines.edit('tab.txt', {
      old: 'old',
      put: 'new',
      original: null,
      more: { structuredPatch: patch('    blanks') },
    });
    const { changes } = await readLines(lines);
    expect(told(changes(), 'big.txt')).toMatchObject({
      exact: false,
      lines: [' plain\n', '-old\n', '+new\n'],
    });
    expect(told(changes(), 'tab.txt')).toMatchObject({
      exact: false,
      why: expect.stringContaining('loosened'),
    });
  });

  it('write a new file, and overwrite one with the line ends that the AI gave', async () => {
    const lines = new EditingSession();
    lines.backup(lines.prompt('Write.'), 'over.txt', NAME);
    lines.write('new.txt', 'hello\n', null);
    lines.write('over.txt', 'one\nTWO\n', 'one\ntwo\n');
    const { changes } = await readLines(lines, { backups: { [NAME]: 'one\r\ntwo\r\n' } });
    expect(told(changes(), 'new.txt')).toMatchObject({ kind: 'add', exact: true, after: 'hello\n' });
    expect(told(changes(), 'over.txt')).toMatchObject({
      kind: 'edit',
      exact: true,
      before: 'one\r\ntwo\r\n',
      after: 'one\nTWO\n',
    });
  });

  it('replace every occurrence, and apply the multiple edits of older versions in order', async () => {
    const lines = new EditingSession();
    const prompt = lines.prompt('Change.');
    lines.backup(prompt, 'all.txt', NAME);
    lines.edit('all.txt', { old: 'a', put: 'b', original: 'a a\na\n', more: { replaceAll: true } });
    const filePath = `${CWD}/multi.txt`;
    lines.backup(prompt, 'multi.txt', 'bbbbbbbbbbbbbbbb@v1');
    const edits = [
      { old_string: 'one', new_string: 'two', replace_all: false },
      { old_string: 'two', new_string: 'three', replace_all: true },
    ];
    lines.result(lines.call('MultiEdit', { file_path: filePath, edits }), {
      filePath,
      edits,
      originalFileContents: 'one\ntwo\n',
      structuredPatch: [],
      userModified: true,
    });
    const { changes } = await readLines(lines, {
      backups: { [NAME]: 'a a\na\n', 'bbbbbbbbbbbbbbbb@v1': 'one\ntwo\n' },
    });
    expect(told(changes(), 'all.txt')).toMatchObject({ exact: true, after: 'b b\nb\n' });
    expect(told(changes(), 'multi.txt')).toMatchObject({ exact: true, after: 'three\nthree\n' });
  });

  it('contain a whole notebook, under the names that its tool uses', async () => {
    const lines = new EditingSession();
    const notebook_path = `${CWD}/nb.ipynb`;
    lines.backup(lines.prompt('Change the cell.'), 'nb.ipynb', NAME);
    lines.result(lines.call('NotebookEdit', { notebook_path, new_source: '2' }), {
      notebook_path,
      original_file: '{"a":1}\n',
      updated_file: '{\n "a": 2\n}\n',
      error: '',
    });
    const { changes } = await readLines(lines, { backups: { [NAME]: '{"a":1}\n' } });
    expect(told(changes(), 'nb.ipynb')).toMatchObject({
      exact: true,
      before: '{"a":1}\n',
      after: '{\n "a": 2\n}\n',
    });
  });

  it('change nothing if they were refused, failed or never answered', async () => {
    const lines = new EditingSession();
    lines.prompt('Try.');
    const input = { file_path: `${CWD}/a.txt`, old_string: 'x', new_string: 'y' };
    lines.result(lines.call('Edit', input), 'User rejected tool use', { toolDenialKind: 'user-rejected' });
    lines.result(lines.call('Edit', input), 'Error: String to replace not found in file.', {
      hasNotRun: true,
    });
    lines.call('Edit', input);
    const { changes, recorded } = await readLines(lines);
    expect(recorded[0]?.edits.map(({ outcome }) => outcome)).toEqual(['refused', 'failed', 'unknown']);
    expect(changes().files).toEqual([]);
  });

  it('are not certain to have failed if the tool ran: its lines may be in the file', async () => {
    const lines = new EditingSession();
    lines.prompt('Try.');
    const input = { file_path: `${CWD}/a.txt`, old_string: 'x', new_string: 'y' };
    const error = 'Error: Write verification failed: a.txt is 0 bytes on disk, expected 155.';
    lines.result(lines.call('Edit', input), error);
    lines.edit('a.txt', { old: 'z', put: 'Z', original: 'y\nmine\nz\n' });
    const { changes, recorded } = await readLines(lines);
    expect(recorded[0]?.edits.map(({ outcome }) => outcome)).toEqual(['unknown', 'applied']);
    expect(changes().unknown).toBe('the session file does not say whether an edit of a.txt was made');
  });

  it('distinguish a command that was stopped while it ran from a refused one', async () => {
    const lines = new EditingSession();
    lines.prompt('Try.');
    const denied = { toolDenialKind: 'user-rejected' };
    const run = () => lines.call('Bash', { command: 'make' });
    lines.result(run(), 'User rejected tool use', { ...denied, toolDenialBeforeRun: true });
    lines.result(run(), 'User rejected tool use', denied);
    const { recorded } = await readLines(lines);
    expect(recorded[0]?.commands.map(({ outcome }) => outcome)).toEqual(['refused', 'unknown']);
  });

  it('of parallel calls have the order of the calls, wherever their results are', async () => {
    const lines = new EditingSession();
    lines.backup(lines.prompt('Both.'), 'a.txt', NAME);
    const filePath = `${CWD}/a.txt`;
    const content = ['p1', 'p2'].map((id) => ({
      type: 'tool_use',
      id,
      name: 'Edit',
      input: { file_path: filePath },
    }));
    const first = lines.add({
      type: 'assistant',
      message: { id: 'same', role: 'assistant', content: [content[0]] },
    });
    const second = lines.add({
      type: 'assistant',
      message: { id: 'same', role: 'assistant', content: [content[1]] },
    });
    const result = (id: string, original: string, put: string, parent: string) =>
      lines.add(
        {
          type: 'user',
          message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
          toolUseResult: {
            filePath,
            oldString: original.slice(0, 1),
            newString: put,
            originalFile: original,
          },
        },
        parent,
      );
    result('p1', '1\n', '2', first);
    result('p2', '2\n', '3', second);
    lines.done();
    const { changes, recorded } = await readLines(lines, { backups: { [NAME]: '1\n' } });
    expect(recorded[0]?.edits).toHaveLength(2);
    expect(told(changes(), 'a.txt')).toMatchObject({ exact: true, before: '1\n', after: '3\n' });
  });

  it('of a sub-agent belong to the turn that started it, even after the turn has ended', async () => {
    const lines = new EditingSession();
    const agent = new EditingSession();
    lines.prompt('Have it done.');
    lines.result(lines.call('Agent', { prompt: 'Do it.' }), {
      isAsync: true,
      status: 'async_launched',
      agentId: 'ag1',
    });
    lines.done();
    agent.prompt('Do it.');
    agent.edit('agent.txt', { old: 'two', put: 'TWO', original: 'one\ntwo\n' });
    const { changes, recorded } = await readLines(lines, { agents: { ag1: agent } });
    expect(recorded[0]?.edits[0]).toMatchObject({ source: 'subagent', outcome: 'applied' });
    expect(told(changes(), 'agent.txt').after).toBe('one\nTWO\n');
  });

  it('report a change by somebody else between two of them', async () => {
    const lines = new EditingSession();
    lines.backup(lines.prompt('Change a.'), 'a.txt', NAME);
    lines.edit('a.txt', { old: 'one', put: 'ONE', original: 'one\n2\n3\n4\n5\n6\n7\n8\nend\n' });
    lines.edit('a.txt', { old: 'end', put: 'END', original: 'ONE\n2\n3\n4\nmine\n6\n7\n8\nend\n' });
    const { changes } = await readLines(lines, { backups: { [NAME]: 'one\n2\n3\n4\n5\n6\n7\n8\nend\n' } });
    const origins = told(changes(), 'a.txt').hunks.map(({ origin }) => origin);
    expect(origins).toEqual(['tool', 'unknown', 'tool']);
  });

  it('remain if the turn was interrupted after them, and commands are listed', async () => {
    const lines = new EditingSession();
    lines.prompt('Write.');
    lines.write('new.txt', 'hello\n', null);
    lines.result(lines.call('Bash', { command: 'sed -i s/a/b/ a.txt' }), {
      stdout: '',
      stderr: '',
      interrupted: false,
    });
    lines.add({
      type: 'user',
      message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] },
    });
    const { changes, recorded } = await readLines(lines);
    expect(recorded[0]).toMatchObject({
      interrupted: true,
      commands: [{ command: 'sed -i s/a/b/ a.txt', cwd: CWD, exit: 0, order: 1 }],
    });
    expect(told(changes(), 'new.txt').exact).toBe(true);
    expect(changes().unknown).toContain('a command');
  });

  it('are left out if a rewind removed their turn', async () => {
    const lines = new EditingSession();
    lines.prompt('Write one.');
    const at = lines.add({
      type: 'assistant',
      message: { id: 'keep', role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
    });
    lines.prompt('Write two.');
    lines.write('gone.txt', 'x\n', null);
    lines.prompt('Write three.', at);
    lines.write('three.txt', 'x\n', null);
    const { recorded } = await readLines(lines);
    expect(recorded.map(({ edits }) => edits.map((edit) => path.basename(edit.path)))).toEqual([
      [],
      ['three.txt'],
    ]);
  });

  it('reach files outside the project by their absolute path', async () => {
    const lines = new EditingSession();
    lines.backup(lines.prompt('Change it.'), '/etc/outside.txt', NAME);
    lines.edit('../../../etc/outside.txt', { old: 'a', put: 'b', original: 'a\n' });
    const { changes } = await readLines(lines, { backups: { [NAME]: 'a\n' } });
    expect(changes().files[0]).toMatchObject({ path: '/etc/outside.txt', exact: true });
  });

  it('of older versions have their backup in a snapshot below the call', async () => {
    const lines = new EditingSession();
    const prompt = lines.prompt('Change a.');
    lines.snapshot(prompt, {});
    lines.snapshot(prompt, { 'a.txt': NAME }, 'the call');
    lines.edit('a.txt', { old: 'two', put: 'TWO', original: 'one\ntwo\n' });
    const { changes } = await readLines(lines, { backups: { [NAME]: 'one\ntwo\n' } });
    expect(told(changes(), 'a.txt').exact).toBe(true);
  });

  it('take the newest snapshot of the prompt as the previous text, wherever it is in the file', async () => {
    const lines = new EditingSession();
    const uuid = lines.nextId();
    lines.snapshot(uuid, { 'a.txt': NAME });
    expect(lines.prompt('Change a.')).toBe(uuid);
    lines.edit('a.txt', { old: 'two', put: 'TWO', original: 'one\ntwo\n' });
    const { changes } = await readLines(lines, { backups: { [NAME]: 'one\r\ntwo\r\n' } });
    expect(told(changes(), 'a.txt')).toMatchObject({ exact: true, before: 'one\r\ntwo\r\n' });
  });
});
