/** A process is killed at any moment of a look: no change is lost, and no text of one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { git } from '../../../test/helpers/git-fixture.ts';
import { ok } from '../../lib/result.ts';
import type { Observation, ObservedSide } from '../../protocol/changes.ts';
import { BlobStore } from '../../store/blobs.ts';
import { Observer } from './observer.ts';

const CHILD = path.resolve(import.meta.dirname, '../../../test/helpers/look-child.ts');
const KILLS = 5;
/** Longer than one look of a small repository takes. */
const KILL_AFTER_MAX_MS = 120;
const FILES = 40;

let home = '';
let repo = '';
let child: ChildProcess | null = null;
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'copane-observer-killed-'));
  repo = path.join(home, 'repo');
  mkdirSync(repo);
  mkdirSync(path.join(home, 'state'), { mode: 0o700 });
  git(repo, 'init', '-q');
  for (let i = 0; i < FILES; i += 1) writeFileSync(path.join(repo, `${i}.txt`), 'first\n');
  git(repo, 'add', '.');
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

/** Changes files while a process looks at them; kills it some time after its first look. */
async function killOne(round: number, log: string): Promise<void> {
  const running = spawn(process.execPath, [CHILD, path.join(home, 'state'), repo, log], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child = running;
  await new Promise((resolve) => running.stdout?.once('data', resolve));
  const until = performance.now() + (KILL_AFTER_MAX_MS * round) / KILLS;
  for (let at = 0; performance.now() < until; at = (at + 7) % FILES) {
    writeFileSync(path.join(repo, `${at}.txt`), `${round} ${Math.round(performance.now() * 1e6)}\n`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const ended = new Promise((resolve) => running.once('exit', resolve));
  running.kill('SIGKILL');
  await ended;
}

it('loses nothing when it is killed', { timeout: 60_000 }, async () => {
  const log = path.join(home, 'log');
  for (let round = 1; round <= KILLS; round += 1) await killOne(round, log);
  const blobs = new BlobStore(path.join(home, 'state'));
  const all = readFileSync(log, 'utf8').split('\n').slice(0, -1);
  const seen = all.map((line): Observation => JSON.parse(line));
  const last = new Observer({ root: path.join(home, 'state/snapshots'), blobs });
  const looked = await last.look(repo, (_, observation) => ok(seen.push(observation)));
  expect(looked.ok).toBe(true);

  const textOf = async (side: ObservedSide | null) => {
    const bytes = side?.blob == null ? null : await blobs.get(side.blob);
    return bytes?.ok ? bytes.value.toString('utf8') : null;
  };
  /** For each file, the texts from which a later look may begin. */
  const known = new Map<string, readonly (string | null)[]>();
  for (const { files } of seen)
    for (const { path: name, before, after } of files) {
      const [from, to] = [await textOf(before), await textOf(after)];
      // If it was killed before the index was updated, a change is reported once more, as a whole.
      expect(known.get(name) ?? ['first\n'], name).toContain(from);
      known.set(name, [from, to]);
    }
  expect(known.size).toBeGreaterThan(0);
  for (const [name, texts] of known) expect(readFileSync(path.join(repo, name), 'utf8')).toBe(texts.at(-1));
});
