/** The completion socket as programs see it: all messages, all kinds of bad input, many clients, two daemons, the first client. */
import { existsSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DaemonProcess, type Reply, request } from '../../helpers/completion-daemon.ts';
import { until } from '../../helpers/until.ts';

const HISTORY = [
  'git status --short',
  'git stash pop',
  'git status --short',
  'docker compose up -d',
  'echo 世界',
];
const LATENCY_LIMIT_MS = 100;

let daemon: DaemonProcess;
beforeAll(async () => {
  daemon = await new DaemonProcess().start(HISTORY);
  // The socket already answers while the history is read.
  await until('the answer', async () => (await ask({})).candidates.length > 0);
});
afterAll(() => daemon.dispose());

async function ask(more: object): Promise<Reply> {
  return JSON.parse(await daemon.ask(request(more))) as Reply;
}

describe('a request', () => {
  it('is answered according to the contract', async () => {
    const reply = await ask({ request_id: 42, max_candidates: 2 });
    expect(reply.request_id).toBe(42);
    expect(reply.candidates.length).toBeGreaterThan(0);
    expect(reply.candidates.length).toBeLessThanOrEqual(2);
    const confidences = reply.candidates.map(({ confidence }) => confidence);
    expect(confidences).toEqual([...confidences].sort((a, b) => b - a));
    expect(confidences.every((confidence) => confidence > 0 && confidence <= 1)).toBe(true);
    expect(reply.candidates.some(({ completion }) => completion.startsWith('git status'))).toBe(true);
    expect(reply.candidates.map(({ completion }) => completion)).not.toContain('git st');
  });

  it('may come from the first client: a newline at the end, offsets in characters', async () => {
    const reply = await ask({ input: 'echo 世\n', cursor_pos: 6, cwd: '/\n' });
    expect(reply.candidates.map(({ completion }) => completion)).toContain('echo 世界');
  });

  it('counts bytes', async () => {
    expect((await ask({ input: 'echo 世', cursor_pos: 8 })).candidates[0]?.completion).toBe('echo 世界');
    expect(
      (await ask({ input: 'echo 世', cursor_pos: 6, cursor_unit: 'char' })).candidates[0]?.completion,
    ).toBe('echo 世界');
  });

  it.each([
    ['a blank line', { input: '   ' }],
    ['a private line', { input: ' git st' }],
    ['a line over the limit', { input: 'x'.repeat(9_000) }],
  ])('%s has no candidates', async (_name, more) => {
    expect(await daemon.ask(request(more))).toContain('"candidates":[]');
  });

  it.each([
    [{ cursor_pos: -5 }],
    [{ cursor_pos: 1_000_000 }],
    [{ max_candidates: 0 }],
    [{ max_candidates: 1_000_000 }],
    [{ unknown: { deep: [1, 2, 3] } }],
    [{ cwd: '/nonexistent/\u0000' }],
    [{ input: 'git \ud83d' }],
    [{ input: '$(((((((("' }],
  ])('survives %j', async (more) => {
    const reply = await ask(more);
    expect(reply.error).toBeUndefined();
    expect(reply.candidates.length).toBeLessThanOrEqual(16);
  });

  it('explains itself on request', async () => {
    expect((await ask({ explain: true })).candidates[0]?.why?.length).toBeGreaterThan(0);
  });

  it('marks a correction', async () => {
    await until(
      'the answer',
      async () => (await ask({ input: 'gti status', cursor_pos: 10 })).candidates.length > 0,
    );
    expect((await ask({ input: 'gti status', cursor_pos: 10 })).candidates[0]).toMatchObject({
      completion: 'git status',
      kind: 'fix',
    });
  });
});

describe('bad input', () => {
  it.each([
    ['no JSON', 'garbage'],
    ['half of JSON', '{"request_id":1,"input":"gi'],
    ['an array', '[1,2]'],
    ['null', 'null'],
    ['a number', '7'],
    ['wrong types', '{"request_id":"x","input":7}'],
    ['no input', '{"request_id":1}'],
    ['a bad type', '{"type":"nonsense"}'],
    ['deep nesting', `${'['.repeat(20_000)}`],
    ['a long line', `{"request_id":1,"input":"${'x'.repeat(70_000)}"}`],
    ['a megabyte', 'x'.repeat(1_000_000)],
    ['no text', Buffer.from([0xff, 0xfe, 0x00, 0x0a])],
  ])('%s is answered with an error and the next one is served', async (_name, line) => {
    const answer = await daemon.ask(line);
    if (answer !== '')
      expect(JSON.parse(answer.split('\n')[0] ?? '')).toMatchObject({ error: { code: 'invalid_request' } });
    expect((await ask({})).candidates.length).toBeGreaterThan(0);
  });

  it('does not repeat the typed text in an error', async () => {
    expect(await daemon.ask('{"request_id":1,"input":"hunter2" oops')).not.toContain('hunter2');
  });

  it('in one line does not affect the other lines of its connection', async () => {
    const answer = await daemon.ask(`garbage\n${request({ request_id: 7 })}\n`);
    const replies = answer
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Reply);
    expect(replies.map(({ request_id }) => request_id)).toEqual([0, 7]);
  });
});

describe('other messages', () => {
  it.each([
    ['{"action":"validate"}', { warnings: [] }],
    ['{"action":"dance"}', { ok: false, error: { code: 'unknown_action' } }],
    ['{"type":"context","cwd":"/"}', { ok: true }],
    ['{"type":"context","cwd":""}', { ok: false, error: { code: 'invalid_request' } }],
    ['{"type":"event","event":"dismissed","session_id":"1"}', { ok: true }],
  ])('%s', async (line, expected) => {
    expect(JSON.parse(await daemon.ask(line))).toMatchObject(expected);
  });

  it('what ran is suggested next, what an AI ran is not, what is forgotten never again', async () => {
    const event = (line: string, more = {}) =>
      daemon.ask(
        JSON.stringify({
          type: 'event',
          event: 'executed',
          line,
          cwd: '/p',
          session_id: '9',
          exit: 0,
          ...more,
        }),
      );
    await event('zeta --once');
    await event('zeta --by-agent', { agent: true });
    await event('zeta --token=abcdef123456');
    const shown = async () =>
      (await ask({ input: 'zeta --', cursor_pos: 7 })).candidates.map(({ completion }) => completion);
    expect(await shown()).toEqual(['zeta --once']);
    await daemon.ask('{"type":"forget","line":"zeta --once"}');
    expect(await shown()).toEqual([]);
    await daemon.end();
    await daemon.restart();
    await until('the answer', async () => (await ask({})).candidates.length > 0);
    expect(await shown()).toEqual([]);
  });
});

describe('many requests', () => {
  it('a newer one of a session closes the older unanswered one', async () => {
    const older = daemon.ask(request({ request_id: 1, session_id: 'x', delay_ms: 2_000 }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const newer = daemon.ask(request({ request_id: 2, session_id: 'x' }));
    expect(JSON.parse(await newer)).toMatchObject({ request_id: 2 });
    expect(await older).toBe('');
  });

  it('keep a short quiet time only within a burst, a long one always', async () => {
    // No session: none cancels another. All in one burst, except for the first.
    const answer = await daemon.ask(
      [
        { request_id: 1, delay_ms: 50 },
        { request_id: 2, delay_ms: 40 },
        { request_id: 3, delay_ms: 0 },
      ]
        .map((one) => request({ ...one, session_id: '' }))
        .join('\n'),
    );
    const patient = await daemon.ask(
      [
        { request_id: 4, delay_ms: 300 },
        { request_id: 5, delay_ms: 0 },
      ]
        .map((one) => request({ ...one, session_id: '' }))
        .join('\n'),
    );
    const order = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as Reply).request_id);
    expect(order(answer)).toEqual([1, 3, 2]);
    expect(order(patient)).toEqual([5, 4]);
  });

  it('without a session none cancels another', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map((id) => daemon.ask(request({ request_id: id, session_id: '', delay_ms: 50 }))),
    );
    expect(answers.map((answer) => (JSON.parse(answer) as Reply).request_id)).toEqual([1, 2, 3]);
  });

  it('on one connection are each answered by id', async () => {
    const answer = await daemon.ask(
      [1, 2, 3].map((id) => request({ request_id: id, session_id: '' })).join('\n'),
    );
    expect(
      answer
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as Reply).request_id)
        .sort(),
    ).toEqual([1, 2, 3]);
  });

  it('from a thousand shells at once are all answered', async () => {
    const started = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, id) => daemon.ask(request({ request_id: id, session_id: `s${id}` }))),
    );
    expect(answers.filter((answer, id) => (JSON.parse(answer) as Reply).request_id === id)).toHaveLength(
      1_000,
    );
    expect((performance.now() - started) / 1_000).toBeLessThan(LATENCY_LIMIT_MS);
  });

  it('that are never read do not fill the memory', async () => {
    const socket = net.connect(daemon.socket);
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.pause();
    socket.on('error', () => undefined);
    for (let round = 0; round < 4_000 && !socket.destroyed; round += 1)
      if (!socket.write(`${request({ request_id: round, session_id: '' })}\n`))
        await new Promise((resolve) => setTimeout(resolve, 1));
    expect((await ask({})).candidates.length).toBeGreaterThan(0);
    socket.destroy();
  });
});

describe('the file', () => {
  it('is private to its owner, and so is its heartbeat', () => {
    expect(statSync(daemon.socket).mode & 0o777).toBe(0o600);
    expect(statSync(`${daemon.socket}.beat`).mode & 0o777).toBe(0o600);
  });

  it('of a live daemon is not taken over by a second one', async () => {
    await expect(new DaemonProcess().restart({ ASHLET_SOCKET: daemon.socket })).rejects.toThrow(
      /Another program listens/,
    );
    expect((await ask({})).candidates.length).toBeGreaterThan(0);
  });

  it.each([
    ['a file', (file: string) => writeFileSync(file, 'precious')],
    ['a folder', (file: string) => mkdirSync(file)],
    ['a link', (file: string) => symlinkSync('/etc/passwd', file)],
  ])('%s in its place is left alone', async (_name, make) => {
    const other = new DaemonProcess();
    make(other.socket);
    const before = lstatSync(other.socket).ino;
    await expect(other.start()).rejects.toThrow(/not a socket/);
    expect(lstatSync(other.socket).ino).toBe(before);
    await other.dispose();
  });

  it('left by a daemon that was killed is taken over; a stop leaves nothing', async () => {
    const other = await new DaemonProcess().start(HISTORY);
    await other.end('SIGKILL');
    expect(existsSync(other.socket)).toBe(true);
    await other.restart();
    expect(await other.ask(request({}))).toContain('request_id');
    await other.end('SIGTERM');
    expect(readdirSync(other.dir).sort()).toEqual(['history', 'state']);
    await other.dispose();
  });

  it('may have too long a path, or be where nobody can write', async () => {
    const other = new DaemonProcess();
    await expect(other.restart({ ASHLET_SOCKET: path.join(other.dir, 'x'.repeat(120)) })).rejects.toThrow(
      /too long/,
    );
    await expect(other.restart({ ASHLET_SOCKET: '/proc/nowhere/a.sock' })).rejects.toThrow(/refused/);
    await other.dispose();
  });
});
