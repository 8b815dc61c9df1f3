/** What clients of the host's socket learn: events, drafts of two companions, prompts. */
import { describe, expect, it } from 'vitest';
import { draftOf, must, promptOf } from '../../helpers/host-fakes.ts';
import { until } from '../../helpers/until.ts';
import { putPrompt, wirePerTest } from '../../helpers/wire-host.ts';

const KEY = { project: 'p', pane: '%1' };

const wire = wirePerTest();

describe('events', () => {
  it('go to everyone from where each asked, with seq and ts; a gap is named', async () => {
    await wire().serve();
    for (let n = 1; n <= 3; n++) must(wire().host.write((writer) => putPrompt(writer, `p${n}`, 'x')));
    const [fromStart, fromTwo, fromNow, fromBeyond] = [
      wire().connect(),
      wire().connect(),
      wire().connect(),
      wire().connect(),
    ];
    fromStart.say({ subscribe: 0 });
    fromTwo.say({ subscribe: 2 });
    fromNow.say({ subscribe: null });
    fromBeyond.say({ subscribe: 99 });
    for (const client of [fromStart, fromTwo, fromNow, fromBeyond]) await client.line('the subscription');
    must(wire().host.write((writer) => putPrompt(writer, 'p4', 'x')));
    for (const client of [fromStart, fromTwo, fromNow, fromBeyond]) {
      await client.line('the last event', (line) => line.seq === 4);
    }
    expect(fromStart.lines.map((line) => line.seq)).toEqual([0, 1, 2, 3, 4]);
    expect(fromTwo.lines[0]).toEqual({ type: 'subscribed', seq: 2, head: 3 });
    expect(fromTwo.lines.map((line) => line.seq)).toEqual([2, 3, 4]);
    expect(fromNow.lines.map((line) => line.seq)).toEqual([3, 4]);
    expect(fromBeyond.lines[0]).toEqual({ type: 'gap', seq: 3, head: 3 });
    expect(fromNow.lines[1]).toMatchObject({ type: 'event', ts: 5, body: { type: 'outbox/changed' } });
  });

  it('name the writer of a draft, by the name in its hello', async () => {
    await wire().serve();
    const client = wire().connect();
    client.say({ hello: { client: 'editor' } }, { subscribe: null });
    client.say({ id: 1, command: 'draft/save', params: { key: KEY, draft: draftOf('x'), baseRevision: 0 } });
    expect(await client.line('the event', (line) => line.type === 'event')).toMatchObject({
      body: { type: 'draft/changed', client: 'editor' },
    });
    expect(client.lines[0]).toMatchObject({ type: 'welcome', client: 'editor', pid: process.pid, epoch: 1 });
  });

  it('apply a request of the same name once', async () => {
    await wire().serve();
    const client = wire().connect();
    const wanted = {
      id: 1,
      command: 'draft/append',
      params: { key: KEY, text: 'x' },
      once: 'a-name-of-mine',
    };
    client.say(wanted, wanted, { ...wanted, once: 'another-name' });
    await until('three answers', () => client.lines.length === 3);
    expect(client.lines.map((line) => (line.value as { revision: number }).revision)).toEqual([1, 1, 2]);
  });
});

describe('drafts of two companions', () => {
  it('are not overwritten: the later save is refused with a message, repeating a save changes nothing', async () => {
    await wire().serve();
    const client = wire().connect();
    const save = (id: number, text: string, baseRevision: number) => ({
      id,
      command: 'draft/save',
      params: { key: KEY, draft: draftOf(text), baseRevision },
    });
    client.say(save(1, 'mine', 0), save(2, 'theirs', 0), save(3, 'mine', 0), save(4, 'mine, more', 1));
    await until('four answers', () => client.lines.length === 4);
    expect(client.lines).toMatchObject([
      { id: 1, ok: true, value: { revision: 1 } },
      {
        id: 2,
        ok: false,
        error: { code: 'refused', message: expect.stringContaining('Another companion changed this draft') },
      },
      { id: 3, ok: true, value: { revision: 1 } },
      { id: 4, ok: true, value: { revision: 2 } },
    ]);
  });
});

describe('a prompt in the outbox', () => {
  it('is one prompt however often it is recorded, and a finished one stays finished', async () => {
    await wire().serve();
    const client = wire().connect();
    const ask = (id: number, command: string, params: unknown) => client.say({ id, command, params });
    ask(1, 'outbox/record', promptOf('a'));
    ask(2, 'outbox/record', promptOf('a'));
    ask(3, 'outbox/record', promptOf('a', 'other'));
    ask(4, 'outbox/update', { id: 'a', state: 'unconfirmed', reason: 'no proof' });
    ask(5, 'outbox/update', { id: 'a', state: 'delivered', proof: 'transcript' });
    ask(6, 'outbox/update', { id: 'a', state: 'pasted' });
    ask(7, 'outbox/update', { id: 'b', state: 'pasted' });
    await until('seven answers', () => client.lines.length === 7);
    expect(client.lines).toMatchObject([
      { id: 1, ok: true, value: { state: 'recorded' } },
      { id: 2, ok: true, value: { state: 'recorded' } },
      { id: 3, ok: false, error: { code: 'refused' } },
      { id: 4, ok: true, value: { state: 'unconfirmed', reason: 'no proof' } },
      { id: 5, ok: true, value: { state: 'delivered', reason: null, proof: 'transcript' } },
      { id: 6, ok: false, error: { code: 'refused' } },
      { id: 7, ok: false, error: { code: 'not_found' } },
    ]);
    expect(wire().store.events.head()).toBe(3);
  });
});
