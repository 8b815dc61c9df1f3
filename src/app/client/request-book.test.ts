import { describe, expect, it } from 'vitest';
import type { CommandName } from '../../protocol/command.ts';
import type { RequestMessage } from '../../protocol/wire.ts';
import { RequestBook } from './request-book.ts';

const KEY = { project: 'p', pane: '%1' };

function setUp() {
  let now = 0;
  const book = new RequestBook({ clientId: 'me', now: () => now });
  const sent: RequestMessage[] = [];
  const open = () => book.open((message) => sent.push(message));
  return { book, sent, open, at: (ms: number) => (now = ms) };
}

describe('RequestBook', () => {
  it('sends waiting requests in order when a pipe opens, and settles each by its id', async () => {
    const { book, sent, open } = setUp();
    const one = book.ask('host/status', {});
    const two = book.ask('draft/load', { key: KEY });
    expect(sent).toEqual([]);
    open();
    expect(sent.map(({ id, command }) => [id, command])).toEqual([
      [1, 'host/status'],
      [2, 'draft/load'],
    ]);
    book.answer({ id: 2, ok: true, value: 'b' });
    book.answer({ id: 1, ok: false, error: { code: 'refused', message: 'no' } });
    expect(await two).toEqual({ ok: true, value: 'b' });
    expect(await one).toMatchObject({ ok: false, error: { message: 'no' } });
    expect(book.isEmpty).toBe(true);
  });

  it('repeats a request on the next pipe, with the same id if it must run only once', async () => {
    const { book, sent, open } = setUp();
    open();
    const append = book.ask('draft/append', { key: KEY, text: 'x' });
    book.interrupt();
    open();
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(sent[1]);
    expect(sent[0]?.once).toBe('me/1');
    book.answer({ id: 1, ok: true, value: 1 });
    book.answer({ id: 1, ok: true, value: 2 });
    expect(await append).toEqual({ ok: true, value: 1 });
  });

  it('sends to the next leader what the last one had not started', async () => {
    const { book, sent, open } = setUp();
    open();
    const decided = book.ask('review/decide' as CommandName, {});
    book.unsend();
    book.interrupt();
    open();
    expect(sent).toHaveLength(2);
    book.answer({ id: 1, ok: true, value: 'done' });
    expect(await decided).toEqual({ ok: true, value: 'done' });
  });

  it('fails a command when its answer is lost, but not one that was never sent', async () => {
    const { book, sent, open } = setUp();
    const unknown = 'review/decide' as CommandName;
    open();
    const lost = book.ask(unknown, {});
    book.interrupt();
    expect(await lost).toMatchObject({ ok: false, error: { code: 'internal' } });
    const waiting = book.ask(unknown, {});
    open();
    expect(sent).toHaveLength(2);
    book.answer({ id: 2, ok: true, value: 'done' });
    expect(await waiting).toEqual({ ok: true, value: 'done' });
  });

  it('fails all waiting requests when there will be no answer', async () => {
    const { book } = setUp();
    const one = book.ask('host/status', {});
    book.failAll({ code: 'internal', message: 'gone' });
    expect(await one).toMatchObject({ error: { message: 'gone' } });
  });

  it('stops waiting when the caller cancels, and drops the late answer', async () => {
    const { book, open } = setUp();
    open();
    const controller = new AbortController();
    const one = book.ask('host/status', {}, { signal: controller.signal });
    controller.abort();
    expect(await one).toMatchObject({ ok: false, error: { code: 'refused' } });
    book.answer({ id: 1, ok: true, value: 1 });
    expect(await book.ask('host/status', {}, { signal: controller.signal })).toMatchObject({ ok: false });
    expect(book.isEmpty).toBe(true);
  });

  it('reports how long the oldest request has waited on the current pipe', () => {
    const { book, open, at } = setUp();
    void book.ask('host/status', {});
    expect(book.oldestWaitMs()).toBeNull();
    at(10);
    open();
    at(35);
    void book.ask('host/status', {});
    expect(book.oldestWaitMs()).toBe(25);
    book.interrupt();
    expect(book.oldestWaitMs()).toBeNull();
  });
});
