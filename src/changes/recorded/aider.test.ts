import { appendFileSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { git } from '../../../test/helpers/git-fixture.ts';
import { put, readSession, scratchFolder, told } from '../../../test/helpers/recorded-session.ts';

const root = realpathSync(scratchFolder());
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

/** A repository with aider's history. */
class Project {
  readonly folder = path.join(root, `project-${++count}`);
  readonly history = path.join(this.folder, '.aider.chat.history.md');

  constructor(files: Readonly<Record<string, string>>) {
    for (const [name, content] of Object.entries(files)) put(path.join(this.folder, name), content);
    git(this.folder, 'init', '-q');
    this.commit('begin');
    put(this.history, '\n# aider chat started at 2026-01-01 00:00:00\n\n');
  }

  commit(message: string): string {
    git(this.folder, 'add', '-A', '--', '.', ':!.aider*');
    git(this.folder, 'commit', '-q', '--allow-empty', '-m', message);
    return git(this.folder, 'rev-parse', '--short', 'HEAD').trim();
  }

  turn(prompt: string, ...output: string[]): void {
    const lines = output.map((line) => `> ${line}  \n`).join('');
    appendFileSync(
      this.history,
      `#### ${prompt}  \n\nI edit.\n\n> Tokens: 2k sent, 24 received.  \n${lines}\n`,
    );
  }

  /** A turn whose answer requested these edits. */
  answer(text: string, hash: string): void {
    const lines = `> Tokens: 2k sent, 24 received.  \n> Applied edit to a.txt  \n> Commit ${hash} feat: edit  \n`;
    appendFileSync(this.history, `#### Edit.  \n\n${text}\n\n${lines}\n`);
  }

  put(name: string, content: string): void {
    put(path.join(this.folder, name), content);
  }

  read() {
    return readSession('aider', this.history, this.history);
  }
}

describe('recorded edits of aider', () => {
  it('are those of its commits, byte for byte', async () => {
    const project = new Project({ 'a.txt': 'one\r\ntwo\r\n', 'b.txt': 'x' });
    project.put('a.txt', 'one\nTWO\n');
    project.put('new.txt', 'hello');
    const hash = project.commit('feat: edit');
    project.turn('Edit.', 'Applied edit to a.txt', 'Applied edit to new.txt', `Commit ${hash} feat: edit`);
    const { changes } = await project.read();
    expect(changes().sources).toEqual(['commit']);
    expect(told(changes(), 'a.txt')).toMatchObject({
      exact: true,
      before: 'one\r\ntwo\r\n',
      after: 'one\nTWO\n',
    });
    expect(told(changes(), 'new.txt')).toMatchObject({ kind: 'add', exact: true, after: 'hello' });
  });

  it('are those that the answer requested: the rest of the commit is not known to be the AI’s', async () => {
    const block = (old: string, put: string) => `<<<<<<< SEARCH\n${old}=======\n${put}>>>>>>> REPLACE\n`;
    const fenced = (text: string) => `\`\`\`\n${text}\`\`\`\n`;
    const answers = {
      'a block': `a.txt\n${fenced(block('2\n', 'two\n'))}`,
      'blocks of two files': `b.txt\n${fenced(block('2\n', 'no\n'))}\na.txt\n${fenced(block('2\n', 'two\n'))}`,
      'the name in the fence': fenced(`a.txt\n${block('2\n', 'two\n')}`),
      'a name in bold': `**a.txt**:\n${fenced(block('2\n', 'two\n'))}`,
      'indented anew': `a.txt\n${fenced(block('  2\n', '  two\n'))}`,
      'the whole file': `a.txt\n${fenced('1\ntwo\n3\n4\n5\n6\n7\n8\n9\n')}`,
    };
    for (const [name, answer] of Object.entries(answers)) {
      const project = new Project({ 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n' });
      project.put('a.txt', '1\ntwo\n3\n4\n5\n6\n7\n8\nmine\n9\n');
      project.answer(`I edit.\n\n${answer}`, project.commit('feat: edit'));
      const { exact, hunks } = told((await project.read()).changes(), 'a.txt');
      const changed = hunks.map(({ origin, lines }) => [origin, ...lines.filter((line) => line[0] !== ' ')]);
      expect([exact, changed], name).toEqual([
        true,
        [
          ['tool', '-2\n', '+two\n'],
          ['unknown', '+mine\n'],
        ],
      ]);
    }
  });

  it('have the line ends that aider gives to the whole file', async () => {
    const project = new Project({ 'a.txt': '1\r\n2\r\n3\r\n' });
    const write = (text: string, asked: string) => {
      project.put('a.txt', text);
      const answer = `a.txt\n\`\`\`\n<<<<<<< SEARCH\n${asked}\n>>>>>>> REPLACE\n\`\`\`\n`;
      project.answer(answer, project.commit('feat: edit'));
    };
    write('1\ntwo\n3\n', '2\n=======\ntwo');
    write('1\r\ntwo\r\nthree\r\nmine\r\n', '3\n=======\nthree');
    const { changes } = await project.read();
    const hands = (turn: number) => told(changes(turn), 'a.txt').hunks.map(({ origin }) => origin);
    expect(hands(0)).toEqual(['tool']);
    expect(hands(1)).toContain('unknown');
  });

  it('are of the file whose path the answer names, and not of another one with that name', async () => {
    const block = '```\n<<<<<<< SEARCH\n2\n=======\nv2\n>>>>>>> REPLACE\n```\n';
    const whole = '```\n1\nv2\n3\n```\n';
    const [both, one] = [{ 'a/index.ts': 'tool', 'b/index.ts': 'tool' }, { 'a/index.ts': 'tool' }];
    const answers: readonly (readonly [answer: string, tools: Readonly<Record<string, string>>])[] = [
      [`a/index.ts\n${block}`, one],
      [`path/to/a/index.ts\n${block}`, one],
      [`a/index.ts\n${whole}`, one],
      [`a/index.ts\n${block}b/index.ts\n${block}`, both],
      [`a/index.ts\n${whole}b/index.ts\n${whole}`, both],
      [`index.ts\n${block}`, {}],
      [`c/index.ts\n${block}`, {}],
      [`one.ts\n${block}`, { 'a/one.ts': 'tool' }],
    ];
    const names = ['a/index.ts', 'b/index.ts', 'a/one.ts'];
    const filled = (text: string) => Object.fromEntries(names.map((name) => [name, text]));
    const project = new Project({ 'b.txt': 'x' });
    for (const [answer] of answers)
      for (const text of ['1\n2\n3\n', '1\nv2\n3\n']) {
        for (const name of names) project.put(name, text);
        const hash = project.commit('feat: edit');
        if (text.includes('v')) project.answer(answer, hash);
      }
    const { changes } = await project.read();
    answers.forEach(([answer, tools], at) => {
      const { files } = changes(at);
      const origins = names.map((name) => {
        const file = files.find((one) => one.path === path.join(project.folder, name));
        return [name, file?.hunks[0]?.origin];
      });
      expect(Object.fromEntries(origins), answer).toEqual({ ...filled('unknown'), ...tools });
    });
  });

  it('leave out changes of the user that aider committed first', async () => {
    const project = new Project({ 'a.txt': 'one\ntwo\n' });
    project.put('a.txt', 'MINE\ntwo\n');
    const mine = project.commit('feat: mine');
    project.put('a.txt', 'MINE\nTWO\n');
    const its = project.commit('feat: its');
    project.turn(
      'Edit.',
      'Committing a.txt before applying edits.',
      `Commit ${mine} feat: mine`,
      'Applied edit to a.txt',
      `Commit ${its} feat: its`,
    );
    const { changes } = await project.read();
    expect(told(changes(), 'a.txt').lines).toEqual([' MINE\n', '-two\n', '+TWO\n']);
  });

  it('include the commit of a partly failed answer, though no line says that it was applied', async () => {
    const project = new Project({ 'a.txt': 'one\n' });
    project.put('a.txt', 'ONE\n');
    const hash = project.commit('feat: half');
    project.turn('Edit.', '# 1 SEARCH/REPLACE block failed to match!', `Commit ${hash} feat: half`);
    expect(told((await project.read()).changes(), 'a.txt')).toMatchObject({ exact: true, after: 'ONE\n' });
  });

  it('include commits whose message has several lines, if aider made them', async () => {
    const project = new Project({ 'a.txt': 'one\n' });
    project.put('a.txt', 'ONE\n');
    const its = project.commit('feat: its\n\nCo-authored-by: aider (mock) <aider@aider.chat>');
    project.put('a.txt', 'TWO\n');
    const mine = project.commit('feat: mine');
    project.turn('Edit.', 'Applied edit to a.txt');
    appendFileSync(
      project.history,
      `> Commit ${its} feat: its\n\nwith a body  \n> Commit ${mine} feat: quoted\n`,
    );
    const { changes } = await project.read();
    expect(told(changes(), 'a.txt')).toMatchObject({ exact: true, after: 'ONE\n' });
  });

  it('are only names without a commit, or if the commit is gone', async () => {
    const project = new Project({ 'a.txt': 'one\n' });
    project.turn('Edit.', 'Applied edit to a.txt');
    project.turn('Edit again.', 'Applied edit to a.txt', 'Commit 0123456 feat: rebased away');
    const { changes } = await project.read();
    for (const turn of [0, 1])
      expect(told(changes(turn), 'a.txt')).toMatchObject({
        exact: false,
        hunks: [],
        why: expect.stringContaining('commit'),
      });
  });

  it('leave out undone and refused edits', async () => {
    const project = new Project({ 'a.txt': 'one\n' });
    project.put('a.txt', 'ONE\n');
    const hash = project.commit('feat: edit');
    project.turn('Edit.', 'Applied edit to a.txt', `Commit ${hash} feat: edit`);
    git(project.folder, 'reset', '-q', '--hard', 'HEAD~1');
    project.turn('/undo', `Removed: ${hash} feat: edit`);
    project.turn('Write.', 'Skipping edits to no.txt', 'Running sed -i s/a/b/ a.txt');
    const { changes, recorded } = await project.read();
    expect(recorded[0]?.rewound).toBe(true);
    expect(changes(0).files).toEqual([]);
    expect(recorded[2]).toMatchObject({
      edits: [{ outcome: 'refused', path: path.join(project.folder, 'no.txt') }],
      commands: [{ command: 'sed -i s/a/b/ a.txt', cwd: project.folder }],
    });
  });
});
