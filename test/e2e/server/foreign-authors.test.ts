/** An author on the network gets back only lines that it sent, whatever patch it sends and wherever it looks. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatLiteral } from '../../../src/review/core/binary-patch.ts';
import { git, putTree } from '../../helpers/git-fixture.ts';
import { TestMcp } from '../../helpers/mcp-client.ts';
import { type Json, TestServer, type TestSocket } from '../../helpers/suggestion-server.ts';

/** A word in every line that no author has sent. */
const HIDDEN = 'hush';
const FILE = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => (n === 5 ? 'known\n' : `${HIDDEN} ${n}\n`)).join('');
const ENV = `TOKEN=${HIDDEN}\nPIN=1234\n`;

let server: TestServer;
let root = '';
let socket: TestSocket;
let mcp: TestMcp;
let plain = '';

beforeAll(async () => {
  server = await TestServer.start({ config: { agent_secret_files: ['vault/**'] } });
  root = server.target;
  git(root, 'init', '-q');
  git(root, 'config', 'user.name', 't');
  git(root, 'config', 'user.email', 't@example.com');
  putTree(root, {
    'app.py': FILE,
    'copied.py': FILE,
    'blank.txt': '\n \n',
    '.npmrc': `registry=${HIDDEN}\nknown\n`,
    '.gitignore': 'build/\n*.log\n',
    'run.sh': { run: FILE },
  });
  symlinkSync('.env', path.join(root, 'link'));
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'base');
  putTree(root, { '.env': ENV, 'build/out.js': ENV, 'deep/trace.log': ENV, 'vault/x': ENV, 'new.txt': FILE });
  symlinkSync('build', path.join(root, 'behind'));
  plain = path.join(server.home.home, 'plain');
  for (const folder of [plain, path.join(server.home.home, '.ssh')]) mkdirSync(folder);
  putTree(plain, { '.env': ENV, 'a.txt': FILE });
  putTree(path.join(server.home.home, '.ssh'), { config: ENV });
  socket = await server.socket();
  mcp = await TestMcp.http(server.url, server.token('ai-mcp'));
});
afterAll(async () => {
  socket.close();
  await mcp.close();
  await server.stop();
});

let authors = 0;

/** Everything that an author sees of its patch: the answer, the suggestion, its events. */
async function seen(
  patch: string | Buffer,
  more: Record<string, unknown> = {},
): Promise<{ text: string; body: Json }> {
  authors += 1;
  // A token for each is too many, and each may publish only so often.
  const role = `ai-${authors % 50}`;
  const own = await server.socket({ role });
  const bytes = Buffer.from(patch);
  const body = {
    description: 'd',
    working_directory: root,
    patch: bytes.toString('base64'),
    patch_encoding: 'base64',
    ...more,
  };
  const answer = await server.ask('POST', '/suggestions', { body, role });
  const id = answer.body.suggestion_id;
  if (id === undefined) {
    own.close();
    return { text: JSON.stringify(answer.body), body: answer.body };
  }
  const ready = await own.eventOf('suggestion.ready', ({ suggestion }) => suggestion.id === id);
  own.close();
  const got = await server.ask('GET', `/suggestions/${id}`, { role });
  return { text: JSON.stringify([answer.body, ready, got.body]), body: got.body.suggestion };
}

const wrapped = (text: string) => `*** Begin Patch\n${text}\n*** End Patch\n`;
const block = (file: string, old: string, fresh: string) =>
  `${file}\n<<<<<<< SEARCH\n${old}\n=======\n${fresh}\n>>>>>>> REPLACE\n`;
const diff = (file: string, hunks: string) => `--- a/${file}\n+++ b/${file}\n${hunks}`;
const INSERTED = '@@ -2,0 +3 @@\n+mine\n';
const again = diff('app.py', `${INSERTED}`) + diff('app.py', '@@ -7,0 +8 @@\n+mine too\n');
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const blobOf = (file: string) => execFileSync('git', ['hash-object', file], { cwd: root }).toString().trim();
const NOTHING = formatLiteral(0, deflateSync(Buffer.alloc(0)));
const binary = (file: string, head = '', parts = NOTHING) =>
  `diff --git a/${file} b/${file}\n${head}index ${blobOf(file)}..${'2'.repeat(40)}\nGIT binary patch\n${parts}\n`;

/** Ways to have a file of the user shown. */
const WAYS: Readonly<Record<string, () => string | Buffer>> = {
  'delete file': () => wrapped('*** Delete File: app.py'),
  'delete, then add file': () => wrapped('*** Delete File: app.py\n*** Add File: app.py\n+mine'),
  'an update at a guessed line': () => wrapped('*** Update File: app.py\n@@\n known\n+mine'),
  'an update that replaces a guessed line': () => wrapped('*** Update File: app.py\n@@\n-known\n+mine'),
  'an update below an anchor': () => wrapped('*** Update File: app.py\n@@ known\n+mine'),
  'an update at the end of the file': () => wrapped('*** Update File: app.py\n@@\n+mine\n*** End of File'),
  'a move': () => wrapped('*** Update File: app.py\n*** Move to: other.py\n@@\n known\n+mine'),
  'a move of a file without changes': () =>
    wrapped('*** Update File: app.py\n*** Move to: other.py\n@@\n-known\n+known'),
  'a file that is added over another': () => wrapped('*** Add File: app.py\n+mine'),
  'a file that is added over blanks': () => wrapped('*** Add File: blank.txt\n+mine'),
  'SEARCH and REPLACE': () => block('app.py', 'known', 'mine'),
  'SEARCH of nothing': () => block('app.py', '', 'mine'),
  'SEARCH of a blank line': () => block('app.py', '\n', 'mine'),
  'SEARCH with other blanks': () => block('app.py', '    known', '    mine'),
  'REPLACE with nothing': () => block('app.py', 'known', ''),
  'two blocks': () => block('app.py', 'known', 'known\nmine') + block('app.py', 'mine', 'mine\nmine'),
  'a block in UTF-16': () => utf16(block('app.py', 'known', 'mine')),
  'a block in quotes': () => block('app.py', 'known', 'mine').replace(/^/gm, '> '),
  'a block in JSON': () => JSON.stringify({ input: wrapped('*** Update File: app.py\n@@\n-known\n+mine') }),
  'a block, indented': () => block('app.py', 'known', 'mine').replace(/^/gm, '    '),
  'a block with an absolute path': () => block(`${root}/app.py`, 'known', 'mine'),
  'a file whose mode it has': () => block('run.sh', 'known', 'mine'),
  'a file that git does not track': () => block('new.txt', 'known', 'mine'),
  'a tracked file with secrets': () => block('.npmrc', 'known', 'mine'),
  'two diffs of one file': () => again,
  'a copy, then a change of it': () =>
    `diff --git a/app.py b/c.py\nsimilarity index 100%\ncopy from app.py\ncopy to c.py\n${diff('c.py', INSERTED)}`,
  'a rename, then a change of it': () =>
    `diff --git a/app.py b/c.py\nsimilarity index 100%\nrename from app.py\nrename to c.py\n${diff('c.py', INSERTED)}`,
  'a change, then a deletion': () =>
    `${diff('app.py', INSERTED)}diff --git a/app.py b/app.py\ndeleted file mode 100644\n`,
  'a copy': () => 'diff --git a/app.py b/c.py\nsimilarity index 100%\ncopy from app.py\ncopy to c.py\n',
  'a deletion without lines': () => 'diff --git a/app.py b/app.py\ndeleted file mode 100644\n',
  'a mode': () => 'diff --git a/app.py b/app.py\nold mode 100644\nnew mode 100755\n',
  'a change of type': () => 'diff --git a/app.py b/app.py\nold mode 100644\nnew mode 120000\n',
  'a file that becomes a link': () =>
    'diff --git a/app.py b/app.py\ndeleted file mode 100644\ndiff --git a/app.py b/app.py\nnew file mode 120000\n--- /dev/null\n+++ b/app.py\n@@ -0,0 +1 @@\n+run.sh\n\\ No newline at end of file\n',
  'an insertion without context': () => diff('app.py', INSERTED),
  'paths with another first folder': () => diff('x/y/app.py', INSERTED).replace(/[ab]\/x/g, 'x'),
  'a context diff': () =>
    '*** app.py\n--- app.py\n***************\n*** 5 ****\n! known\n--- 5 ----\n! mine\n',
  'a binary patch that names the content': () => binary('app.py'),
  'a binary deletion that names the content': () => binary('app.py', 'deleted file mode 100644\n'),
  'a binary patch with a wrong reverse': () =>
    binary('app.py', '', NOTHING + formatLiteral(4, deflateSync(Buffer.from('mine')))),
  'a binary copy': () =>
    `diff --git a/app.py b/c.py\nsimilarity index 90%\ncopy from app.py\ncopy to c.py\nindex ${blobOf('app.py')}..${'2'.repeat(40)}\nGIT binary patch\n${NOTHING}\n`,
};

describe('an author on the network sees no line that it did not send', () => {
  it.each(Object.keys(WAYS))('%s', async (way) => {
    const { text } = await seen(WAYS[way]?.() ?? '');
    expect(text).not.toContain(HIDDEN);
  });

  it('by the lines that it names', async () => {
    const lines = { line_ranges: [{ file: 'app.py', start_line: 1, end_line: 9 }] };
    expect((await seen(again, lines)).text).not.toContain(HIDDEN);
  });

  it('by the next version of a suggestion', async () => {
    const role = 'ai-next';
    const body = { description: 'd', working_directory: root, patch: diff('app.py', INSERTED) };
    const first = await server.ask('POST', '/suggestions', { body, role });
    const next = {
      ...body,
      suggestion_id: first.body.suggestion_id,
      patch: block('app.py', 'known', 'mine'),
    };
    const second = await server.ask('POST', '/suggestions', { body: next, role });
    expect(second.body).toMatchObject({ suggestion: { version: 2 } });
    expect(JSON.stringify(second.body)).not.toContain(HIDDEN);
  });

  it('by WebSocket', async () => {
    const own = await server.socket({ role: 'ai-ws' });
    const answer = await own.ask({
      type: 'publish',
      description: 'd',
      working_directory: root,
      patch: block('app.py', 'known', 'mine'),
    });
    expect(answer.success).toBe(true);
    await own.eventOf('suggestion.ready');
    expect(JSON.stringify(own.said)).not.toContain(HIDDEN);
    own.close();
  });

  it('by MCP', async () => {
    for (const patch of [block('app.py', 'known', 'mine'), wrapped('*** Delete File: app.py'), again]) {
      const { body, text } = await mcp.call('publish_suggestion', {
        description: 'd',
        target_directory: root,
        patch,
      });
      const got = await mcp.call('get_suggestion', { suggestion_id: body.suggestion_id ?? 'none' });
      expect(text + got.text).not.toContain(HIDDEN);
    }
  });
});

describe('the forms that an AI writes stay of use', () => {
  const accepted = async (patch: string, file: string) => {
    const before = readFileSync(path.join(root, file));
    const { body } = await seen(patch);
    const decision = { suggestion_id: body.id, hunk_id: 'all', action: 'accept' };
    expect((await server.ask('POST', '/feedback', { body: decision })).body).toMatchObject({ success: true });
    const after = readFileSync(path.join(root, file), 'utf8');
    writeFileSync(path.join(root, file), before);
    return after;
  };

  it.each([
    ['a block', block('app.py', 'known', 'mine'), FILE.replace('known', 'mine')],
    [
      'a quote around an insertion',
      block('app.py', 'known', 'known\nmine'),
      FILE.replace('known', 'known\nmine'),
    ],
    ['an update', wrapped('*** Update File: app.py\n@@\n-known\n+mine'), FILE.replace('known', 'mine')],
    [
      'two diffs of one file',
      again,
      FILE.replace(`${HIDDEN} 3`, `mine\n${HIDDEN} 3`).replace(`${HIDDEN} 7`, `mine too\n${HIDDEN} 7`),
    ],
  ])('%s is placed and accepted', async (_, patch, text) => {
    expect(await accepted(patch, 'app.py')).toBe(text);
  });

  it('a binary change with the bytes that it replaces is taken', async () => {
    writeFileSync(path.join(root, 'pixel.bin'), Buffer.from([0, 1, 2, 3]));
    git(root, 'add', 'pixel.bin');
    git(root, 'commit', '-q', '-m', 'pixel');
    writeFileSync(path.join(root, 'pixel.bin'), Buffer.from([0, 1, 2, 4]));
    const patch = git(root, 'diff', '--binary');
    git(root, 'checkout', '-q', 'pixel.bin');
    const { body } = await seen(patch);
    expect(body.hunks).toMatchObject([{ kind: 'binary', status: 'pending' }]);
  });

  it('for the user, a file is deleted without its lines', async () => {
    const body = { description: 'd', working_directory: root, patch: wrapped('*** Delete File: copied.py') };
    const answer = await server.ask('POST', '/suggestions', { body });
    expect(JSON.stringify(answer.body)).toContain(HIDDEN);
  });
});

/** Patches of a file that tell by their answer whether a guess is right. */
const GUESSES: Readonly<Record<string, (file: string, guess: string) => string>> = {
  'a diff': (file, guess) => diff(file, `@@ -2 +2 @@\n-${guess}\n+mine\n`),
  'a block': (file, guess) => block(file, guess, 'mine'),
  'an update': (file, guess) => wrapped(`*** Update File: ${file}\n@@\n-${guess}\n+mine`),
  'a new file': (file, guess) => `--- /dev/null\n+++ b/${file}\n@@ -0,0 +1 @@\n+${guess}\n`,
  'a file that is added': (file, guess) => wrapped(`*** Add File: ${file}\n+${guess}`),
  'a rename': (file) => `diff --git a/${file} b/c\nsimilarity index 100%\nrename from ${file}\nrename to c\n`,
  'a deletion': (file, guess) =>
    `diff --git a/${file} b/${file}\ndeleted file mode 100644\n--- a/${file}\n+++ /dev/null\n@@ -1 +0,0 @@\n-${guess}\n`,
};

describe('no answer tells an author which lines a file has', () => {
  it.each(
    ['.env', 'build/out.js', 'deep/trace.log', 'vault/x'].flatMap((file) =>
      Object.keys(GUESSES).map((kind) => [file, kind] as const),
    ),
  )('%s: %s', async (file, kind) => {
    const answers = [];
    for (const guess of ['PIN=1234', 'PIN=9999'])
      answers.push((await seen(GUESSES[kind]?.(file, guess) ?? '')).body);
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({
      code: 'refused',
      error: expect.stringContaining(`No author may change ${file}`),
    });
  });

  it.each([
    ['behind a link', () => root, 'behind/out.js'],
    ['a link', () => root, 'link'],
    ['a folder without git', () => plain, '.env'],
    ['a folder of secrets', () => path.join(server.home.home, '.ssh'), 'config'],
    ['the inside of git', () => root, '.git/config'],
    ['the parent folder', () => path.join(root, 'deep'), '../.env'],
    ['an absolute path', () => plain, '/etc/hostname'],
  ])('%s', async (_, folder, file) => {
    for (const kind of ['a diff', 'a block']) {
      const more = { working_directory: folder() };
      const answers = [];
      for (const guess of ['PIN=1234', 'PIN=9999']) {
        const { body } = await seen(GUESSES[kind]?.(file, guess) ?? '', more);
        answers.push(body.hunks?.map(({ status }: Json) => status) ?? body.error);
      }
      expect(answers[0]).toEqual(answers[1]);
    }
  });

  it('while the file is not there yet', async () => {
    const file = 'build/later.js';
    const { body } = await seen(GUESSES['a diff']?.(file, 'x') ?? '');
    expect(body.error).toContain(`No author may change ${file}`);
  });
});

it('an author may add a file of a name that holds secrets', async () => {
  const { body } = await seen(`--- /dev/null\n+++ b/sub/.env\n@@ -0,0 +1 @@\n+A=\n`);
  expect(body.hunks).toMatchObject([{ kind: 'create', status: 'pending' }]);
});
