/** A clone of another user, or in a container, publishes over TCP with an author's token: the change is made there. */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { git, makeFolder, makeRepository, putTree, readText } from '../../helpers/git-fixture.ts';
import { COPANE } from '../../helpers/product.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { TestServer } from '../../helpers/suggestion-server.ts';

const lines = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 30 }, (_, i) => change[i] ?? `line ${i}\n`).join('');

let server: TestServer;
let target = '';
let clone = '';

beforeAll(async () => {
  server = await TestServer.start();
  target = makeRepository({ f: lines(), g: 'g\n' });
  clone = makeFolder();
  git(clone, 'clone', '-q', target, '.');
});
afterAll(async () => {
  await server.stop();
  for (const folder of [target, clone]) removeTree(folder);
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** `copane publish` without the reviewer's environment: another home, and no socket to find. */
interface Publisher {
  readonly token?: string;
  readonly uid?: number;
  readonly env?: Readonly<Record<string, string>>;
}

function publish(args: readonly string[], options: Publisher = {}): Promise<Ran> {
  const home = path.join(clone, '.git', 'home');
  mkdirSync(home, { recursive: true });
  if (options.uid !== undefined) chownSync(home, options.uid, options.uid);
  const child = spawn(COPANE, ['publish', ...args], {
    cwd: clone,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      COPANE_SERVER: server.url,
      ...(options.token === undefined ? {} : { COPANE_TOKEN: options.token }),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    err += String(chunk);
  });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

test('work of the clone beyond its upstream is published, and decided here', async () => {
  putTree(clone, { f: lines({ 3: 'three\n' }) });
  git(clone, 'commit', '-q', '-am', 'work');
  putTree(clone, { f: lines({ 3: 'three\n', 20: 'twenty\n' }), new: 'n\n' });
  const args = ['--source', '.', '--target', target, '--description', 'From afar'];
  const ran = await publish([...args, '--note', 'f=why', '--json'], { token: server.token('author') });
  expect(ran).toMatchObject({ code: 0 });
  const { suggestion_id: id, files, hunks } = JSON.parse(ran.out);
  expect(files).toEqual(['f', 'new']);
  expect(hunks).toHaveLength(3);
  expect(hunks[0].note).toBe('why');
  const again = await publish(args, { token: server.token('author') });
  expect(again).toMatchObject({ code: 0, out: `${id}\n` });
  const decided = await server.ask('POST', '/feedback', {
    body: { suggestion_id: id, hunk_id: 'all', action: 'accept' },
  });
  expect(decided.status).toBe(200);
  expect(readText(target, 'f')).toBe(lines({ 3: 'three\n', 20: 'twenty\n' }));
  const own = await server.ask('POST', '/feedback', {
    body: { suggestion_id: id, hunk_id: 'all', action: 'reject' },
    role: 'author',
  });
  expect(own.status).toBe(403);
});

/** A user's proxy that ends TLS, as docs/protocol.md requires. */
async function proxyWithTls(folder: string): Promise<{ url: string; ca: string; close(): void }> {
  const [key, ca] = [path.join(folder, 'key.pem'), path.join(folder, 'ca.pem')];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ];
  execFileSync('openssl', [...made, '-keyout', key, '-out', ca, ...name], { stdio: 'ignore' });
  const proxy = https.createServer(
    { key: readFileSync(key), cert: readFileSync(ca) },
    (request, response) => {
      const { origin: _, ...headers } = request.headers;
      const to = { ...headers, host: `127.0.0.1:${server.port}`, 'x-forwarded-proto': 'https' };
      const { method, url: path } = request;
      const passed = http.request({ port: server.port, method, path, headers: to }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(passed);
    },
  );
  await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve));
  const { port } = proxy.address() as AddressInfo;
  return { url: `https://localhost:${port}`, ca, close: () => proxy.close() };
}

test('through a proxy that ends TLS, and again as the next version', async () => {
  const proxy = await proxyWithTls(path.join(clone, '.git'));
  const options = {
    token: server.token('far'),
    env: { COPANE_SERVER: proxy.url, NODE_EXTRA_CA_CERTS: proxy.ca },
  };
  const args = ['--source', '.', '--target', target, '--file', 'tls', '--json'];
  putTree(clone, { tls: 'one\n' });
  const first = await publish(args, options);
  expect(first).toMatchObject({ code: 0 });
  const { suggestion_id: id, hunks } = JSON.parse(first.out);
  const comment = { suggestion_id: id, hunk_id: hunks[0].id, action: 'comment', comment: 'two?' };
  expect((await server.ask('POST', '/feedback', { body: comment })).status).toBe(200);
  putTree(clone, { tls: 'two\n' });
  const second = JSON.parse((await publish([...args, '--update', id], options)).out);
  expect(second).toMatchObject({ suggestion_id: id, version: 2, hunks: [{ version: 2, status: 'pending' }] });
  expect(await publish(args, { ...options, token: 'wrong' })).toMatchObject({ code: 3 });
  expect(await publish(args, { ...options, env: { COPANE_SERVER: proxy.url } })).toMatchObject({ code: 3 });
  proxy.close();
});

test('parts of it, and nothing', async () => {
  putTree(clone, { 'src/a': 'a\n', 'src/b': 'b\n' });
  const args = ['--source', '.', '--target', target];
  const token = server.token('author');
  const some = await publish([...args, '--file', 'src/**', '--exclude', 'src/b', '--json'], { token });
  expect(JSON.parse(some.out).files).toEqual(['src/a']);
  const none = await publish([...args, '--file', 'none/**'], { token });
  expect(none).toMatchObject({
    code: 2,
    err: expect.stringMatching(/No file or line that was asked for has changed/),
  });
});

test('without a token, with a wrong one, with one in a file; no server', async () => {
  const args = ['--source', '.', '--target', target];
  expect(await publish(args)).toMatchObject({ code: 2, err: expect.stringMatching(/needs a token/) });
  expect(await publish(args, { token: 'wrong' })).toMatchObject({ code: 3 });
  const file = path.join(clone, '.git', 'token');
  writeFileSync(file, `${server.token('author')}\n`);
  expect(await publish([...args, '--token-file', file])).toMatchObject({ code: 0 });
  const nowhere = await publish([...args, '--server', 'http://127.0.0.1:9'], { token: 'x' });
  expect(nowhere).toMatchObject({ code: 3, err: expect.stringMatching(/does not answer/) });
  expect(await publish([...args, '--server', 'ftp://x'], { token: 'x' })).toMatchObject({ code: 2 });
});

/** Another user must be able to read the program itself. */
function canBeReadByAll(folder: string): boolean {
  if ((statSync(folder).mode & 0o005) !== 0o005) return false;
  return folder === '/' || canBeReadByAll(path.dirname(folder));
}

test.runIf(process.getuid?.() === 0 && canBeReadByAll(path.dirname(COPANE)))(
  "another user's clone, by that user",
  async () => {
    const uid = 12_345;
    for (const entry of readdirSync(clone, { recursive: true, encoding: 'utf8' }))
      chownSync(path.join(clone, entry), uid, uid);
    chownSync(clone, uid, uid);
    const ran = await publish(['--source', '.', '--target', target, '--json'], {
      token: server.token('author'),
      uid,
    });
    expect(ran).toMatchObject({ code: 0 });
    const { suggestion_id: id, hunks } = JSON.parse(ran.out);
    const decided = await server.ask('POST', '/feedback', {
      body: { suggestion_id: id, hunk_id: hunks[0].id, action: 'reject' },
    });
    expect(decided.status).toBe(200);
    expect(readText(clone, 'src/a')).toBe('a\n');
  },
);
