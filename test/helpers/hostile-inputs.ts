/** Inputs that are meant to cost a server much: for each interface, every kind that reports and reviews name. */
import net from 'node:net';
import { deflateSync } from 'node:zlib';
import { WebSocket } from 'ws';
import { formatLiteral } from '../../src/review/core/binary-patch.ts';
import { rawExchange } from './suggestion-server.ts';

/** Where to send the inputs. */
export interface Victim {
  readonly port: number;
  readonly token: string;
  /** An author's. */
  readonly author: string;
  readonly socketFile: string;
  readonly completionSocket: string;
  /** A folder that patches are for. */
  readonly target: string;
}

export interface HostileInput {
  readonly name: string;
  send(victim: Victim): Promise<unknown>;
}

const times = (count: number, make: (i: number) => string, between = '') =>
  Array.from({ length: count }, (_, i) => make(i)).join(between);
const keys = (count: number) => `{${times(count, (i) => `"kA${i}":1`, ',')}}`;
const deep = (open: string, close: string, count: number) => open.repeat(count) + close.repeat(count);
const DEEP = `{"a":${deep('[', ']', 3_900_000)}}`;

async function post({ port, token }: Victim, route: string, body: string): Promise<string> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const answer = await fetch(`http://127.0.0.1:${port}${route}`, { method: 'POST', headers, body });
  return `${answer.status} ${(await answer.text()).slice(0, 120)}`;
}

const publish = (victim: Victim, fields: Readonly<Record<string, unknown>>) =>
  post(victim, '/suggestions', JSON.stringify({ working_directory: victim.target, ...fields }));
const call = (victim: Victim, params: string) =>
  post(victim, '/mcp', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);

const local = (file: string, bytes: string) => rawExchange(net.connect(file), bytes, 200);

/** Publishes a patch with this text. */
const patch = (name: string, make: () => string): HostileInput => ({
  name: `patch: ${name}`,
  send: (victim) => publish(victim, { patch: make() }),
});
const body = (name: string, make: () => string): HostileInput => ({
  name: `body: ${name}`,
  send: (victim) => post(victim, '/suggestions', make()),
});

const head = (name: string) => `--- a/${name}\n+++ b/${name}\n`;
const added = (name: string, lines: number, text: string) =>
  `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,${lines} @@\n${text}`;
const hunksOf = (count: number, every: number) =>
  times(count, (i) => `@@ -${i * every + 1} +${i * every + 1} @@\n-a${i}\n+b${i}\n`);
const binary = (name: string, bytes: number) => {
  const deflated = deflateSync(Buffer.alloc(bytes), { level: 9 });
  const names = `diff --git a/${name} b/${name}\nnew file mode 100644\nindex ${'0'.repeat(40)}..${'1'.repeat(40)}\n`;
  return `${names}GIT binary patch\n${formatLiteral(bytes, deflated)}literal 0\nHcmV?d00001\n\n`;
};

const PATCHES: readonly HostileInput[] = [
  patch(
    '200,000 hunks of one line',
    () => head('f') + times(200_000, (i) => `@@ -${i * 3} +${i * 3} @@\n-a\n+b\n`),
  ),
  patch(
    '9,000 hunks',
    () => head('g') + times(9_000, (i) => `@@ -${i * 3 + 1} +${i * 3 + 1} @@\n-a${i}\n+b${i}\n`),
  ),
  patch('50,000 files', () =>
    times(50_000, (i) => `diff --git a/${i} b/${i}\nold mode 100644\nnew mode 100755\n`),
  ),
  patch('2,600,000 lines', () => added('l', 2_600_000, '+\n'.repeat(2_600_000))),
  patch('a line of 7 MB', () => added('h', 1, `+${'x'.repeat(7_000_000)}\n`)),
  patch(
    'hunks that stand everywhere in a file of equal lines',
    () => head('same') + times(2_000, (i) => `@@ -9${i},100 +9${i},101 @@\n${' a\n'.repeat(100)}+b\n`),
  ),
  patch('3,000 diffs of one file', () =>
    times(3_000, (i) => `${head('same')}@@ -${i + 1} +${i + 1} @@\n-a\n+b\n`),
  ),
  patch('a binary file of 64 MB in 84 kB', () => binary('z', 64_000_000)),
  patch('60 binary files of 16 MB', () => {
    const one = binary('NAME', 16_000_000);
    return times(60, (i) => one.replaceAll('NAME', `z${i}`));
  }),
  patch('patches inside of patches', () =>
    added(
      'p',
      700_000,
      times(100_000, (i) => `+${head(`p${i}`).replace('\n', '\n+')}`),
    ),
  ),
  patch('the most hunks that are taken', () => head('h') + hunksOf(10_000, 1)),
  patch('hunks in a hundred files', () => times(100, (i) => head(`f${i}`) + hunksOf(100, 20))),
  patch('the most lines that are taken, in one hunk', () => added('m', 500_000, '+x\n'.repeat(500_000))),
  patch('lines of `@@` alone', () => '@@\n'.repeat(1_900_000)),
  patch('lines of `@@` behind the names of a file', () => head('g') + '@@\n'.repeat(1_900_000)),
  patch('lines of `@@` and one line each', () => head('g') + '@@\n+a\n'.repeat(1_000_000)),
  patch(
    'hunks whose counts are wrong',
    () => head('g') + times(5_000, (i) => `@@ -${i},9 +${i},9 @@\n-a${i}\n+b\n`),
  ),
  patch(
    'one hunk that ends nowhere',
    () => `${head('g')}@@ -1,9999999 +1,9999999 @@\n${' a\n'.repeat(2_000_000)}`,
  ),
  patch(
    'lines that begin with a backslash',
    () => `${head('g')}@@ -1 +1 @@\n-a\n+b\n${'\\ x\n'.repeat(900_000)}`,
  ),
  patch('empty lines', () => '\n'.repeat(4_000_000)),
  patch('a mail of one long line', () => `From: ${'x'.repeat(7_500_000)}\n`),
  patch('headers of files and nothing else', () => 'diff --git a/x b/x\n'.repeat(350_000)),
  patch(
    'headers of a binary file and nothing else',
    () => `diff --git a/x b/x\nGIT binary patch\n${'literal 1\n'.repeat(600_000)}`,
  ),
  patch('renames', () =>
    times(
      5_000,
      (i) => `diff --git a/${i} b/r${i}\nsimilarity index 100%\nrename from ${i}\nrename to r${i}\n`,
    ),
  ),
  patch('5,000 copies of one file', () =>
    times(5_000, (i) => `diff --git a/g b/c${i}\nsimilarity index 100%\ncopy from g\ncopy to c${i}\n`),
  ),
  patch('links', () =>
    times(
      3_000,
      (i) =>
        `diff --git a/l${i} b/l${i}\nnew file mode 120000\n--- /dev/null\n+++ b/l${i}\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n`,
    ),
  ),
  patch('hidden characters in every line', () =>
    added('u', 100_000, '+\u202e\u200b\u00ad\u3164\u2800\n'.repeat(100_000)),
  ),
  patch('one line of hidden characters', () => added('v', 1, `+${'\u200b'.repeat(2_000_000)}\n`)),
  patch('a line of joined emoji', () => added('e', 1, `+${'\u2764\ufe0f'.repeat(1_100_000)}\n`)),
  patch(
    'a hundred hunks of hidden characters',
    () =>
      head('hh') + times(100, (i) => `@@ -${i * 9 + 1} +${i * 9 + 1} @@\n-a\n+${'\u200b'.repeat(20_000)}\n`),
  ),
  patch('a line of blanks', () => added('w', 1, `+${' '.repeat(7_000_000)}x\n`)),
  patch('headers of hunks and nothing else', () => '@@ -1 +1\n'.repeat(800_000)),
  patch('names of a megabyte', () => `diff --git "a/${'\\303\\244'.repeat(400_000)}" "b/x"\n`),
  patch('names with many blanks', () => `diff --git ${'a b/'.repeat(1_000_000)}\n`),
  patch('colours', () => '\u001b[31m'.repeat(700_000)),
  {
    name: 'invalid base64',
    send: (victim) => publish(victim, { patch: 'A'.repeat(7_900_000), patch_encoding: 'base64' }),
  },
  {
    name: 'globs that make a regular expression hang',
    send: (victim) =>
      publish(victim, {
        patch: added('a'.repeat(200), 1, '+b\n'),
        files: [`${'*a'.repeat(20)}b`, '+(a|b)*'.repeat(10), `${'@('.repeat(30)}a${'+)'.repeat(30)}`],
      }),
  },
  {
    name: 'a thousand globs of braces inside each other',
    send: (victim) =>
      publish(victim, {
        patch: added('a', 1, '+b\n'),
        files: Array.from({ length: 1_000 }, () => deep('{a,', '}', 240)),
      }),
  },
  {
    name: 'a thousand globs, three thousand files',
    send: (victim) =>
      publish(victim, {
        patch: times(3_000, (i) => added(`${'aaaa/'.repeat(20)}${i}`, 1, '+b\n')),
        files: Array.from({ length: 1_000 }, (_, i) => `${'**/*a*a*/'.repeat(8)}${i}`),
      }),
  },
];

/** Publishes these hunks with this token, and performs every reviewer action on all of them. */
async function reviewed(victim: Victim, text: string, publisher = victim.token): Promise<string> {
  const said: string[] = [];
  const post = async (route: string, fields: Readonly<Record<string, unknown>>, token = victim.token) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const url = `http://127.0.0.1:${victim.port}${route}`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(fields) });
    const body = (await answer.json()) as { suggestion_id: string };
    said.push(`${answer.status}`);
    return body.suggestion_id;
  };
  const id = await post('/suggestions', { working_directory: victim.target, patch: text }, publisher);
  await post('/feedback', { suggestion_id: id, hunk_id: 'all', action: 'accept' });
  await post('/undo', { suggestion_id: id, hunk_id: 'all' });
  await post('/feedback', { suggestion_id: id, hunk_id: 'all', action: 'reject' });
  await post('/complete', { suggestion_id: id, action: 'discard' });
  return said.join(' ');
}

const review = (name: string, make: () => string): HostileInput => ({
  name: `review: ${name}`,
  send: (victim) => reviewed(victim, make()),
});

/** One hunk that changes every second line of a file of equal lines. */
const manyChanges = (name: string, count: number) =>
  `${head(name)}@@ -1,${2 * count} +1,${2 * count} @@\n${' a\n-a\n+b\n'.repeat(count)}`;

const authored = (name: string, count: number): HostileInput => ({
  name: `review: by an author, ${name}`,
  send: (victim) => reviewed(victim, manyChanges('same', count), victim.author),
});

const REVIEWS: readonly HostileInput[] = [
  review(
    '9,000 hunks of one file',
    () => head('g') + times(9_000, (i) => `@@ -${i * 3 + 1} +${i * 3 + 1} @@\n-a${i}\n+b${i}\n`),
  ),
  {
    name: 'review: all that fits, of a thousand pairs of hunks that exclude each other and 7,000 more',
    send: async (victim) => {
      const hunk = (i: number) => `@@ -${i * 3 + 1} +${i * 3 + 1} @@\n-a${i}\n+b${i}\n`;
      const text = head('g') + times(8_000, (i) => hunk(i).repeat(i < 1_000 ? 2 : 1));
      const [, suggestion] = /suggestion_id":"([^"]+)/.exec(await publish(victim, { patch: text })) ?? [];
      const params = { suggestion, hunk: 'all', action: 'accept', onlyFitting: true };
      return local(victim.socketFile, `${JSON.stringify({ command: 'review/decide', id: 1, params })}\n`);
    },
  },
  authored('a hunk of 10,000 changes, the most that are taken of a file', 10_000),
  authored('a hunk of 40,000 changes', 40_000),
  {
    name: 'review: by an author, a hundred files, each with 1,000 changes in a hunk',
    send: (victim) =>
      reviewed(
        victim,
        times(100, (i) => manyChanges(`every${i}`, 1_000)),
        victim.author,
      ),
  },
  review('500 files of 20 lines', () =>
    times(500, (i) =>
      added(
        `many/${i}`,
        20,
        times(20, (j) => `+${j}\n`),
      ),
    ),
  ),
  review('a file of 400,000 lines', () => added('long', 400_000, '+a line\n'.repeat(400_000))),
];

const BODIES: readonly HostileInput[] = [
  body('400,000 unknown fields', () => keys(400_000)),
  body('one field 700,000 times', () => `{${times(700_000, () => '"aB":1', ',')}}`),
  body('arrays inside each other', () => DEEP),
  body('objects inside each other', () => `{"data":${deep('{"a":', '}', 1_000_000).replace('}', '1}')}}`),
  body('four million numbers', () => `{"line_ranges":[${times(3_900_000, () => '1', ',')}]}`),
  body('a number of 8 MB', () => `{"revision":${'9'.repeat(7_900_000)}}`),
  body('backslashes', () => `{"patch":"${'\\\\'.repeat(3_900_000)}"}`),
  { name: 'MCP: 400,000 fields', send: (victim) => call(victim, keys(400_000)) },
  { name: 'MCP: arrays inside each other', send: (victim) => call(victim, DEEP) },
  {
    name: 'MCP: 9,000 hunks',
    send: (victim) => {
      const text = head('g') + times(9_000, (i) => `@@ -${i * 3 + 1} +${i * 3 + 1} @@\n-a${i}\n+b${i}\n`);
      const fields = { description: 'x', target_directory: victim.target, patch: text };
      return call(victim, JSON.stringify({ name: 'publish_suggestion', arguments: fields }));
    },
  },
];

/** Sends these to a new WebSocket, and waits until it is closed or gets a message. */
async function frames(victim: Victim, query: string, send: (socket: WebSocket) => void): Promise<void> {
  const headers = { Authorization: `Bearer ${victim.token}` };
  const socket = new WebSocket(`ws://127.0.0.1:${victim.port}/ws${query}`, { headers });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('message', resolve));
  const answered = new Promise((resolve) => {
    socket.once('message', resolve);
    socket.once('close', resolve);
  });
  send(socket);
  await answered;
  socket.terminate();
}

/** A request whose body comes byte for byte. */
const chunks = ({ token }: Victim) => {
  const head = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked`;
  return `POST /suggestions HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n${'1\r\nx\r\n'.repeat(1_000_000)}0\r\n\r\n`;
};

const STREAMS: readonly HostileInput[] = [
  {
    name: 'WebSocket: arrays inside each other',
    send: (victim) => frames(victim, '', (socket) => socket.send(DEEP)),
  },
  {
    name: 'WebSocket: 400,000 fields',
    send: (victim) => frames(victim, '', (socket) => socket.send(keys(400_000))),
  },
  {
    name: 'WebSocket: 5,000 requests at once',
    send: (victim) =>
      frames(victim, '', (socket) => {
        for (let id = 0; id < 5_000; id += 1)
          socket.send(JSON.stringify({ type: 'get', suggestion_id: 'x', id }));
      }),
  },
  {
    name: 'WebSocket: 20,000 fragments of one message',
    send: (victim) =>
      frames(victim, '', (socket) => {
        for (let i = 0; i < 20_000; i += 1) socket.send('x', { fin: i === 19_999 });
      }),
  },
  {
    name: 'a hundred streams, each with all events from the first on',
    send: (victim) =>
      Promise.all(
        Array.from({ length: 100 }, () => frames(victim, '?since=0', (socket) => socket.send('{}'))),
      ),
  },
  {
    name: 'Unix socket: arrays inside each other',
    send: (victim) => local(victim.socketFile, `{"command":"host/status","id":1,"params":${DEEP}}\n`),
  },
  {
    name: 'Unix socket: 400,000 fields',
    send: (victim) =>
      local(victim.socketFile, `{"command":"host/status","id":1,"params":${keys(400_000)}}\n`),
  },
  {
    name: 'Unix socket: 100,000 lines at once',
    send: (victim) => local(victim.socketFile, '{}\n'.repeat(100_000)),
  },
  {
    name: 'Unix socket: 100,000 commands at once',
    send: (victim) =>
      local(
        victim.socketFile,
        times(100_000, (i) => `{"command":"host/status","id":${i}}\n`),
      ),
  },
  {
    name: 'Unix socket: 100,000 commands at once, from ten clients, of a suggestion that is not there',
    send: (victim) =>
      Promise.all(
        times(10, () => '.')
          .split('')
          .map(() =>
            local(
              victim.socketFile,
              times(10_000, (i) => `{"command":"review/show","id":${i},"params":{"suggestion":"x"}}\n`),
            ),
          ),
      ),
  },
  {
    name: 'HTTP: 100,000 requests on one connection',
    send: ({ port }) =>
      rawExchange(
        net.connect(port, '127.0.0.1'),
        'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100_000),
        200,
      ),
  },
  {
    name: 'HTTP: 100,000 requests without a token on one connection',
    send: ({ port }) =>
      rawExchange(
        net.connect(port, '127.0.0.1'),
        'GET /suggestions HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100_000),
        200,
      ),
  },
  {
    name: 'WebSocket: 60,000 messages of two bytes',
    send: (victim) =>
      frames(victim, '', (socket) => {
        for (let i = 0; i < 60_000; i += 1) socket.send('{}');
      }),
  },
  {
    name: 'WebSocket: 60,000 messages that are not JSON',
    send: (victim) =>
      frames(victim, '', (socket) => {
        for (let i = 0; i < 60_000; i += 1) socket.send('{');
      }),
  },
  {
    name: '2,000 posts, a hundred at once',
    send: async (victim) => {
      for (let i = 0; i < 20; i += 1)
        await Promise.all(
          Array.from({ length: 100 }, () => post(victim, '/status', '{"status":"info","message":"x"}')),
        );
    },
  },
  {
    name: '100 publishes at once',
    send: (victim) =>
      Promise.all(
        Array.from({ length: 100 }, (_, i) => publish(victim, { patch: added(`one${i}`, 1, `+${i}\n`) })),
      ),
  },
  {
    name: 'completion socket: a line of 8 MB, arrays, and 100,000 lines',
    send: async (victim) => {
      const { completionSocket } = victim;
      await local(completionSocket, `{"line":"${'x'.repeat(8_000_000)}"}\n`);
      await local(completionSocket, `${DEEP}\n`);
      await local(completionSocket, '{"request_id":1}\n'.repeat(100_000));
    },
  },
  {
    name: 'HTTP: a body in a million pieces of one byte',
    send: (victim) => rawExchange(net.connect(victim.port, '127.0.0.1'), chunks(victim), 200),
  },
  {
    name: 'HTTP: twenty bodies of 8 MB that never end',
    send: async ({ port, token }) => {
      const head = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 8000000`;
      const long = `POST /suggestions HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n{"patch":"${'x'.repeat(7_900_000)}`;
      const sockets = Array.from({ length: 20 }, () => net.connect(port, '127.0.0.1'));
      // Accepted ones get no answer.
      const refused = sockets.map((socket) => rawExchange(socket, long, 200));
      await Promise.any(refused);
      for (const socket of sockets) socket.destroy();
    },
  },
  {
    name: '600 headers, and requests that never end',
    send: async ({ port }) => {
      const headers = times(600, (i) => `X-${i}: y\r\n`);
      const slow = Array.from({ length: 200 }, () =>
        net.connect(port, '127.0.0.1').on('error', () => undefined),
      );
      for (const socket of slow) socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n');
      await rawExchange(net.connect(port, '127.0.0.1'), `GET /health HTTP/1.1\r\n${headers}\r\n`, 200);
      for (const socket of slow) socket.destroy();
    },
  },
];

const block = (file: string, old: string, fresh: string) =>
  `${file}\n<<<<<<< SEARCH\n${old}=======\n${fresh}>>>>>>> REPLACE\n`;
const model = (text: string) => `*** Begin Patch\n${text}*** End Patch\n`;

/** Publishes as an author, who may not read files here. */
const edits = (name: string, make: () => string): HostileInput => ({
  name: `edits: ${name}`,
  send: (victim) => publish({ ...victim, token: victim.author }, { patch: make() }),
});

const suggestionOf = async (victim: Victim, fields: Readonly<Record<string, unknown>>) =>
  /suggestion_id":"([^"]+)/.exec(await publish(victim, fields))?.[1] ?? '';

const MODELS: readonly HostileInput[] = [
  edits('a quote of 50,000 lines that almost stands in a file of equal lines', () =>
    block('same', `${'a\n'.repeat(50_000)}b\n`, 'c\n'),
  ),
  edits('a quote of 50,000 indented lines in a file of equal lines', () =>
    block('same', `${'  a\n'.repeat(50_000)}`, 'c\n'),
  ),
  edits('10,000 blocks in one file', () => times(10_000, (i) => block('g', `a${i % 9_000}\n`, `b${i}\n`))),
  edits('3,000 blocks with a line above each', () =>
    model(`*** Update File: g\n${times(3_000, (i) => `@@ a${i}\n x\n-x\n+y${i}\n`)}`),
  ),
  edits(
    'a block in 500,000 lines of quotes',
    () => `${block('g', 'a1\n', 'b\n')}${'> >>> x\n'.repeat(250_000)}`,
  ),
  edits(
    'a mail with 2 MB of quoted-printable',
    () => `Content-Transfer-Encoding: quoted-printable\n\n${'=3D=\n'.repeat(400_000)}`,
  ),
  edits('JSON in which 100,000 texts are patches', () =>
    JSON.stringify(Array.from({ length: 30_000 }, () => block('g', 'a1\n', 'b\n'))).slice(0, 2_000_000),
  ),
  edits(
    'a context diff of 2 MB',
    () =>
      `*** g\n--- g\n${times(40_000, (i) => `***************\n*** ${i} ****\n! a${i}\n--- ${i} ----\n! b\n`)}`,
  ),
  edits('3,000 diffs of one file', () =>
    times(3_000, (i) => `${head('same')}@@ -${i + 1} +${i + 1} @@\n-a\n+b\n`),
  ),
  edits('9,000 diffs that insert into one file', () =>
    times(5_000, (i) => `${head('g')}@@ -${i * 3},0 +${i * 3 + 1} @@\n+b\n`),
  ),
  edits('a new file of a million lines, as edits', () =>
    model(`*** Add File: new\n${'+a\n'.repeat(600_000)}`),
  ),
];

const MORE: readonly HostileInput[] = [
  {
    name: '12,000 ranges of lines, 9,000 hunks',
    send: (victim) =>
      publish(victim, {
        patch: head('g') + hunksOf(9_000, 3),
        line_ranges: Array.from({ length: 12_000 }, () => ({ file: 'g', start_line: 9e6, end_line: 9e6 })),
      }),
  },
  {
    name: '9,000 notes on hunks',
    send: (victim) =>
      publish(victim, {
        patch: head('g') + hunksOf(9_000, 3),
        hunk_descriptions: Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`g:${i}`, 'note'])),
      }),
  },
  {
    name: 'a hunk modified by a diff of 7 MB',
    send: async (victim) => {
      const id = await suggestionOf(victim, { patch: `${head('g')}@@ -1 +1 @@\n-a0\n+b\n` });
      const diff = `@@ -1 +1,1000000 @@\n-a0\n${'+a\n'.repeat(1_000_000)}`;
      const fields = { suggestion_id: id, hunk_id: 'all', action: 'modify', modified_diff: diff };
      return post(victim, '/feedback', JSON.stringify(fields));
    },
  },
  {
    name: 'a suggestion of 9,000 hunks, asked for fifty times at once',
    send: async (victim) => {
      const id = await suggestionOf(victim, { patch: head('g') + hunksOf(9_000, 3) });
      const headers = { Authorization: `Bearer ${victim.token}` };
      const url = `http://127.0.0.1:${victim.port}/suggestions/${id}`;
      return Promise.all(Array.from({ length: 50 }, async () => (await fetch(url, { headers })).text()));
    },
  },
  {
    name: 'the next version of 9,000 hunks, each of them another one',
    send: async (victim) => {
      const id = await suggestionOf(victim, { patch: head('g') + hunksOf(9_000, 3) });
      const next = (head('g') + hunksOf(9_000, 3)).replaceAll('\n+b', '\n+c');
      return publish(victim, { patch: next, suggestion_id: id });
    },
  },
  {
    name: 'a comment and a message of 3 MB',
    send: async (victim) => {
      const id = await suggestionOf(victim, { patch: `${head('g')}@@ -1 +1 @@\n-a0\n+b\n` });
      const comment = '\u202e<b> '.repeat(400_000);
      await post(
        victim,
        '/feedback',
        JSON.stringify({ suggestion_id: id, hunk_id: 'all', action: 'comment', comment }),
      );
      return post(victim, '/status', JSON.stringify({ message: comment }));
    },
  },
  {
    name: 'MCP: 100 waits for a review at once',
    send: (victim) => {
      const wait = JSON.stringify({ name: 'await_review', arguments: { wait_s: 1, suggestion_id: 'none' } });
      return Promise.all(Array.from({ length: 100 }, () => call(victim, wait)));
    },
  },
  {
    name: 'a thousand folders to follow, of 4,000 characters each',
    send: (victim) =>
      frames(victim, '', (socket) => {
        const place = `/${'d/'.repeat(2_000)}`;
        for (let i = 0; i < 1_000; i += 1)
          socket.send(JSON.stringify({ type: 'subscribe', id: `${i}`, workingDirectory: place }));
      }),
  },
  {
    name: 'the agent: an instruction of 7 MB, and a text of 100,000 lines for a file',
    send: async (victim) => {
      const made = await post(victim, '/api/agent/sessions', JSON.stringify({ root: victim.target }));
      const session_id = /"id":"([^"]+)/.exec(made)?.[1] ?? '';
      const file = { session_id, file_path: 'g', text: 'a\n'.repeat(100_000) };
      await post(victim, '/api/agent/edit', JSON.stringify(file));
      return post(
        victim,
        '/api/agent/run',
        JSON.stringify({ session_id, instruction: 'src/a.ts '.repeat(800_000) }),
      );
    },
  },
];

/** Uses what a host loads only once it is used, which takes a moment. */
export async function warmUp(victim: Victim): Promise<void> {
  await call(
    victim,
    JSON.stringify({ name: 'await_review', arguments: { wait_s: 0, suggestion_id: 'none' } }),
  );
  const made = await post(victim, '/api/agent/sessions', JSON.stringify({ root: victim.target }));
  const session_id = /"id":"([^"]+)/.exec(made)?.[1] ?? '';
  await post(victim, '/api/agent/edit', JSON.stringify({ session_id, file_path: 'g', text: 'a\n' }));
  await post(victim, '/api/agent/run', JSON.stringify({ session_id, instruction: 'a' }));
}

export const HOSTILE_INPUTS: readonly HostileInput[] = [
  ...PATCHES,
  ...MODELS,
  ...REVIEWS,
  ...MORE,
  ...BODIES,
  ...STREAMS,
];

/** Files that some of the patches change. */
export const TARGET_FILES: Readonly<Record<string, string>> = {
  same: 'a\n'.repeat(100_000),
  g: times(9_000, (i) => `a${i}\nx\nx\n`),
  ...Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`every${i}`, 'a\n'.repeat(2_000)])),
};
