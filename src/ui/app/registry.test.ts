import { describe, expect, it } from 'vitest';
import { BINDINGS } from './key-table.ts';
import { APP_TABLES } from './registry.ts';
import { SCREENS } from './screens.ts';

describe('the commands', () => {
  it('exist for every key in the table, in every context that it names', () => {
    const tables = [APP_TABLES, ...Object.values(SCREENS).map((screen) => screen.tables)];
    const missing = BINDINGS.flatMap(({ action, contexts }) =>
      contexts
        .filter((context) => tables.every((table) => table[context]?.[action] === undefined))
        .map((context) => `${action} in ${context}`),
    );
    expect(missing).toEqual([]);
  });

  it('belong to one screen each', () => {
    const owners = Object.values(SCREENS).flatMap((screen) => Object.keys(screen.tables));
    const shared = owners.filter((context, index) => owners.indexOf(context) !== index);
    // The open overlay determines which screen these shared contexts belong to.
    expect(new Set(shared)).toEqual(new Set(['menu', 'prompt']));
  });
});
