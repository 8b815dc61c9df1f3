import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { draftOf, must, promptOf, temporaryHome } from '../../../test/helpers/host-fakes.ts';
import { until } from '../../../test/helpers/until.ts';
import { ok } from '../../lib/result.ts';
import type { Draft } from '../../protocol/draft.ts';
import type { ServerMessage } from '../../protocol/wire.ts';
import type { SessionSink } from '../../server/port.ts';
import { openStore, type Store } from '../../store/store.ts';
import { SILENT_LOG } from '../log/log.ts';
import type { Handlers } from './handler.ts';
import { DRAFT_MAX_BYTES } from './handlers/draft.ts';
import { handlers } from './handlers/index.ts';
import { OUTBOX_MAX_TEXT_BYTES } from './handlers/outbox.ts';
import { Host } from './host.ts';
import type { OpenAgent } from './open-agent.ts';

let home: ReturnType<typeof temporaryHome>;
let store: Store;
beforeEach(() => {
  home = temporaryHome();
  const eventLimits = { maxRows: 10, maxBytes: 1e9 };
  store = must(openStore({ stateDir: home.paths.stateDir, now: () => 0, eventLimits }));
});
afterEach(() => {
  store.close();
  home.remove();
});

function newHost(own: Partial<Handlers> = {}, openAgent?: OpenAgent) {
  const logged: string[] = [];
  const noted: string[] = [];
  const leader = must(store.beginEpoch({ pid: 1, startedAt: 0, version: 't', socketPath: '/s' }));
  let stale = 0;
  const host = new Host({
    store,
    stateDir: home.paths.stateDir,
    leader,
    makeHandlers: () => ({ ...handlers, ...own }),
    openAgent,
    now: () => 0,
    newClientName: () => 'anonymous',
    log: {
      ...SILENT_LOG,
      error: (message) => logged.push(message),
      debug: (message, fields) => noted.push(`${message} ${JSON.stringify(fields)}`),
    },
    onStale: () => {
      stale += 1;
    },
  });
  return { host, logged, noted, staleCalls: () => stale };
}

/** Begins a newer epoch, as another process would. */
function replaceLeader(): void {
  const other = must(openStore({ stateDir: home.paths.stateDir, now: () => 0 }));
  must(other.beginEpoch({ pid: 3, startedAt: 0, version: 't', socketPath: '/s' }));
  other.close();
}

/** A client that reads only when the test allows it. */
class FakeSink implements SessionSink {
  readonly seqs: number[] = [];
  readonly messages: ServerMessage[] = [];
  unsent = 0;
  send(message: ServerMessage): void {
    this.messages.push(message);
  }
  sendEvent(event: { seq: number }): void {
    this.seqs.push(event.seq);
  }
  unsentBytes(): number {
    return this.unsent;
  }
  end(reason: string, settled?: boolean): void {
    this.messages.push({ type: 'bye', reason, ...(settled ? { settled } : {}) });
  }
}

function emit(host: Host, id: string): void {
  must(
    host.write((writer) => {
      const entry = {
        ...promptOf(id),
        state: 'recorded',
        reason: null,
        proof: null,
        createdAt: 0,
        updatedAt: 0,
      } as const;
      writer.emit({ type: 'outbox/changed', entry });
      return ok(null);
    }),
  );
}

describe('a slow reader', () => {
  it('gets missed events from the log when it reads again', () => {
    const { host } = newHost();
    const sink = new FakeSink();
    const session = host.openSession(sink, () => undefined);
    session.receive({ subscribe: 0 });
    emit(host, 'a');
    sink.unsent = 1e9;
    for (const id of ['b', 'c', 'd']) emit(host, id);
    expect(sink.seqs).toEqual([1]);
    sink.unsent = 0;
    session.drained();
    expect(sink.seqs).toEqual([1, 2, 3, 4]);
  });

  it('gets a gap event if the log has dropped events meanwhile', () => {
    const { host } = newHost();
    const sink = new FakeSink();
    const session = host.openSession(sink, () => undefined);
    session.receive({ subscribe: 0 });
    sink.unsent = 1e9;
    for (let n = 0; n < 64; n++) emit(host, `e${n}`);
    sink.unsent = 0;
    session.drained();
    expect(sink.messages).toEqual([
      { type: 'subscribed', seq: 0, head: 0 },
      { type: 'gap', seq: 54, head: 64 },
    ]);
    expect(sink.seqs).toEqual([55, 56, 57, 58, 59, 60, 61, 62, 63, 64]);
  });
});

it('keeps the order when a listener causes another event', () => {
  const { host } = newHost();
  const [first, second] = [new FakeSink(), new FakeSink()];
  const cause = first.sendEvent.bind(first);
  first.sendEvent = (event) => {
    cause(event);
    if (event.seq === 1) emit(host, 'caused');
  };
  for (const sink of [first, second]) host.openSession(sink, () => undefined).receive({ subscribe: 0 });
  emit(host, 'a');
  expect([first.seqs, second.seqs]).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

it('sends nothing after it was closed', async () => {
  const { host } = newHost();
  const sink = new FakeSink();
  const session = host.openSession(sink, () => undefined);
  session.receive({ subscribe: 0 });
  session.receive({ id: 1, command: 'host/status', params: {} });
  session.close();
  emit(host, 'a');
  session.receive({ id: 2, command: 'host/status', params: {} });
  await new Promise((resolve) => setImmediate(resolve));
  expect(sink.messages).toEqual([{ type: 'subscribed', seq: 0, head: 0 }]);
  expect(sink.seqs).toEqual([]);
  expect(host.status().clients).toBe(0);
});

it('marks its goodbye as settled unless a request still runs or its answer was withheld', async () => {
  let isAsked = false;
  const forever: Partial<Handlers> = {
    'outbox/list': () => {
      isAsked = true;
      return new Promise<never>(() => undefined);
    },
  };
  const byeAfter = async (command: string, params = {}) => {
    const { host, staleCalls } = newHost(forever);
    const sink = new FakeSink();
    const session = host.openSession(sink, () => undefined);
    if (command === 'outbox/record') replaceLeader();
    session.receive({ id: 1, command, params });
    await until('what becomes of it', () => sink.messages.length > 0 || isAsked || staleCalls() > 0);
    host.close('it quits');
    session.receive({ id: 2, command: 'host/status', params: {} });
    return sink.messages.at(-1);
  };
  expect(await byeAfter('host/status')).toEqual({ type: 'bye', reason: 'it quits', settled: true });
  expect(await byeAfter('outbox/list')).toEqual({ type: 'bye', reason: 'it quits' });
  isAsked = false;
  expect(await byeAfter('outbox/record', promptOf('a'))).toEqual({ type: 'bye', reason: 'it quits' });
});

describe('dispatch', () => {
  const caller = { client: 'c', once: null };

  it('accepts a prompt at the limit and refuses one byte more', async () => {
    const { host } = newHost();
    const record = (bytes: number) =>
      host.dispatch('outbox/record', promptOf(`p${bytes}`, 'x'.repeat(bytes)), caller);
    expect(await record(OUTBOX_MAX_TEXT_BYTES)).toMatchObject({ ok: true });
    expect(await record(OUTBOX_MAX_TEXT_BYTES + 1)).toMatchObject({ ok: false, error: { code: 'invalid' } });
  });

  it('accepts a draft at the limit and refuses one byte more, saved or appended', async () => {
    const { host } = newHost();
    const key = { project: 'p', pane: '%1' };
    const frame = JSON.stringify(draftOf('')).length;
    const save = (bytes: number, baseRevision: number) =>
      host.dispatch('draft/save', { key, draft: draftOf('x'.repeat(bytes - frame)), baseRevision }, caller);
    expect(await save(DRAFT_MAX_BYTES, 0)).toMatchObject({ ok: true, value: { revision: 1 } });
    expect(await save(DRAFT_MAX_BYTES + 1, 1)).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(await host.dispatch('draft/append', { key, text: '' }, caller)).toMatchObject({ ok: false });
    expect(await host.dispatch('draft/load', { key }, caller)).toMatchObject({ value: { revision: 1 } });
  });

  it.each([
    ['one', ['one']],
    ['one\ntwo\n', ['one', 'two']],
    ['one\r\ntwo', ['one', 'two']],
    ['\n', ['']],
    ['a\n\nb', ['a', '', 'b']],
  ])('appends %j as notes', async (text, lines) => {
    const { host } = newHost();
    const key = { project: 'p', pane: '%1' };
    await host.dispatch('draft/append', { key, text: 'before' }, caller);
    const appended = await host.dispatch('draft/append', { key, text }, caller);
    must(appended as never);
    const { draft } = must((await host.dispatch('draft/load', { key }, caller)) as never) as { draft: Draft };
    expect(draft.lines.map((line) => line.text)).toEqual(['before', ...lines]);
    expect(draft.lines.map((line) => line.id)).toEqual(draft.lines.map((_, index) => index + 1));
    expect(draft.lines.every(({ tag }) => tag === 'note')).toBe(true);
  });

  it('answers an unexpected error as internal, logs it and continues', async () => {
    const broken: Partial<Handlers> = {
      'outbox/list': () => {
        throw new TypeError('planted');
      },
    };
    const { host, logged } = newHost(broken);
    expect(await host.dispatch('outbox/list', {}, caller)).toMatchObject({
      ok: false,
      error: { code: 'internal' },
    });
    expect(logged).toEqual(['a command failed because of a defect']);
    expect(await host.dispatch('host/status', {}, caller)).toMatchObject({ ok: true });
  });

  it('closes cleanly when the agent cannot be loaded, and tries again for the next caller', async () => {
    let tries = 0;
    const { host } = newHost({}, () => {
      tries += 1;
      return Promise.reject(new Error('planted'));
    });
    const ask = () => host.dispatch('agent/jobs', { root: '/' }, caller);
    const asking = ask();
    const settled = host.settled();
    host.close('the leader quits');
    expect(await asking).toMatchObject({ ok: false, error: { code: 'internal' } });
    await settled;
    await ask();
    expect(tries).toBe(2);
  });

  it('runs each step of an identified request once when it is repeated', async () => {
    const done: string[] = [];
    let dies = true;
    const twoSteps: Partial<Handlers> = {
      'draft/load': (input, context) => {
        const step = (name: string) =>
          context.write((writer) => {
            done.push(name);
            return ok(writer.drafts.get(input.key));
          });
        step('first');
        if (dies) throw new Error('the leader dies here');
        return step('second');
      },
    };
    const { host } = newHost(twoSteps);
    const wanted = () =>
      host.dispatch(
        'draft/load',
        { key: { project: 'p', pane: '%1' } },
        { client: 'c', once: 'a-wish-of-mine' },
      );
    await wanted();
    dies = false;
    await wanted();
    await wanted();
    expect(done).toEqual(['first', 'second']);
  });

  it('logs each command with its caller and outcome, and none of its text', async () => {
    const { host, noted } = newHost();
    await host.dispatch('outbox/record', promptOf('p1', 'my password'), caller);
    expect(noted).toEqual([
      `command ${JSON.stringify({ command: 'outbox/record', client: caller.client, ms: 0, outcome: 'ok' })}`,
    ]);
  });

  it('answers nothing once a newer leader has begun, and reports that once', async () => {
    const { host, staleCalls } = newHost();
    const other = must(openStore({ stateDir: home.paths.stateDir, now: () => 0 }));
    must(other.beginEpoch({ pid: 3, startedAt: 0, version: 't', socketPath: '/s' }));
    other.close();
    expect(await host.dispatch('outbox/record', promptOf('a'), caller)).toBeNull();
    expect(await host.dispatch('host/status', {}, caller)).toBeNull();
    host.checkEpoch();
    expect(staleCalls()).toBe(1);
    expect(store.outbox.list(null, 9)).toEqual([]);
  });
});
