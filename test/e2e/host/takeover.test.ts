import os from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireHostLock } from '../../../src/app/host/lock.ts';
import { must, promptOf, temporaryHome } from '../../helpers/host-fakes.ts';
import { Companion } from '../../helpers/host-process.ts';
import { until } from '../../helpers/until.ts';

/** From the end of a leader to the next answer. */
const TAKEOVER_MAX_MS = 1_000;
/** Where N processes share a core, each of them takes N times as long. */
const crowding = () => Math.max(1, (os.loadavg()[0] ?? 1) / os.availableParallelism());
const LINES = 150;

let home: ReturnType<typeof temporaryHome>;
let companions: Companion[] = [];

beforeEach(() => {
  home = temporaryHome();
});
afterEach(async () => {
  await Promise.all(companions.map((companion) => companion.kill()));
  companions = [];
  home.remove();
});

async function start(env: Record<string, string> = {}): Promise<Companion> {
  const companion = await Companion.start({ home: home.home, env });
  companions.push(companion);
  return companion;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

async function linesOf(companion: Companion, project: string): Promise<string[]> {
  const stored = must(await companion.request('draft/load', { key: { project, pane: '%1' } }));
  return stored.draft.lines.map(({ text }) => text);
}

const appendedBy = (companion: Companion) => companion.said.filter(({ kind }) => kind === 'appended').length;

describe('one leader', () => {
  it('is led by the first and followed by the second, which sees what the first does', async () => {
    const [first, second] = [await start(), await start()];
    expect([first.leads, second.leads]).toEqual([true, false]);
    await second.do('subscribe');
    must(await first.request('outbox/record', promptOf('a')));
    await second.until('the event', () => second.eventSeqs.length === 1);
    expect(must(await second.request('outbox/list', {})).map(({ id }) => id)).toEqual(['a']);
    expect(must(await second.request('host/status', {}))).toMatchObject({
      pid: first.pid,
      epoch: 1,
      clients: 2,
    });
  });

  it('lets exactly one of many that start together lead', async () => {
    await Promise.all(range(1, 5).map(() => start()));
    expect(companions.filter(({ leads }) => leads)).toHaveLength(1);
    const statuses = await Promise.all(companions.map((one) => one.request('host/status', {})));
    expect(new Set(statuses.map((status) => must(status).pid)).size).toBe(1);
  });

  it('never starts a host for a client that may not lead, and serves it when there is one', async () => {
    const alone = await start({ MAY_LEAD: 'no' });
    expect(alone.failure).toMatchObject({ code: 'not_found', message: 'No copane is running.' });
    const leader = await start();
    const asking = await start({ MAY_LEAD: 'no' });
    expect(must(await asking.request('host/status', {})).pid).toBe(leader.pid);
    leader.signal('SIGKILL');
    await asking.until('the word that nobody runs', () => asking.state.kind === 'searching');
    expect(asking.leads).toBe(false);
  });

  it('finds the leader from an environment that names another socket', async () => {
    const leader = await start({ XDG_RUNTIME_DIR: `${home.home}/run` });
    const other = await start();
    expect(other.leads).toBe(false);
    expect(must(await other.request('host/status', {})).pid).toBe(leader.pid);
  });
});

describe('takeover', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'neither loses nor doubles anything under load: %s, twice',
    async (signal) => {
      const first = await start();
      const others = [await start(), await start(), await start()] as const;
      for (const other of others) await other.do('subscribe', { since: 0 });
      const orders = others.map((other, index) =>
        other.order('append', { count: LINES, project: `p${index}` }),
      );

      await until('a third of the load', () => others.every((one) => appendedBy(one) > LINES / 3));
      first.signal(signal);
      await until('the next leader', () => others.some(({ leads }) => leads));
      const second = others.find(({ leads }) => leads);
      await until('two thirds of the load', () => others.every((one) => appendedBy(one) > (LINES * 2) / 3));
      second?.signal(signal);

      const left = others.filter((one) => one !== second);
      for (const one of left) {
        const answer = await one.answerTo(orders[others.indexOf(one)] ?? 0);
        console.log(
          `  longest wait for an answer over two changes of leader: ${Math.round(Number(answer.longestMs))} ms`,
        );
        expect(Number(answer.longestMs)).toBeLessThan(TAKEOVER_MAX_MS * crowding());
      }
      for (const one of left) {
        expect(one.said.filter(({ kind }) => kind === 'append failed' || kind === 'gap')).toEqual([]);
        const lines = await linesOf(one, `p${others.indexOf(one)}`);
        expect(lines).toEqual(range(0, LINES - 1).map((line) => `line ${line}`));
      }
      const [reader] = left;
      const killed =
        second === undefined ? [] : await linesOf(reader as Companion, `p${others.indexOf(second)}`);
      // What was acknowledged is there; the write under way may be.
      expect(killed.length).toBeGreaterThanOrEqual(appendedBy(second as Companion));
      expect(killed).toEqual(range(0, killed.length - 1).map((line) => `line ${line}`));
      const total = 2 * LINES + killed.length;
      for (const one of left) {
        await one.until('all events', () => one.eventSeqs.length >= total);
        expect(one.eventSeqs).toEqual(range(1, total));
      }
      expect(must(await (reader as Companion).request('host/status', {})).epoch).toBe(3);
    },
  );

  it('keeps a prompt that the dead leader recorded, and accepts its record again as the same prompt', async () => {
    const [leader, other] = [await start(), await start()];
    must(await leader.request('outbox/record', promptOf('a')));
    must(await leader.request('outbox/update', { id: 'a', state: 'pasted' }));
    leader.signal('SIGKILL');
    await other.until('the lead', () => other.leads);
    expect(must(await other.request('outbox/record', promptOf('a')))).toMatchObject({ state: 'pasted' });
    expect(must(await other.request('outbox/list', {}))).toHaveLength(1);
  });
});

describe('a leader that is stopped', () => {
  it('is named and not replaced, and answers once it continues', async () => {
    const [leader, other] = [await start(), await start()];
    leader.signal('SIGSTOP');
    const order = other.order('request', {
      command: 'draft/append',
      params: { key: { project: 'p', pane: '%1' }, text: 'x' },
    });
    await other.until('the word that it is suspended', () => other.state.kind === 'suspended');
    expect(other.state).toEqual({ kind: 'suspended', pid: leader.pid });

    const late = await start();
    expect(late.state).toEqual({ kind: 'suspended', pid: leader.pid });
    const asking = await start({ MAY_LEAD: 'no' });
    expect(asking.state).toEqual({ kind: 'suspended', pid: leader.pid });
    expect(companions.filter((one) => one !== leader && one.leads)).toEqual([]);

    leader.signal('SIGCONT');
    expect(must((await other.answerTo(order)).result as never)).toMatchObject({ revision: 1 });
    for (const one of [other, late, asking]) {
      await one.until('the connection', () => one.state.kind === 'connected');
      expect(must(await one.request('host/status', {}))).toMatchObject({ pid: leader.pid, epoch: 1 });
    }
  });

  it('is replaced when it dies while stopped', async () => {
    const [leader, other] = [await start(), await start()];
    leader.signal('SIGSTOP');
    await other.until('the word that it is suspended', () => other.state.kind === 'suspended');
    leader.signal('SIGKILL');
    await other.until('the lead', () => other.leads);
  });

  it('hands over before it is suspended, and returns as a client', async () => {
    const [leader, other] = [await start(), await start()];
    await leader.do('pause');
    leader.signal('SIGSTOP');
    await other.until('the lead', () => other.leads);
    expect(must(await other.request('host/status', {})).epoch).toBe(2);
    leader.signal('SIGCONT');
    await leader.do('resume');
    await leader.until('a connection', () => leader.state.kind === 'connected');
    expect(must(await leader.request('host/status', {})).pid).toBe(other.pid);
  });

  it('differs from one that handed over just before it was stopped: by the lock', async () => {
    const former = await start();
    await former.do('pause');
    const lock = must(acquireHostLock(home.paths.stateDir));
    former.signal('SIGSTOP');
    const other = await start();
    expect(other.state).toEqual({ kind: 'suspended', pid: former.pid });
    lock?.release();
    await other.until('the lead', () => other.leads);
  });
});
