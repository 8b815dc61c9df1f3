/** Stores in a home of their own, closed and removed after each test. */
import { afterEach, beforeEach } from 'vitest';
import { ok } from '../../src/lib/result.ts';
import type { OutboxEntry } from '../../src/protocol/outbox.ts';
import type { EventLimits } from '../../src/store/event-table.ts';
import { openStore, type Store, type StoreWriter } from '../../src/store/store.ts';
import { must, promptOf, temporaryHome } from './host-fakes.ts';

export const CARD = { pid: 1, startedAt: 0, version: 'test', socketPath: '/s' };
export const KEY = { project: '/p', pane: '%1' };

/** Registers the hooks; call it once in a test file. */
export function testStores() {
  let home: ReturnType<typeof temporaryHome>;
  let opened: Store[] = [];
  beforeEach(() => {
    home = temporaryHome();
  });
  afterEach(() => {
    for (const store of opened) store.close();
    opened = [];
    home.remove();
  });
  return {
    get stateDir() {
      return home.paths.stateDir;
    },
    open(options: { eventLimits?: EventLimits; lead?: boolean } = {}): Store {
      const store = must(openStore({ stateDir: home.paths.stateDir, now: () => 1000, ...options }));
      opened.push(store);
      if (options.lead !== false) must(store.beginEpoch(CARD));
      return store;
    },
    /** The test closes its stores itself. */
    forget() {
      opened = [];
    },
  };
}

export function change(store: Store, work: (writer: StoreWriter) => void) {
  return must(
    store.write((writer) => {
      work(writer);
      return ok(null);
    }),
  );
}

export function entry(id: string, state: OutboxEntry['state'] = 'recorded', createdAt = 0): OutboxEntry {
  return { ...promptOf(id), state, reason: null, proof: null, createdAt, updatedAt: createdAt };
}
