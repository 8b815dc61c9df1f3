import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { git } from '../../../test/helpers/git-fixture.ts';
import { put, readSession, scratchFolder, told } from '../../../test/helpers/recorded-session.ts';
import { seenChanges } from '../core/seen-changes.ts';

const root = realpathSync(scratchFolder());
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

type Files = Readonly<Record<string, string>>;

/** A store, its project, and its trees of the project. */
class Store {
  readonly project = path.join(root, `project-${++count}`);
  readonly data = path.join(root, `data-${count}`);
  readonly snapshots = path.join(this.data, 'snapshot/prj/worktree');
  readonly file = path.join(this.data, 'opencode.db');
  readonly #database: DatabaseSync;
  #message = '';

  constructor() {
    mkdirSync(this.snapshots, { recursive: true });
    mkdirSync(this.project);
    git(this.project, '--git-dir', this.snapshots, 'init', '-q', '--bare');
    git(this.snapshots, 'config', 'core.bare', 'false');
    git(this.snapshots, 'config', 'core.worktree', this.project);
    this.#database = new DatabaseSync(this.file);
    this.#database.exec(`
      CREATE TABLE session (id, project_id, parent_id, directory, revert, time_updated);
      CREATE TABLE message (id, session_id, time_created, data);
      CREATE TABLE part (id, message_id, session_id, time_updated, data)`);
    this.session('ses');
  }

  session(id: string, parent: string | null = null): void {
    this.#database
      .prepare('INSERT INTO session VALUES (?, ?, ?, ?, NULL, 1)')
      .run(id, 'prj', parent, this.project);
  }

  message(data: object, session = 'ses'): void {
    this.#message = `msg${String(++count).padStart(6, '0')}`;
    this.#database
      .prepare('INSERT INTO message VALUES (?, ?, ?, ?)')
      .run(this.#message, session, count, JSON.stringify(data));
  }

  part(data: object, session = 'ses'): void {
    const id = `prt${String(++count).padStart(6, '0')}`;
    this.#database
      .prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?)')
      .run(id, this.#message, session, count, JSON.stringify(data));
  }

  prompt(text: string): void {
    this.message({ role: 'user' });
    this.part({ type: 'text', text });
  }

  tree(files: Files): string {
    rmSync(this.project, { recursive: true });
    for (const [name, content] of Object.entries(files)) put(path.join(this.project, name), content);
    mkdirSync(this.project, { recursive: true });
    const env = { ...process.env, GIT_DIR: this.snapshots, GIT_WORK_TREE: this.project };
    execFileSync('git', ['add', '-A'], { cwd: this.project, env });
    return execFileSync('git', ['write-tree'], { cwd: this.project, env, encoding: 'utf8' }).trim();
  }

  /** One model call between two states of the project; `null` if it was killed before its end. */
  step(before: Files, after: Files | null, ...tools: object[]): void {
    this.message({ role: 'assistant', time: { completed: 1 } });
    this.part({ type: 'step-start', snapshot: this.tree(before) });
    for (const tool of tools) this.part(tool);
    if (after !== null) this.part({ type: 'step-finish', snapshot: this.tree(after) });
  }

  at(name: string): string {
    return path.join(this.project, name);
  }

  read() {
    this.#database.close();
    return readSession('opencode', this.file, 'ses');
  }
}

function tool(name: string, input: object, more: object = {}) {
  const state = { status: 'completed', input, time: { start: 1 }, output: 'ok', ...more };
  return { type: 'tool', tool: name, callID: `call${++count}`, state };
}

describe('recorded edits of opencode', () => {
  it('are the difference of its trees: line ends, marks and indentation as on disk', async () => {
    const store = new Store();
    store.prompt('Edit.');
    const before = { 'crlf.txt': '\ufeffone\r\n\ttwo\r\n', 'kept.txt': 'x' };
    const after = { ...before, 'crlf.txt': '\ufeffone\r\n\tTWO\r\n' };
    store.step(
      before,
      after,
      tool('edit', { filePath: store.at('crlf.txt'), oldString: 'two\n', newString: 'TWO\n' }),
    );
    const { changes, recorded } = await store.read();
    expect(changes().files).toHaveLength(1);
    expect(told(changes(), 'crlf.txt')).toMatchObject({
      exact: true,
      before: before['crlf.txt'],
      after: after['crlf.txt'],
    });
    expect(recorded[0]?.edits[0]).toMatchObject({ source: 'step-tree', by: 'tool' });
  });

  it('of several steps chain, and a change between two steps has no recorded author', async () => {
    const store = new Store();
    store.prompt('Edit.');
    const text = (first: string, middle: string, last: string) => ({
      'a.txt': `${first}\n2\n3\n4\n${middle}\n6\n7\n8\n${last}\n`,
    });
    const edit = (oldString: string, newString: string) =>
      tool('edit', { filePath: store.at('a.txt'), oldString, newString });
    store.step(text('1', '5', '9'), text('ONE', '5', '9'), edit('1', 'ONE'));
    store.step(text('ONE', 'mine', '9'), text('ONE', 'mine', 'NINE'), edit('9', 'NINE'));
    const { changes } = await store.read();
    expect(told(changes(), 'a.txt').hunks.map(({ origin }) => origin)).toEqual(['tool', 'unknown', 'tool']);
    expect(told(changes(), 'a.txt').exact).toBe(true);
  });

  it('are those that a tool requested: other changes meanwhile are not known to be the AI’s', async () => {
    const ten = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'];
    const text = (...changes: (readonly [number, string])[]) =>
      `${ten.map((line, at) => changes.find(([number]) => number === at + 1)?.[1] ?? line).join('\n')}\n`;
    const mine = [10, '10\nmine'] as const;
    const crlf = (all: string) => all.replaceAll('\n', '\r\n');
    const edit = (file: string, oldString: string, newString: string, more = {}) =>
      tool('edit', { filePath: file, oldString, newString, ...more });
    const patch = '@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4\n';
    type Tools = (file: string) => object[];
    type Case = readonly [name: string, before: string, after: string, tools: Tools];
    const cases: Case[] = [
      ['edit', text(), text([3, 'three'], mine), (file) => [edit(file, '3\n', 'three\n')]],
      ['CRLF', crlf(text()), crlf(text([3, 'three'], mine)), (file) => [edit(file, '3\n', 'three\n')]],
      [
        'indented anew',
        text([3, '\t3']),
        text([3, '\tthree'], mine),
        (file) => [edit(file, '  3\n', '  three\n')],
      ],
      [
        'two calls',
        text(),
        text([3, 'three'], [6, 'SIX'], mine),
        (file) => [edit(file, '3\n', 'three\n'), edit(file, '6\n', 'SIX\n')],
      ],
      [
        'beside a command',
        text(),
        text([3, 'three'], mine),
        (file) => [edit(file, '3\n', 'three\n'), tool('bash', { command: 'x' })],
      ],
      [
        'every place',
        text([4, '3']),
        text([3, 'three'], [4, 'three'], mine),
        (file) => [edit(file, '3\n', 'three\n', { replaceAll: true })],
      ],
      [
        'written over',
        text(),
        text([3, 'three'], mine),
        (file) => [tool('write', { filePath: file, content: text([3, 'three']) })],
      ],
      [
        'patch',
        text(),
        text([3, 'three'], mine),
        (file) => [tool('apply_patch', {}, { metadata: { files: [{ filePath: file, patch }] } })],
      ],
      ['the same line', text(), text([3, 'three'], [10, '10\nthree']), (file) => [edit(file, '3', 'three')]],
      [
        'the same line, indented anew',
        text([3, '\t3']),
        text([3, '\tthree'], [10, '10\nthree']),
        (file) => [edit(file, '  3\n', '  three\n')],
      ],
    ];
    for (const [name, before, after, tools] of cases) {
      const store = new Store();
      store.prompt('Edit.');
      store.step({ 'a.txt': before }, { 'a.txt': after }, ...tools(store.at('a.txt')));
      const { changes } = await store.read();
      const { exact, hunks, after: end } = told(changes(), 'a.txt');
      expect([exact, end], name).toEqual([true, after]);
      const origins = hunks.flatMap(({ origin, lines }) =>
        lines.flatMap((line) => (line[0] === '+' ? [`${origin} ${line.slice(1).trim()}`] : [])),
      );
      expect(origins.at(-1), name).toMatch(/^unknown (mine|three)$/);
      expect(origins[0], name).toBe('tool three');
    }
  });

  it('by commands are not known to be theirs, including deletions and new files: you may have made them', async () => {
    const store = new Store();
    store.prompt('Run.');
    store.step(
      { 'a.txt': 'a\n', 'del.txt': 'x\n' },
      { 'a.txt': 'b\n', 'new.txt': 'x\n' },
      tool('bash', { command: 'sed -i s/a/b/ a.txt; mv del.txt new.txt' }, { metadata: { exit: 0 } }),
    );
    const { changes, recorded } = await store.read();
    expect(changes().files.map(({ path: file, kind, exact }) => [path.basename(file), kind, exact])).toEqual([
      ['a.txt', 'edit', true],
      ['del.txt', 'delete', true],
      ['new.txt', 'add', true],
    ]);
    expect(told(changes(), 'a.txt').hunks[0]?.origin).toBe('unknown');
    expect(recorded[0]?.commands[0]).toMatchObject({ exit: 0, cwd: store.project });
    expect(changes().unknown).toBeUndefined();
  });

  it('of "apply_patch" recognize a rename by the request', async () => {
    const store = new Store();
    store.prompt('Move.');
    const files = [{ type: 'move', filePath: store.at('old.txt'), movePath: store.at('sub/new.txt') }];
    store.step(
      { 'old.txt': 'a\nb\n' },
      { 'sub/new.txt': 'a\nB\n' },
      tool('apply_patch', { patchText: '' }, { metadata: { files } }),
    );
    const { changes } = await store.read();
    expect(told(changes(), 'new.txt')).toMatchObject({
      kind: 'rename',
      exact: true,
      movedFrom: store.at('old.txt'),
    });
    expect(changes().files).toHaveLength(1);
  });

  it('of a sub-agent are in the trees of the step that started it, once', async () => {
    const store = new Store();
    store.prompt('Have it done.');
    store.session('child', 'ses');
    const edit = tool('edit', { filePath: store.at('a.txt'), oldString: 'a', newString: 'b' });
    store.step(
      { 'a.txt': 'a\n' },
      { 'a.txt': 'b\n' },
      tool('task', { prompt: 'Do it.' }, { metadata: { sessionId: 'child' } }),
    );
    store.message({ role: 'assistant' }, 'child');
    store.part(edit, 'child');
    const { changes, recorded } = await store.read();
    expect(recorded[0]?.edits).toMatchObject([{ source: 'subagent', by: 'tool' }]);
    expect(told(changes(), 'a.txt').exact).toBe(true);
  });

  it('that were refused, failed or never ended are distinguished', async () => {
    const store = new Store();
    store.prompt('Try.');
    const input = { filePath: store.at('a.txt'), oldString: 'x', newString: 'y' };
    const error = (text: string) => ({ status: 'error', error: text });
    const files = { 'a.txt': 'a\n' };
    store.step(
      files,
      files,
      tool('edit', input, error('The user rejected permission to use this specific tool call.')),
      tool('edit', input, error('Could not find oldString in the file.')),
    );
    store.step(
      files,
      null,
      tool('write', { filePath: store.at('b.txt'), content: 'x' }, { status: 'running' }),
    );
    const { changes, recorded } = await store.read();
    expect(recorded[0]?.edits.map(({ outcome }) => outcome)).toEqual(['refused', 'failed', 'unknown']);
    expect(changes().files).toEqual([]);
  });

  it('of a stopped step are the changes that the next one found', async () => {
    const store = new Store();
    store.prompt('Run.');
    store.step(
      {},
      null,
      tool('bash', { command: 'echo half > half.txt; sleep 30' }, { metadata: { exit: null } }),
    );
    store.prompt('Go on.');
    store.step({ 'half.txt': 'half\n' }, { 'half.txt': 'half\n' });
    const { changes } = await store.read();
    expect(told(changes(0), 'half.txt')).toMatchObject({ kind: 'add', after: 'half\n' });
  });

  it('outside the trees are known by the request', async () => {
    const store = new Store();
    store.prompt('Write.');
    store.step(
      {},
      {},
      tool('write', { filePath: '/etc/new.txt', content: 'x\n' }, { metadata: { exists: false } }),
      tool('write', { filePath: '/etc/over.txt', content: 'x\n' }, { metadata: { exists: true } }),
      tool('edit', { filePath: '/etc/edit.txt', oldString: 'a', newString: 'b' }),
    );
    const { changes } = await store.read();
    expect(told(changes(), 'new.txt')).toMatchObject({ kind: 'add', exact: true, after: 'x\n' });
    expect(told(changes(), 'over.txt')).toMatchObject({
      kind: 'edit',
      exact: false,
      after: 'x\n',
      hunks: [],
    });
    expect(told(changes(), 'edit.txt')).toMatchObject({ exact: false, hunks: [] });
  });

  it('outside the trees, as in a submodule, are the tool’s if a look saw the requested text', async () => {
    const store = new Store();
    store.prompt('Edit.');
    const file = path.join(root, 'sub/m.txt');
    const [old, put] = ['1\n2\n', '1\nTWO\n'];
    const asked = { filePath: file, oldString: '2\n', newString: 'TWO\n' };
    store.step({}, {}, tool('edit', asked, { time: { start: 1_000, end: 1_200 } }));
    const { recorded } = await store.read();
    const side = (text: string) => ({ mode: 0o100644, bytes: new TextEncoder().encode(text) });
    const step = { before: side(old), after: side(put), changedAt: 1_100, since: 0, seenAt: 2_000 };
    const { changes } = seenChanges(recorded, { files: [{ path: file, steps: [step] }], gap: null });
    expect(told(changes, 'm.txt').hunks.map(({ origin }) => origin)).toEqual(['tool']);
  });

  it('through a link are edits of its target', async () => {
    const store = new Store();
    const link = path.join(root, `link-${count}`);
    symlinkSync(store.at('a.txt'), link);
    store.prompt('Edit.');
    store.step(
      { 'a.txt': 'a\n' },
      { 'a.txt': 'b\n' },
      tool('edit', { filePath: link, oldString: 'a', newString: 'b' }),
    );
    const { changes } = await store.read();
    expect(changes().files).toHaveLength(1);
    expect(told(changes(), 'a.txt').hunks.map(({ origin }) => origin)).toEqual(['tool']);
  });

  it('report trees that have been removed', async () => {
    const store = new Store();
    store.prompt('Edit.');
    store.step({ 'a.txt': 'a\n' }, { 'a.txt': 'b\n' }, tool('edit', { filePath: store.at('a.txt') }));
    rmSync(store.snapshots, { recursive: true });
    const { changes } = await store.read();
    expect(told(changes(), 'a.txt')).toMatchObject({ exact: false, why: expect.stringContaining('removed') });
  });
});
