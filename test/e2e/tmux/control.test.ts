/** The control client against real tmux: answers in order, output, pauses, and no client left behind. */
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { createScrollback, type PaneView, viewPane } from '../../../src/tmux/capture.ts';
import { type ControlClient, connectControlClient } from '../../../src/tmux/control-client.ts';
import { createPaneFeed, type PaneFeed } from '../../../src/tmux/feed.ts';
import { testProgram } from '../../helpers/product.ts';
import { eventually, must, SendBench } from '../../helpers/tmux-sender.ts';

let bench: SendBench | null = null;
let client: ControlClient | null = null;
let feed: PaneFeed | null = null;

afterEach(async () => {
  await feed?.close();
  await client?.close();
  await bench?.close();
  feed = null;
  client = null;
  bench = null;
});

const timers = {
  now: () => Date.now(),
  set: (run: () => void, delayMs: number) => setTimeout(run, delayMs),
  clear: (handle: unknown) => clearTimeout(handle as NodeJS.Timeout),
};

function connectTo(b: SendBench, sessionId: string) {
  return connectControlClient({
    server: { kind: 'name', name: b.server.socketName },
    env: process.env,
    sessionId,
  });
}

async function connected(): Promise<{ b: SendBench; c: ControlClient }> {
  const b = new SendBench();
  bench = b;
  await b.startProgram(['sh', '-i'], 'shell$');
  client = must(await connectTo(b, await b.must('display-message', '-p', '#{session_id}')));
  return { b, c: client };
}

/** The folders through which control clients of this process pass texts. */
async function pasteFolders(): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith(`copane-paste-${process.pid}-`));
}

async function clients(b: SendBench): Promise<number> {
  const listed = await b.must('list-clients', '-F', '#{client_name}');
  return listed === '' ? 0 : listed.split('\n').length;
}

describe('control client', () => {
  it('answers many commands in order, errors among them', async () => {
    const { c } = await connected();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 10 === 9
          ? c.run([['capture-pane', '-p', '-t', '%999']])
          : c.run([
              ['display-message', '-p', `a${n}`],
              ['display-message', '-p', `it's "b"; #{l:x} ${n}`],
            ]),
      ),
    );
    for (const [n, answer] of answers.entries()) {
      if (n % 10 === 9)
        expect(answer).toMatchObject({ ok: false, error: { code: 'not_found', certain: true } });
      else expect(answer).toEqual({ ok: true, value: `a${n}\nit's "b"; x ${n}\n` });
    }
  });

  it('sees the same screen and the same scrollback as a process does', async () => {
    const { b, c } = await connected();
    await b.server.type('seq 1 300; printf "\\033[2mfaint\\033[0m %s %%begin 1 1 1 \\n" 漢字');
    await b.server.keys('Enter');
    await b.server.until('the output', (screen) => screen.includes('faint 漢字'));
    const [one, two] = await Promise.all([viewPane(c, b.server.pane), viewPane(b.tmux, b.server.pane)]);
    expect(must(one)).toEqual(must(two));
    expect(must(one).screen.rows.find((row) => row.text.startsWith('faint'))?.dim).toEqual([[0, 5]]);
    const [there, here] = await Promise.all([
      createScrollback(c, b.server.pane).read(),
      createScrollback(b.tmux, b.server.pane).read(),
    ]);
    expect(must(there)).toEqual(must(here));
    expect(must(there).lines.filter((line) => /^\d+$/.test(line))).toHaveLength(300);
  });

  it('pastes 100 KB through a private file that is removed afterwards', async () => {
    const before = await pasteFolders();
    const b = new SendBench();
    bench = b;
    await b.startComposer({ pillLines: 5 });
    client = must(await connectTo(b, await b.must('display-message', '-p', '#{session_id}')));
    const text = `${'0123456789 漢字\n'.repeat(6000)}end`;
    if (b.pane === null) throw new Error('no pane');
    const sent = await b
      .senderOn(client)
      .send({ pane: b.pane, text, mode: 'prompt', markers: false, submit: true });
    expect(sent).toMatchObject({ ok: true, value: { state: 'delivered' } });
    expect((await b.bytes()).equals(Buffer.from(`\u001b[200~${text}\u001b[201~\r`))).toBe(true);
    expect(await b.must('list-buffers')).toBe('');
    // The client exits by itself, as it does when its session is closed.
    await b.must('kill-session');
    await client.ended;
    await eventually('no folder', pasteFolders, (now) => now.every((name) => before.includes(name)));
  });

  it('hears output in a watched pane and pauses the others', async () => {
    const { b, c } = await connected();
    const other = await b.must(
      'split-window',
      '-dP',
      '-F',
      '#{pane_id}',
      '-t',
      b.server.pane,
      'yes | head -100000; cat',
    );
    let outputs = 0;
    c.watch(b.server.pane, { onOutput: () => outputs++, onStatus: () => undefined });
    const before = outputs;
    await b.server.type('echo hello');
    await b.server.keys('Enter');
    await eventually(
      'output',
      () => Promise.resolve(outputs),
      (count) => count > before,
    );
    expect(must(await c.run([['display-message', '-p', '-t', other, 'alive']]))).toBe('alive\n');
  });

  it('hears a paused pane again', async () => {
    const { b, c } = await connected();
    const other = await b.must('split-window', '-dP', '-F', '#{pane_id}', '-t', b.server.pane, 'cat');
    for (let round = 1; round <= 5; round++) {
      await b.must('send-keys', '-t', other, 'unwatched', 'Enter');
      must(await c.run([['display-message', '-p', 'the pause is under way']]));
      let outputs = 0;
      const stop = c.watch(other, { onOutput: () => outputs++, onStatus: () => undefined });
      await b.must('send-keys', '-t', other, 'watched', 'Enter');
      await eventually(
        `output in round ${round}`,
        () => Promise.resolve(outputs),
        (count) => count > 0,
        5000,
      );
      stop();
    }
  });

  it('leaves the current window, its size and the environment unchanged', async () => {
    const b = new SendBench();
    bench = b;
    await b.startProgram(['sh', '-i'], 'shell$');
    await b.must('set-environment', 'SSH_AUTH_SOCK', '/the/users/agent');
    await b.must('new-window', 'cat');
    const now = () => b.must('display-message', '-p', '#{window_id} #{window_width}x#{window_height}');
    const before = await now();
    client = must(await connectTo(b, await b.must('display-message', '-p', '#{session_id}')));
    expect(await now()).toBe(before);
    expect(await b.must('show-environment', 'SSH_AUTH_SOCK')).toBe('SSH_AUTH_SOCK=/the/users/agent');
    expect(await b.must('list-clients', '-F', '#{client_flags} #{client_readonly}')).toMatch(
      /^(?=.*control-mode)(?=.*ignore-size)(?!.*read-only).* 0$/,
    );
  });

  it('hears when a program starts, even in a pane created later', async () => {
    const { b, c } = await connected();
    let told = 0;
    c.onTopology(() => told++);
    const more = (what: string, before: number) =>
      eventually(
        what,
        () => Promise.resolve(told),
        (count) => count > before,
      );
    await more('the first look', 0);
    const later = await b.must('split-window', '-dP', '-F', '#{pane_id}', '-t', b.server.pane, 'sh', '-i');
    for (const [pane, program] of [
      [b.server.pane, 'cat'],
      [later, 'cat'],
      [later, 'sleep 100'],
    ] as const) {
      await b.must('respawn-pane', '-k', '-t', pane, 'sh', '-i');
      const running = () => b.must('display-message', '-p', '-t', pane, '#{pane_current_command}');
      await eventually('the shell', running, (name) => name === 'sh');
      const before = told;
      await b.must('send-keys', '-t', pane, `exec ${program}`, 'Enter');
      await more(program, before);
    }
  });

  it('leaves other sessions alone when its own closes while its client is slow', async () => {
    const { b, c } = await connected();
    let told = 0;
    c.onTopology(() => told++);
    await eventually(
      'the subscription',
      () => Promise.resolve(told),
      (count) => count > 0,
    );
    const slow = Number(await b.must('list-clients', '-F', '#{client_pid}'));
    const [pane = '', session = ''] = (
      await b.must('new-session', '-dP', '-F', '#{pane_id} #{session_id}', 'cat')
    ).split(' ');
    const other = must(await connectTo(b, session));
    process.kill(slow, 'SIGSTOP');
    try {
      await b.must(
        'kill-session',
        '-t',
        await b.must('display-message', '-p', '-t', b.server.pane, '#{session_id}'),
      );
      // tmux checks subscriptions once a second, for each client: two changes here mean one check there.
      for (const title of ['one', 'two']) {
        const seen = new Promise<void>((resolve) => {
          other.watch(pane, { onOutput: () => undefined, onStatus: resolve });
        });
        await b.must('select-pane', '-T', title, '-t', pane);
        await seen;
      }
    } finally {
      process.kill(slow, 'SIGCONT');
      await other.close();
    }
    expect(await b.must('list-sessions', '-F', '#{session_id}')).toBe(session);
  });

  it('says why it cannot attach', async () => {
    const { b } = await connected();
    expect(await connectTo(b, '$99')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('ends with the server, and calls fail as uncertain', async () => {
    const { b, c } = await connected();
    const waiting = c.run([['wait-for', 'never']]);
    const pid = await b.must('display-message', '-p', '#{pid}');
    process.kill(Number(pid), 'SIGKILL');
    await c.ended;
    expect(await waiting).toMatchObject({ ok: false, error: { certain: false } });
    expect(c.isOpen).toBe(false);
    expect(await c.run([['display-message', '-p', 'x']])).toMatchObject({ ok: false });
  });

  it('leaves no client behind, whether closed or killed', async () => {
    const { b, c } = await connected();
    await c.close();
    expect(await clients(b)).toBe(0);
    const holder = testProgram('tmux-holder');
    const child = spawn(process.execPath, [holder, b.server.socketName, '$0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(await clients(b)).toBe(1);
    child.kill('SIGKILL');
    await eventually(
      'the client to go',
      () => clients(b),
      (count) => count === 0,
    );
  });
});

describe('feed', () => {
  const startFeed = (b: SendBench, problems: string[] = [], onSwitch: () => void = () => undefined) =>
    createPaneFeed({
      fallback: b.tmux,
      panes: b.panes,
      connect: (sessionId) => connectTo(b, sessionId),
      timers,
      listener: { onTopology: () => undefined, onSwitch, onProblem: (message) => problems.push(message) },
    });

  it('shows output soon, survives the loss of its client, and reports a closed pane', async () => {
    const b = new SendBench();
    bench = b;
    await b.startProgram(['sh', '-i'], 'shell$');
    const [pane] = must(await b.panes.facts());
    if (pane === undefined) throw new Error('no pane');
    await b.must('new-session', '-d', 'cat');
    feed = startFeed(b);
    const views: PaneView[] = [];
    let gone = 0;
    feed.follow(pane, { onView: (view) => views.push(view), onGone: () => gone++ });
    const shows = (text: string) => () =>
      Promise.resolve(views.at(-1)?.screen.rows.some((row) => row.text === text) ?? false);
    await b.server.type('echo on$((1))e');
    await b.server.keys('Enter');
    await eventually('the first output', shows('on1e'), Boolean);
    const name = await b.must('list-clients', '-F', '#{client_name}');
    await b.must('detach-client', '-t', name);
    await b.server.type('echo tw$((2))o');
    await b.server.keys('Enter');
    await eventually('the second output', shows('tw2o'), Boolean);
    await eventually(
      'a new client',
      () => clients(b),
      (count) => count === 1,
    );
    await b.must('kill-pane', '-t', b.server.pane);
    await eventually(
      'the end',
      () => Promise.resolve(gone),
      (count) => count === 1,
    );
    await eventually(
      'no client',
      () => clients(b),
      (count) => count === 0,
    );
  });

  it('reports when another window or pane comes to the front, in any session', async () => {
    const b = new SendBench();
    bench = b;
    await b.startProgram(['sh', '-i'], 'shell$');
    const [pane] = must(await b.panes.facts());
    if (pane === undefined) throw new Error('no pane');
    await b.must('new-session', '-d', '-s', 'other', 'cat');
    await b.must('new-window', '-d', '-t', 'other', 'cat');
    await b.must('split-window', '-t', pane.identity.paneId, 'cat');
    let switches = 0;
    feed = startFeed(b, [], () => {
      switches += 1;
    });
    feed.follow(pane, { onView: () => undefined, onGone: () => undefined });
    await eventually(
      'its client',
      () => clients(b),
      (count) => count === 1,
    );
    for (const command of ['select-window -t other:1', 'resize-pane -Z', 'last-pane']) {
      const before = switches;
      await b.must(...command.split(' '), ...(command.includes('-t') ? [] : ['-t', pane.identity.paneId]));
      await eventually(
        command,
        () => Promise.resolve(switches),
        (count) => count > before,
      );
    }
  });

  it('follows panes of two sessions at once', async () => {
    const b = new SendBench();
    bench = b;
    await b.startProgram(['sh', '-i'], 'shell$');
    await b.must('new-session', '-d', 'cat');
    const problems: string[] = [];
    feed = startFeed(b, problems);
    const seen = new Map<string, string>();
    for (const pane of must(await b.panes.facts())) {
      const { paneId } = pane.identity;
      const onView = (view: PaneView) => {
        seen.set(paneId, view.screen.rows.map((row) => row.text).join('\n'));
      };
      feed.follow(pane, { onView, onGone: () => undefined });
    }
    await eventually(
      'two clients',
      () => clients(b),
      (count) => count === 2,
    );
    for (const paneId of seen.keys()) await b.must('send-keys', '-t', paneId, `here-${paneId.slice(1)}`);
    for (const paneId of seen.keys()) {
      const text = () => Promise.resolve(`${problems.join('; ')}${seen.get(paneId)}`);
      await eventually('its text', text, (got) => got.includes(`here-${paneId.slice(1)}`));
    }
  });
});
