import { expect, it } from 'vitest';
import type { EventBody } from '../protocol/event.ts';
import { LiveView } from './live-view.ts';

class Counter extends LiveView<{ readonly count: number; readonly name: string }> {
  readonly log: string[] = [];

  constructor() {
    super({ count: 0, name: 'a' });
  }

  show(count: number): void {
    this.publish({ count });
  }

  begin(): void {
    const client = {
      subscribe: (hear: (event: { seq: number; ts: number; body: EventBody }) => void) => {
        hear({ seq: 1, ts: 0, body: { type: 'review/viewed', hunks: [], viewed: true } });
        return () => void this.log.push('unsubscribed');
      },
    };
    this.listen(client, ({ type }) => void this.log.push(type));
    this.onClose(() => void this.log.push('stopped'));
  }
}

it('notifies its readers only of changes, and never after it is closed', () => {
  const store = new Counter();
  let woken = 0;
  const leave = store.subscribe(() => (woken += 1));
  const before = store.getSnapshot();
  store.show(0);
  expect(store.getSnapshot()).toBe(before);
  store.show(1);
  expect([woken, store.getSnapshot()]).toEqual([1, { count: 1, name: 'a' }]);
  leave();
  store.show(2);
  store.close();
  store.show(3);
  expect([woken, store.getSnapshot().count]).toEqual([1, 2]);
});

it('handles events until it is closed, and runs its disposers once', () => {
  const store = new Counter();
  store.begin();
  store.close();
  store.close();
  expect(store.log).toEqual(['review/viewed', 'stopped', 'unsubscribed']);
});
