/** Events by WebSocket and SSE: several equal clients, filters, and resuming without loss or repetition. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { wireEventSchemas } from '../../../src/protocol/suggestion-wire.ts';
import { TestEvents } from '../../helpers/suggestion-events.ts';
import { BASE, type Json, TestServer } from '../../helpers/suggestion-server.ts';
import { until } from '../../helpers/until.ts';

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.stop());

describe('several clients', () => {
  it('see what one does, over every interface', async () => {
    const [one, two] = [await server.socket(), await server.socket()];
    const sse = await TestEvents.open(server);
    const { id, hunks } = await server.publish();
    const ready = await two.eventOf('suggestion.ready');
    expect(ready).toMatchObject({
      seq: expect.any(Number),
      ts: expect.any(Number),
      suggestion: { id, hunk_count: 2, hunks: [{ id: hunks[0].id }, { id: hunks[1].id }] },
    });
    expect(await two.eventOf('suggestion.status')).toMatchObject({
      status: 'ready',
      message: 'Suggestion ready: Two edits (2 hunks in 1 file)',
    });

    const answer = await one.ask({
      type: 'feedback',
      suggestionId: id,
      hunkId: hunks[0].id,
      action: 'reject',
      comment: 'no',
    });
    expect(answer).toMatchObject({
      success: true,
      data: { applied: false, reverted: true, remaining_hunks: 1 },
    });
    const applied = await two.eventOf('suggestion.hunk_applied');
    expect(applied).toMatchObject({
      suggestion_id: id,
      hunk_id: hunks[0].id,
      action: 'rejected',
      comment: 'no',
    });
    expect(await two.eventOf('suggestion.status', ({ status }) => status === 'partial')).toMatchObject({
      message: '1/2 hunks reviewed',
    });
    expect(await two.eventOf('suggestion.changed')).toMatchObject({ suggestion: { id, reviewed_count: 1 } });

    await one.ask({ type: 'undo', suggestionId: id, hunkId: hunks[0].id });
    await two.eventOf('suggestion.changed', ({ suggestion }) => suggestion.reviewed_count === 0);
    await one.ask({ type: 'complete', suggestionId: id, action: 'discard' });
    await two.eventOf('suggestion.status', ({ message }) => message === 'Suggestion discarded');
    const last = (
      await two.eventOf('suggestion.changed', ({ suggestion }) => suggestion.status === 'discarded')
    ).seq;
    await one.until('the last event', () => one.events.some(({ seq }) => seq === last));
    await sse.until('the last event', () => sse.events.some(({ seq }) => seq === last));
    expect(one.events).toEqual(two.events);
    expect(sse.events).toEqual(two.events);
    sse.close();
    for (const message of two.said.concat(one.said)) {
      const schema: z.ZodType | undefined = wireEventSchemas[message.type as keyof typeof wireEventSchemas];
      expect(schema?.safeParse(message).error, JSON.stringify(message)).toBeUndefined();
    }
  });

  it('leave before they are answered: their requests are still done', async () => {
    const { id, hunks } = await server.publish();
    const socket = await server.socket();
    for (const [at, action] of ['accept', 'reject'].entries())
      socket.raw.send(JSON.stringify({ type: 'feedback', suggestion_id: id, hunk_id: hunks[at].id, action }));
    socket.raw.send(JSON.stringify({ type: 'subscribe' }));
    socket.close();
    await until('both decisions', async () => {
      const { body } = await server.ask('GET', `/suggestions/${id}`);
      return body.suggestion.reviewed_count === 2;
    });
  });

  it('decide at once: one wins, the other gets an error', async () => {
    const { id, hunks } = await server.publish();
    const clients = await Promise.all(Array.from({ length: 6 }, () => server.socket()));
    const answers = await Promise.all(
      clients.map((client, n) =>
        client.ask({
          type: 'feedback',
          suggestion_id: id,
          hunk_id: hunks[0].id,
          action: n % 2 === 0 ? 'accept' : 'reject',
        }),
      ),
    );
    const winners = answers.filter(({ success }) => success);
    const losers = answers.filter(({ success }) => !success);
    expect(winners).toHaveLength(3);
    expect(new Set(winners.map(({ data }) => data.applied)).size).toBe(1);
    for (const { error } of losers) expect(error).toMatch(/^The hunk is already (accepted|rejected)/);
    const text = readFileSync(path.join(server.target, 'f'), 'utf8');
    expect(text).toBe(winners[0].data.applied ? BASE.replace('line 4\n', 'four\n') : BASE);
  });
});

describe('a decision', () => {
  it('mentions other suggestions for the same file once, and only if the file was written', async () => {
    const [reader, author] = [await server.socket(), await server.socket({ role: 'ann' })];
    const first = await server.publish('first');
    const others = await Promise.all(Array.from({ length: 20 }, (_, n) => server.publish(`other ${n}`)));
    const anns = await server.publish("ann's", 'ann');
    await reader.until(
      'all of them',
      () => reader.events.filter(({ type }) => type === 'suggestion.ready').length === 22,
    );
    const seen = reader.events.length;
    const decide = (hunk: number, action: string) =>
      server.ask('POST', '/feedback', {
        body: { suggestion_id: first.id, hunk_id: first.hunks[hunk].id, action },
      });
    await decide(0, 'reject');
    await decide(1, 'accept');
    await server.ask('POST', '/status', { body: { message: 'over' } });
    await reader.eventOf('suggestion.status', ({ message }) => message === 'over');
    const told = reader.events.slice(seen);
    expect(told.map(({ type, status, message }) => [type, status ?? message])).toEqual([
      ['suggestion.hunk_applied', undefined],
      ['suggestion.status', 'partial'],
      ['suggestion.changed', undefined],
      ['suggestion.hunk_applied', undefined],
      ['suggestion.status', 'applied'],
      ['suggestion.changed', undefined],
      ['suggestion.touched', undefined],
      ['suggestion.touched', undefined],
      ['suggestion.status', 'working'],
    ]);
    const touched = told.filter(({ type }) => type === 'suggestion.touched');
    expect(touched.every(({ files }) => files.join() === 'f')).toBe(true);
    expect(new Set(touched.flatMap(({ suggestions }) => suggestions.map(({ id }: Json) => id)))).toEqual(
      new Set([...others, anns].map(({ id }) => id)),
    );
    const [own] = author.events.filter(({ type }) => type === 'suggestion.touched');
    expect(own.suggestions).toEqual([{ id: anns.id, revision: 2 }]);
    // A look counts its hunks by the current file, which is one revision more.
    expect((await server.ask('GET', `/suggestions/${anns.id}`)).body.suggestion).toMatchObject({
      revision: 3,
    });
  });
});

describe('an author', () => {
  it('gets events only of its own suggestions, and others get its reports', async () => {
    const [author, reviewer] = [await server.socket({ role: 'author' }), await server.socket()];
    await server.publish('of the user');
    const own = await server.publish('of the AI', 'author');
    await author.ask({
      type: 'status',
      message: 'Running tests...',
      status: 'testing',
      suggestion_id: own.id,
    });
    await author.ask({ type: 'status', message: 'broken', error_code: 'experiment_failed' });
    expect(await reviewer.eventOf('suggestion.error')).toMatchObject({
      code: 'experiment_failed',
      message: 'broken',
    });
    await reviewer.ask({ type: 'feedback', suggestionId: own.id, hunkId: 'all', action: 'accept' });
    await author.eventOf('suggestion.status', ({ status }) => status === 'applied');
    expect(reviewer.events.find(({ status }) => status === 'testing')).toMatchObject({
      type: 'suggestion.status',
      message: 'Running tests...',
      suggestion_id: own.id,
    });
    expect(
      author.events.filter(({ type }) => type === 'suggestion.ready').map((one) => one.suggestion.id),
    ).toEqual([own.id]);
    const decide = { type: 'feedback', suggestionId: own.id, hunkId: own.hunks[0].id, action: 'reject' };
    expect(await author.ask(decide)).toMatchObject({ success: false, error: 'Only the reviewer decides.' });
    expect((await server.socket({ role: 'author' })).greeting.suggestions).toHaveLength(1);
  });
});

describe('a subscription to a folder', () => {
  it('gets events of that folder only; the greeting, the list and the events agree', async () => {
    const here = await server.socket({ query: '?workingDirectory=work' });
    const away = await server.socket();
    expect(await away.ask({ type: 'subscribe', workingDirectory: 'elsewhere' })).toMatchObject({
      success: true,
      data: { subscribed: 'elsewhere', suggestions: [] },
    });
    const { id } = await server.publish();
    await here.eventOf('suggestion.ready');
    await server.ask('POST', '/status', { body: { message: 'for all' } });
    await away.eventOf('suggestion.status');
    expect(away.events.filter(({ type }) => type === 'suggestion.ready')).toEqual([]);
    const again = await away.ask({ type: 'subscribe', workingDirectory: server.target });
    expect(again.data.suggestions).toMatchObject([{ id }]);
    expect((await server.socket({ query: '?workingDirectory=elsewhere' })).greeting.suggestions).toEqual([]);
  });
});

describe('resuming', () => {
  it('from any number gives all later events, once, over both transports', async () => {
    const witness = await server.socket();
    const { id, hunks } = await server.publish();
    await server.ask('POST', '/feedback', { body: { suggestion_id: id, hunk_id: 'all', action: 'accept' } });
    await server.ask('POST', '/undo', { body: { suggestion_id: id, hunk_id: hunks[1].id } });
    await server.ask('POST', '/status', { body: { message: 'done' } });
    await witness.eventOf('suggestion.status', ({ message }) => message === 'done');
    const all = witness.events;
    expect(all.filter(({ type }) => type === 'suggestion.hunk_applied')).toHaveLength(2);
    expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).toSorted((a, b) => a - b));
    const places = [0, witness.greeting.seq, ...all.map(({ seq }) => seq)];
    for (const since of places) {
      const wanted = all.filter(({ seq }) => seq > since);
      const socket = await server.socket({ query: `?since=${since}` });
      await socket.until('the rest', () => socket.events.length >= wanted.length);
      const sse = await TestEvents.open(server, { since });
      await sse.until('the rest', () => sse.events.length >= wanted.length);
      // A later suggestion appears in its current state; everything else is the same.
      const bare = (events: readonly Json[]) => events.map(({ suggestion: _, ...event }) => event);
      expect(bare(socket.events), `since ${since}`).toEqual(bare(wanted));
      expect(bare(sse.events), `since ${since}`).toEqual(bare(wanted));
      sse.close();
      socket.close();
    }
  });

  it.each([0, 1, 65_534, 65_535, 65_536])('from %i before any event waits for the first', async (since) => {
    const socket = await server.socket({ query: `?since=${since}` });
    const sse = await TestEvents.open(server, { since });
    await server.ask('POST', '/status', { body: { message: 'first' } });
    await socket.until('the event', () => socket.events.length === 1);
    await sse.until('the event', () => sse.events.length === 1);
    sse.close();
  });

  it('on an open connection restarts from there', async () => {
    const socket = await server.socket();
    await server.publish();
    await socket.eventOf('suggestion.status');
    const before = socket.events.length;
    await socket.ask({ type: 'subscribe', since: 0 });
    await socket.until('all again', () => socket.events.length === 2 * before);
  });

  it('from a number of an earlier epoch is reported as a gap', async () => {
    await server.publish();
    const far = 65_536 * 1_000_000;
    const socket = await server.socket({ query: `?since=${far}` });
    expect(await socket.until('a gap', () => socket.said.find(({ type }) => type === 'gap'))).toMatchObject({
      type: 'gap',
      seq: expect.any(Number),
    });
    await server.ask('POST', '/status', { body: { message: 'next' } });
    await socket.eventOf('suggestion.status', ({ message }) => message === 'next');
    expect(socket.events).toHaveLength(1);
    expect((await server.ask('GET', '/events?since=abc')).status).toBe(400);
  });

  it('while events arrive loses and repeats none', async () => {
    const COUNT = 200;
    const seen: number[] = [];
    const reader = (async () => {
      let since = 0;
      while (seen.length < COUNT) {
        const socket = await server.socket({ query: `?since=${since}` });
        const some = Math.min(7, COUNT - seen.length);
        await socket.until('some events', () => socket.events.length >= some);
        for (const { seq, message } of socket.events.slice(0, some)) {
          seen.push(Number(message));
          since = seq;
        }
        socket.close();
      }
    })();
    for (let n = 0; n < COUNT; n++) await server.ask('POST', '/status', { body: { message: String(n) } });
    await reader;
    expect(seen).toEqual(Array.from({ length: COUNT }, (_, n) => n));
  });
});

it('the effects of a request match the page', async () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../docs/protocol.md'), 'utf8');
  const [, table = ''] = page.split('| request | events, in this order |\n|---|---|\n');
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n');
  const documented = rows.map((row) => {
    const [, request = '', events = ''] = row.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    return [request, events.replace(/, or .*/, '').split(', ')];
  });
  const socket = await server.socket();
  const ask = async (operation: string, body: Json) => {
    const route = operation === 'publish' ? '/suggestions' : `/${operation}`;
    const answer = await server.ask('POST', route, { body });
    expect(answer.body, operation).toMatchObject({ success: true });
    return answer.body;
  };
  const published = { working_directory: server.target, patch: server.writeFile() };
  const { suggestion_id, suggestion } = await ask('publish', published);
  const [{ id: hunk_id }] = suggestion.hunks;
  const hunk = { suggestion_id, hunk_id };
  const requests: readonly (readonly [name: string, run: () => Promise<Json>])[] = [
    ['publish', () => ask('publish', { ...published, patch: server.writeFile('g') })],
    ['feedback that comments', () => ask('feedback', { ...hunk, action: 'comment', comment: 'why?' })],
    ['reply', () => ask('reply', { ...hunk, text: 'so' })],
    ['split', () => ask('split', { ...hunk, lines: { first: 2, last: 2 } })],
    ['join', () => ask('join', hunk)],
    ['feedback that decides', () => ask('feedback', { ...hunk, action: 'reject' })],
    ['undo', () => ask('undo', hunk)],
    ['redo', () => ask('redo', hunk)],
    [
      'publish of the next version',
      () =>
        ask('publish', { ...published, suggestion_id, patch: `${published.patch}${server.writeFile('h')}` }),
    ],
    ['complete', () => ask('complete', { suggestion_id, action: 'discard' })],
    ['reopen', () => ask('reopen', { suggestion_id })],
    ['status', () => ask('status', { message: 'on it' })],
  ];
  const seen: Json[] = [];
  for (const [name, run] of requests) {
    await ask('status', { message: `before ${name}` });
    const before = await socket.eventOf('suggestion.status', ({ message }) => message === `before ${name}`);
    await run();
    await ask('status', { message: `after ${name}` });
    const after = await socket.eventOf('suggestion.status', ({ message }) => message === `after ${name}`);
    const between = socket.events.filter(({ seq }) => seq > before.seq && seq < after.seq);
    seen.push([name, between.map(({ type }) => type)]);
  }
  expect(seen.toSorted()).toEqual(documented.toSorted());
});

describe('a crowd', () => {
  it('of a hundred clients gets each of a hundred events, in order', async () => {
    const crowd = await Promise.all(Array.from({ length: 100 }, () => server.socket()));
    const reports = Array.from({ length: 100 }, (_, n) =>
      server.ask('POST', '/status', { body: { message: String(n) } }),
    );
    await Promise.all(reports);
    for (const client of crowd) {
      await client.until('100 events', () => client.events.length >= 100);
      expect(client.events.map(({ seq }) => seq)).toEqual(crowd[0]?.events.map(({ seq }) => seq));
      expect(new Set(client.events.map(({ message }) => message)).size).toBe(100);
    }
  });
});

describe('the end of the server', () => {
  it('is announced: 1001 to a WebSocket, the end of the stream to SSE', async () => {
    const socket = await server.socket();
    const sse = await TestEvents.open(server);
    await server.server?.stop();
    expect(await socket.until('the end', () => socket.closed)).toMatchObject({ code: 1001 });
    await sse.until('the end', () => sse.ended);
  });
});
