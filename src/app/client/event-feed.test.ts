import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../protocol/event.ts';
import type { ServerMessage, SubscribeMessage } from '../../protocol/wire.ts';
import { EventFeed } from './event-feed.ts';

const BODY: EventBody = {
  type: 'draft/changed',
  client: null,
  key: { project: 'p', pane: '%1' },
  revision: 1,
};

/** A minimal host side of the log: events up to `head` exist, those before `oldest` are dropped. */
class LogModel {
  head = 0;
  oldest = 1;
  #out: ((message: StreamMessage) => void) | null = null;
  #cursor: number | null = null;

  readonly send = (message: SubscribeMessage): void => {
    const since = message.subscribe ?? this.head;
    const known = since <= this.head && since >= this.oldest - 1;
    this.#cursor = known ? since : since > this.head ? this.head : this.oldest - 1;
    this.#out?.(
      known
        ? { type: 'subscribed', seq: since, head: this.head }
        : { type: 'gap', seq: this.#cursor, head: this.head },
    );
    this.#flush();
  };

  connect(feed: EventFeed): void {
    this.#out = (message) => feed.take(message);
    this.#cursor = null;
    feed.open(this.send);
  }

  disconnect(feed: EventFeed): void {
    this.#out = null;
    feed.interrupt();
  }

  append(): void {
    this.head += 1;
    this.#flush();
  }

  #flush(): void {
    while (this.#out !== null && this.#cursor !== null && this.#cursor < this.head) {
      this.#cursor += 1;
      this.#out({ type: 'event', seq: this.#cursor, ts: 0, body: BODY });
    }
  }
}

type StreamMessage = Extract<ServerMessage, { type: 'event' | 'subscribed' | 'gap' }>;

function listen(feed: EventFeed, since?: number) {
  const got: number[] = [];
  const gaps: number[] = [];
  const onGap = (seq: number) => gaps.push(seq);
  const stop = feed.add((event) => got.push(event.seq), since === undefined ? { onGap } : { since, onGap });
  return { got, gaps, stop };
}

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

describe('EventFeed', () => {
  it('starts at the head unless `since` is given', () => {
    const log = new LogModel();
    for (let n = 0; n < 5; n++) log.append();
    const feed = new EventFeed();
    const now = listen(feed);
    log.connect(feed);
    const late = listen(feed, 2);
    log.append();
    expect(now.got).toEqual([6]);
    expect(late.got).toEqual([3, 4, 5, 6]);
  });

  it('resumes where it was after a broken pipe', () => {
    const log = new LogModel();
    const feed = new EventFeed();
    const one = listen(feed);
    log.connect(feed);
    log.append();
    log.disconnect(feed);
    log.append();
    log.append();
    log.connect(feed);
    expect(one.got).toEqual([1, 2, 3]);
  });

  it('reports a gap and continues after it', () => {
    const log = new LogModel();
    const feed = new EventFeed();
    const one = listen(feed);
    log.connect(feed);
    log.append();
    log.disconnect(feed);
    for (let n = 0; n < 9; n++) log.append();
    log.oldest = 8;
    log.connect(feed);
    expect(one).toMatchObject({ got: [1, 8, 9, 10], gaps: [7] });
  });

  it('starts over when the log starts over', () => {
    const log = new LogModel();
    const feed = new EventFeed();
    const one = listen(feed);
    log.connect(feed);
    for (let n = 0; n < 9; n++) log.append();
    log.disconnect(feed);
    log.head = 2;
    log.connect(feed);
    log.append();
    expect(one).toMatchObject({ got: [...range(1, 9), 3], gaps: [2] });
  });

  it('sends nothing without listeners', () => {
    const feed = new EventFeed();
    const sent: SubscribeMessage[] = [];
    feed.open((message) => sent.push(message));
    expect(sent).toEqual([]);
    listen(feed).stop();
    expect(sent).toEqual([{ subscribe: null }]);
  });

  it('delivers each event to every listener once and in order, whatever happens to the pipe', () => {
    const steps = fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constant('append' as const) },
        fc.constant('break' as const),
        fc.constant('connect' as const),
        fc.nat(20).map((back) => ({ listen: back })),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (story) => {
        const log = new LogModel();
        const feed = new EventFeed();
        const listeners: { from: number; got: number[] }[] = [];
        let connected = false;
        for (const step of story) {
          if (step === 'append') log.append();
          else if (step === 'break') {
            log.disconnect(feed);
            connected = false;
          } else if (step === 'connect' && !connected) {
            log.connect(feed);
            connected = true;
          } else if (typeof step === 'object') {
            const from = Math.max(0, log.head - step.listen);
            listeners.push({ from, got: listen(feed, from).got });
          }
        }
        if (!connected) log.connect(feed);
        for (const { from, got } of listeners) expect(got).toEqual(range(from + 1, log.head));
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});
