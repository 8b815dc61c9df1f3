import { describe, expect, it } from 'vitest';
import { BINDINGS } from './key-table.ts';
import { HANDLERS } from './registry.ts';

describe('the commands', () => {
  it('are there for every key that the table names, where it names it', () => {
    const missing = BINDINGS.flatMap(({ action, contexts }) =>
      contexts
        .filter((context) => HANDLERS[context][action] === undefined)
        .map((context) => `${action} in ${context}`),
    );
    expect(missing).toEqual([]);
  });
});
