import {
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { must, temporaryHome } from '../../test/helpers/host-fakes.ts';
import { deleteFiles, stateUsage } from './state-usage.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = Date.now();

let home: ReturnType<typeof temporaryHome>;
let env: Record<string, string>;
beforeEach(() => {
  home = temporaryHome();
  env = { HOME: home.home };
});
afterEach(() => home.remove());

/** Writes a file with an age in days. */
function put(file: string, text: string, days = 0): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, (NOW - days * DAY_MS) / 1_000, (NOW - days * DAY_MS) / 1_000);
  return file;
}
const inState = (name: string) => path.join(home.paths.stateDir, name);
const rowOf = (kind: string) => must(stateUsage(env)).find((row) => row.kind === kind);
const purge = (kind: string, days: number) => deleteFiles(env, kind, NOW - days * DAY_MS);

it('counts nothing in an empty folder', () => {
  expect(must(stateUsage(env)).map(({ bytes }) => bytes)).toEqual(must(stateUsage(env)).map(() => 0));
});

it('reports the number, size and age of files of a kind', () => {
  put(inState('feedback.jsonl'), 'abc', 3);
  put(inState('feedback.jsonl.1'), 'abcd', 40);
  expect(rowOf('feedback')).toMatchObject({ count: 2, bytes: 7, since: Math.round(NOW - 40 * DAY_MS) });
});

it.each([
  ['feedback', 'feedback.jsonl'],
  ['log', 'copane.log.1'],
  ['salvage', 'copane.db.damaged-2020'],
  ['history', 'completion/commands.jsonl'],
])('deletes %s beyond the given age, and no other file', (kind, name) => {
  const other = put(inState('token'), 'x', 100);
  const file = put(inState(name), 'x', 10);
  expect(purge(kind, 30)).toEqual({ ok: true, value: 0 });
  expect(existsSync(file)).toBe(true);
  expect(purge(kind, 5)).toEqual({ ok: true, value: 1 });
  expect(existsSync(file)).toBe(false);
  expect(existsSync(other)).toBe(true);
});

it('deletes caches in their folders', () => {
  const file = put(path.join(home.paths.cacheDir, 'compiled/v24/abc'), 'x', 10);
  expect(purge('cache', 0)).toEqual({ ok: true, value: 1 });
  expect(existsSync(file)).toBe(false);
});

it('truncates the open log', () => {
  const file = put(inState('copane.log'), 'lines', 10);
  expect(purge('log', 0)).toEqual({ ok: true, value: 1 });
  expect(statSync(file).size).toBe(0);
});

it('deletes a link but not its target, and follows no link to a folder', () => {
  const outside = put(path.join(home.home, 'mine/notes'), 'mine', 10);
  mkdirSync(inState('completion'), { recursive: true });
  symlinkSync(outside, inState('feedback.jsonl'));
  symlinkSync(path.dirname(outside), inState('completion/away'));
  expect(purge('feedback', -1)).toEqual({ ok: true, value: 1 });
  expect(purge('history', -1)).toEqual({ ok: true, value: 1 });
  expect(readFileSync(outside, 'utf8')).toBe('mine');
});

it('continues past a folder in the place of a file', () => {
  put(inState('feedback.jsonl/inside'), 'x', 10);
  expect(rowOf('feedback')).toMatchObject({ count: 1 });
  expect(purge('feedback', 5)).toEqual({ ok: true, value: 1 });
});

it('follows a state folder that is a link', () => {
  const real = path.join(home.home, 'elsewhere');
  put(path.join(real, 'feedback.jsonl'), 'abc', 10);
  mkdirSync(path.dirname(home.paths.stateDir), { recursive: true });
  symlinkSync(real, home.paths.stateDir);
  expect(rowOf('feedback')).toMatchObject({ count: 1, bytes: 3 });
});
