/** A session of 500 turns, each changing two files: storage stays bounded, and every turn can still be shown. */
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TurnWorld } from '../helpers/turn-world.ts';

const TURNS = 500;
const FILES = 100;
const LINES = 300;
/** Twice two texts per turn, plus the records. */
const STATE_MAX_BYTES = 24 * 1024 * 1024;
const HOUR_MS = 3_600_000;
const nameOf = (at: number) => `d${at % 10}/f${at}.txt`;

let world: TurnWorld;
beforeEach(() => {
  const text = (file: number) =>
    Array.from({ length: LINES }, (_, at) => `file ${file} line ${at}\n`).join('');
  world = new TurnWorld(Object.fromEntries(Array.from({ length: FILES }, (_, at) => [nameOf(at), text(at)])));
});
afterEach(() => world.close());

/** The number of files in a state folder, and their bytes. */
function sizeOf(name: string): { readonly files: number; readonly bytes: number } {
  const folder = path.join(world.stateDir, name);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => lstatSync(path.join(folder, file)))
    .filter((found) => found.isFile());
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}

it('keeps the changes of 500 turns within bounds, and removes what no snapshot needs', async () => {
  await world.look();
  const session = world.session('long');
  for (let turn = 0; turn < TURNS; turn += 1) {
    await session.begin();
    session.edit(nameOf(turn % FILES), (turn % LINES) + 1, `turn ${turn} by a tool`);
    session.run(() => world.put(nameOf((turn + 50) % FILES), `turn ${turn} by a command\n`.repeat(LINES)));
    await session.end();
  }
  expect(await session.told()).toHaveLength(2);
  expect(sizeOf('.').bytes).toBeLessThan(STATE_MAX_BYTES);
  const before = sizeOf('snapshots').files;
  await world.observer.sweep(Date.now() + 2 * HOUR_MS, new AbortController().signal);
  const after = sizeOf('snapshots').files;
  // One object per file: its content at the last look.
  expect(after).toBeLessThan(FILES + 20);
  expect(after).toBeLessThan(before);
  const whole = await world.service.turns.range(session.ref, { from: null, to: null });
  expect(whole).toMatchObject({ ok: true });
  if (!whole.ok) return;
  expect(whole.value.changes.unknown).toBeUndefined();
  expect(whole.value.changes.files).toHaveLength(FILES);
  expect(whole.value.changes.files.every(({ exact }) => exact)).toBe(true);
}, 900_000);
