/**
 * Reported bugs of other programs, replayed against a stand-in AI CLI in real tmux: copy mode, lost Enters, dialogs,
 * drafts, queues, dead panes. Each compares the bytes that arrived.
 */
import { spawn } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { fail, ok } from '../../../src/lib/result.ts';
import { probeTmux } from '../../../src/tmux/command.ts';
import type { TmuxPort } from '../../../src/tmux/port.ts';
import { eventually, must, type Quirks, SendBench } from '../../helpers/tmux-sender.ts';

const version = await probeTmux({ server: { kind: 'default' }, env: process.env });
/** From tmux 3.7 on, one read-only control client makes `send-keys` fail for everybody. */
const poisoned =
  version.ok && (version.value.major > 3 || (version.value.major === 3 && version.value.minor >= 7));

let bench: SendBench | null = null;

afterEach(async () => {
  await bench?.close();
  bench = null;
});

async function withComposer(quirks: Quirks = {}, limits = {}): Promise<SendBench> {
  bench = new SendBench({ limits });
  await bench.startComposer(quirks);
  return bench;
}

const framed = (text: string) => `\u001b[200~${text}\u001b[201~\r`;

async function arrived(b: SendBench): Promise<string> {
  return (await b.bytes()).toString();
}

/** Runs `act` once, right after the first command line that contains `word`. */
function justAfter(tmux: TmuxPort, word: string, act: () => Promise<unknown>): TmuxPort {
  let done = false;
  return {
    async run(commands, options) {
      const answer = await tmux.run(commands, options);
      if (!done && commands.flat().some((each) => each.includes(word))) {
        done = true;
        await act();
      }
      return answer;
    },
  };
}

/** The same, just before it. */
function justBefore(tmux: TmuxPort, word: string, act: () => Promise<unknown>): TmuxPort {
  let done = false;
  return {
    async run(commands, options) {
      if (!done && commands.flat().some((each) => each.includes(word))) {
        done = true;
        await act();
      }
      return tmux.run(commands, options);
    },
  };
}

function sendBy(b: SendBench, tmux: TmuxPort, text: string, markers = false) {
  if (b.pane === null) throw new Error('no pane');
  return b.senderOn(tmux).send({ pane: b.pane, text, mode: 'prompt', markers, submit: true });
}

describe('copy mode', () => {
  it('a scrolled pane: one framed paste, submitted once', async () => {
    const b = await withComposer({ answerLines: 60 });
    must(await b.send('warm up'));
    await b.must('copy-mode', '-t', b.server.pane);
    await b.must('send-keys', '-t', b.server.pane, '-X', 'page-up');
    must(await b.send('one\ntwo'));
    expect(await arrived(b)).toBe(framed('warm up') + framed('one\ntwo'));
  });

  it('text that would be commands there arrives as text', async () => {
    const b = await withComposer();
    await b.must('copy-mode', '-t', b.server.pane);
    must(await b.send('f / : q ?'));
    expect(await arrived(b)).toBe(framed('f / : q ?'));
  });

  it('entered between look and paste', async () => {
    const b = await withComposer();
    const tmux = justBefore(b.tmux, 'paste-buffer', () => b.must('copy-mode', '-t', b.server.pane));
    must(await sendBy(b, tmux, 'one\ntwo'));
    expect(await arrived(b)).toBe(framed('one\ntwo'));
  });

  it('entered between paste and Enter: Enter is not swallowed', async () => {
    const b = await withComposer();
    const tmux = justAfter(b.tmux, 'paste-buffer', () => b.must('copy-mode', '-t', b.server.pane));
    must(await sendBy(b, tmux, 'one\ntwo'));
    expect(await arrived(b)).toBe(framed('one\ntwo'));
    expect(await b.submitted()).toEqual(['one\ntwo']);
  });

  it('a chooser over the pane is closed too', async () => {
    const b = await withComposer();
    await b.must('clock-mode', '-t', b.server.pane);
    must(await b.send('text'));
    expect(await arrived(b)).toBe(framed('text'));
  });
});

describe('Enter', () => {
  it('a newline at the end is not an Enter', async () => {
    const b = await withComposer();
    must(await b.send('line\n\n'));
    expect(await arrived(b)).toBe(framed('line'));
  });

  it('within a burst is a newline to some programs: 20 of 20 are submitted', async () => {
    const b = await withComposer({ burstMs: 120 });
    const texts = Array.from({ length: 20 }, (_, row) => `prompt ${row}\nsecond line`);
    for (const text of texts) must(await b.send(text));
    expect(await b.submitted()).toEqual(texts);
  });

  it('is never in the same read as the end of the paste', async () => {
    const b = await withComposer({ losesEnterBehindPaste: true });
    must(await b.send('text'));
    expect(await arrived(b)).toBe(framed('text'));
  });

  it('is repeated while the composer holds the text; the paste is not', async () => {
    const b = await withComposer({ ignoresEnters: 1 }, { enterRepeatMs: 300 });
    must(await b.send('text'));
    expect(await arrived(b)).toBe(`${framed('text')}\r`);
    expect(await b.submitted()).toEqual(['text']);
  });

  it('without effect: staged, and a later Enter by hand submits it', async () => {
    const b = await withComposer({ ignoresEnters: 3 }, { enterRepeatMs: 150, confirmMs: 900 });
    const sent = await b.send('text');
    expect(sent).toMatchObject({ ok: false, error: { code: 'staged' } });
    expect(b.outbox.states.at(-1)).toBe('staged');
    const [record] = b.outbox.records.values();
    if (record === undefined || b.pane === null) throw new Error('no record');
    const times = { createdAt: 0, updatedAt: 0 };
    const entry = { ...record, ...times, state: 'staged', reason: null, proof: null } as const;
    expect(await b.sender.submit(entry, b.pane)).toMatchObject({ ok: true, value: { state: 'delivered' } });
    expect(await b.submitted()).toEqual(['text']);
    expect(await b.sender.submit(entry, b.pane)).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(await arrived(b)).toBe(`${framed('text')}\r\r\r`);
  });

  it('taken late by a program that hangs: nothing is doubled', async () => {
    const b = await withComposer({ enterHangMs: 1000 });
    must(await b.send('text'));
    expect(await b.submitted()).toEqual(['text']);
    expect((await arrived(b)).split('text').length - 1).toBe(1);
  });

  it('fails with "client is read-only": the text is staged, and the message names the cause', async () => {
    const b = await withComposer();
    const failing: TmuxPort = {
      run: (commands, options) =>
        commands.flat().some((word) => word.includes('Enter'))
          ? Promise.resolve({
              ok: false,
              error: { ...fail('refused', 'client is read-only').error, certain: true },
            })
          : b.tmux.run(commands, options),
    };
    const sent = await sendBy(b, failing, 'text');
    expect(sent).toMatchObject({ ok: false, error: { code: 'staged' } });
    expect(sent.ok ? '' : sent.error.message).toContain('read-only');
  });

  it.skipIf(!poisoned)('is rejected beside a read-only client (tmux 3.7 and newer): staged', async () => {
    const b = await withComposer();
    const argv = ['-u', '-L', b.server.socketName, '-C', 'attach-session', '-r'];
    const reader = spawn('tmux', argv, { stdio: ['pipe', 'ignore', 'ignore'] });
    const flags = () => b.must('list-clients', '-F', '#{client_readonly}');
    await eventually('the reader', flags, (text) => text === '1');
    const sent = await b.send('text');
    reader.kill('SIGKILL');
    expect(sent).toMatchObject({ ok: false, error: { code: 'staged' } });
    expect(sent.ok ? '' : sent.error.message).toContain('read-only');
    expect(await arrived(b)).toBe('\u001b[200~text\u001b[201~');
  });

  it('is not pressed with --no-submit', async () => {
    const b = await withComposer();
    expect(await b.send('text', { submit: false })).toMatchObject({ ok: true, value: { state: 'staged' } });
    expect(await arrived(b)).toBe('\u001b[200~text\u001b[201~');
  });

  it('is not pressed into a dialog that opened after the paste', async () => {
    const b = await withComposer({ asksAfterPasteMs: 20 });
    const sent = await b.send('text');
    expect(sent).toMatchObject({ ok: false, error: { code: 'staged' } });
    expect(await arrived(b)).toBe('\u001b[200~text\u001b[201~');
  });

  it('is not repeated into a question that opens when the prompt is accepted', async () => {
    const b = await withComposer(
      { asksOnSubmit: 'to run rm', enterHangMs: 400 },
      { enterRepeatMs: 2000, confirmMs: 1200 },
    );
    await b.send('text');
    expect((await b.acts()).filter((act) => act.chosen !== undefined)).toEqual([]);
  });
});

describe('size', () => {
  it.each([9_995, 16_400, 200_000])('%i bytes arrive whole, once', async (bytes) => {
    const b = await withComposer({ pillLines: 10 });
    const line = 'all of it arrives 漢字 ';
    const text = `${line.repeat(Math.ceil(bytes / 24)).slice(0, bytes - 200)}\n${'tail\n'.repeat(12)}end`;
    must(await b.send(text));
    const all = await eventually(
      'all bytes',
      () => arrived(b),
      (got) => got.endsWith('\r'),
    );
    expect(all === framed(text)).toBe(true);
    expect(await b.submitted()).toEqual([text]);
  });
});

describe('control bytes', () => {
  it('a paste-end sequence in the text does not end the paste', async () => {
    const b = await withComposer();
    must(await b.send('quote: \u001b[201~\rrm -rf x\r and \u009b201~ \u0003\u0004 end'));
    expect(await arrived(b)).toBe(framed('quote: \nrm -rf x\n and   end'));
  });
});

describe('nothing is sent', () => {
  const refused = { ok: false, error: { code: 'refused' } } as const;
  const cases: readonly (readonly [string, Quirks, RegExp])[] = [
    ['into a permission dialog', { dialog: 'to delete 2 files' }, /waits for you.*delete 2 files/],
    ['onto a draft', { draft: 'half a sent' }, /draft: half a sent/],
    ['into vim NORMAL mode', { vimNormal: true }, /vim NORMAL/],
  ];
  it.each(cases)('%s', async (_name, quirks, message) => {
    const b = await withComposer(quirks);
    const sent = await b.send('2 things\nto do');
    expect(sent).toMatchObject(refused);
    expect(sent.ok ? '' : sent.error.message).toMatch(message);
    expect(await arrived(b)).toBe('');
    expect(b.outbox.states).toEqual(['recorded', 'refused']);
  });

  it('ghost text is not a draft', async () => {
    const b = await withComposer({ ghost: 'suggestion: fix the tests' });
    must(await b.send('text'));
    expect(await arrived(b)).toBe(framed('text'));
  });

  it('waits for a CLI that is still starting', async () => {
    const b = await withComposer({ startMs: 800 });
    must(await b.send('text'));
    expect(await arrived(b)).toBe(framed('text'));
  });

  it('into a shell', async () => {
    bench = new SendBench();
    await bench.startProgram(['sh', '-i'], 'shell$');
    const sent = await bench.send('1. touch a\n2. "quote\n3. ls');
    expect(sent).toMatchObject(refused);
    expect(sent.ok ? '' : sent.error.message).toContain('shell');
    expect((await bench.server.screen()).trim()).toBe('shell$');
  });

  it('into the shell that the CLI has exited to', async () => {
    bench = new SendBench();
    await bench.startProgram(['sh', '-i'], 'shell$');
    const argv = bench.composerArgv({ exitsAfter: 1 });
    await bench.server.type(argv.map((word) => `'${word}'`).join(' '));
    await bench.server.keys('Enter');
    await bench.server.until('the composer', (screen) => screen.includes('? for shortcuts'));
    bench.pane = await bench.choose(bench.server.pane);
    expect(bench.pane.cli).toBe('claude');
    await bench.send('last words', { signal: AbortSignal.timeout(1500) });
    await bench.server.until('the shell', (screen) => screen.trimEnd().endsWith('shell$'));
    const bytes = await bench.bytes();
    expect(await bench.send('one\ntwo')).toMatchObject(refused);
    expect(await bench.bytes()).toEqual(bytes);
    expect(await bench.server.screen()).not.toContain('two');
  });

  it('into a pane that was replaced between look and paste', async () => {
    const b = await withComposer();
    const argv = b.composerArgv({});
    const replace = () => b.must('respawn-pane', '-k', '-t', b.server.pane, ...argv);
    const sent = await sendBy(b, justBefore(b.tmux, 'paste-buffer', replace), 'text');
    expect(sent).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await arrived(b)).toBe('');
    expect(await b.must('list-buffers')).toBe('');
  });

  it('no Enter into a pane that was replaced after the paste', async () => {
    const b = await withComposer();
    const argv = b.composerArgv({});
    const replace = () => b.must('respawn-pane', '-k', '-t', b.server.pane, ...argv);
    const sent = await sendBy(b, justBefore(b.tmux, 'Enter', replace), 'text');
    expect(sent).toMatchObject({ ok: false, error: { code: 'unconfirmed' } });
    expect(await arrived(b)).toBe('\u001b[200~text\u001b[201~');
  });

  it('into a dead pane', async () => {
    const b = await withComposer();
    const { pane } = b;
    if (pane === null) throw new Error('no pane');
    process.kill(pane.identity.panePid, 'SIGKILL');
    await eventually(
      'the end',
      () => b.server.facts(),
      (facts) => facts.dead,
    );
    expect(await b.send('text')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('into a closed pane', async () => {
    const b = await withComposer();
    await b.must('split-window', '-t', b.server.pane, 'sleep 60');
    await b.must('kill-pane', '-t', b.server.pane);
    expect(await b.send('text')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('into a server that has exited', async () => {
    const b = await withComposer();
    await b.server.kill();
    expect(await b.send('text')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('into a pane that accepts no input', async () => {
    const b = await withComposer();
    await b.must('select-pane', '-d', '-t', b.server.pane);
    expect(await b.send('text')).toMatchObject(refused);
  });

  it('into a window that types into all its panes', async () => {
    const b = await withComposer();
    await b.must('split-window', '-d', '-t', b.server.pane, 'cat');
    await b.must('set-option', '-w', '-t', b.server.pane, 'synchronize-panes', 'on');
    expect(await b.send('text')).toMatchObject(refused);
  });

  it.each(['', '   \n\n', '\u001b\u0007'])('of an empty text %j', async (text) => {
    const b = await withComposer();
    expect(await b.send(text)).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect(b.outbox.states).toEqual([]);
  });

  it('when the outbox cannot be written', async () => {
    const b = await withComposer();
    const full = () => Promise.resolve(fail('internal', 'disk full'));
    b.outbox.record = full;
    expect(await b.send('text')).toMatchObject({ ok: false, error: { message: 'disk full' } });
    b.outbox.record = () => Promise.resolve(ok(true));
    b.outbox.update = full;
    expect(await b.send('text')).toMatchObject({ ok: false, error: { message: 'disk full' } });
    expect(await arrived(b)).toBe('');
  });
});

describe('proof', () => {
  it('while busy: queued, not sent again, accepted later', async () => {
    const b = await withComposer({ busyMs: 5000 });
    must(await b.send('first'));
    const second = await b.send('second');
    expect(second).toMatchObject({ ok: true, value: { state: 'queued' } });
    await eventually(
      'the second turn',
      () => b.submitted(),
      (texts) => texts.length === 2,
    );
    expect(await arrived(b)).toBe(framed('first') + framed('second'));
  });

  it('a folded paste counts as held and is proven by the transcript', async () => {
    const b = await withComposer({ pillLines: 3, ignoresEnters: 1 }, { enterRepeatMs: 200 });
    b.hasTranscript = true;
    const text = Array.from({ length: 12 }, (_, row) => `line ${row}`).join('\n');
    const sending = b.send(text);
    await eventually(
      'the prompt',
      () => b.submitted(),
      (texts) => texts.length === 1,
    );
    b.proof = { kind: 'delivered', by: 'transcript' };
    expect(await sending).toMatchObject({ ok: true, value: { state: 'delivered', proof: 'transcript' } });
  });

  it('a transcript that stays silent: unconfirmed, and nothing is sent again', async () => {
    const b = await withComposer({}, { confirmMs: 700 });
    b.hasTranscript = true;
    const sent = await b.send('text');
    expect(sent).toMatchObject({ ok: false, error: { code: 'unconfirmed' } });
    expect(await arrived(b)).toBe(framed('text'));
  });

  it('rows below the composer do not hide that it still holds the text', async () => {
    const b = await withComposer({ hudRows: 5, ignoresEnters: 9 }, { enterRepeatMs: 100, confirmMs: 600 });
    expect(await b.send('text')).toMatchObject({ ok: false, error: { code: 'staged' } });
  });

  it('markers: seen above the composer', async () => {
    const b = await withComposer();
    const sent = await b.send('text', { markers: true });
    expect(sent).toMatchObject({ ok: true, value: { state: 'delivered', proof: 'marker' } });
    expect(await b.submitted()).toEqual([
      expect.stringMatching(/^### PROMPT \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n\ntext\n\n### END PROMPT$/),
    ]);
  });

  it('markers in an unknown program that hides its cursor', async () => {
    const b = await withComposer({ title: 'mystery', hidesCursor: true });
    expect(b.pane?.cli).toBe('generic');
    const sent = await b.send('text', { markers: true });
    expect(sent).toMatchObject({ ok: true, value: { state: 'delivered', proof: 'marker' } });
  });

  it('an unknown program that swallows Enter is not called delivered', async () => {
    const b = await withComposer({ title: 'mystery', ignoresEnters: 9 }, { confirmMs: 700 });
    expect(await b.send('text', { markers: true })).toMatchObject({ ok: false, error: { code: 'staged' } });
  });

  it('in the alternate screen', async () => {
    const b = await withComposer({ alternate: true });
    const sent = await b.send('one\ntwo', { markers: true });
    expect(sent).toMatchObject({ ok: true, value: { state: 'delivered' } });
  });
});

describe('a command', () => {
  it('is typed key by key, then Enter', async () => {
    const b = await withComposer();
    const sent = await b.send('/model opus; ü', { mode: 'command', markers: true });
    expect(sent).toMatchObject({ ok: true, value: { state: 'delivered' } });
    expect(await arrived(b)).toBe('/model opus; ü\r');
    expect(await b.submitted()).toEqual(['/model opus; ü']);
  });

  it('has one line', async () => {
    const b = await withComposer();
    expect(await b.send('/a\n/b', { mode: 'command' })).toMatchObject({
      ok: false,
      error: { code: 'invalid' },
    });
  });
});

describe('stopping', () => {
  it('before anything was typed: abandoned', async () => {
    const b = await withComposer();
    const sent = await b.send('text', { signal: AbortSignal.abort() });
    expect(sent).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(await arrived(b)).toBe('');
    expect(b.outbox.states.at(-1)).toBe('abandoned');
  });
});
