/**
 * What session files of 5, 50 and 500 MB cost: the last turn beside a plain read of the last 1 MB; in the largest, one
 * more line beside reading that line; and 50 watched sessions as a share of one core.
 */
import { appendFileSync, closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClaudeReader } from '../src/responses/transcripts/claude.ts';
import { FIRST_STRETCH_BYTES } from '../src/responses/transcripts/jsonl-tail.ts';
import type { TranscriptRef } from '../src/responses/transcripts/port.ts';
import { FileWatcher } from '../src/responses/transcripts/watch.ts';
import { claudeLines } from '../test/helpers/claude-session.ts';
import type { BenchSuite } from './harness.ts';

const MEGABYTE = 1024 * 1024;
const SIZES_MB = [5, 50, 500] as const;
const TURNS_PER_BLOCK = 200;
const WATCHED_FILES = 50;
const WATCH_MS = 3_000;

function makeFile(folder: string, megabytes: number): string {
  const file = path.join(folder, `session-${megabytes}.jsonl`);
  const descriptor = openSync(file, 'w');
  let turn = 0;
  for (let bytes = 0; bytes < megabytes * MEGABYTE; turn += TURNS_PER_BLOCK) {
    const block = claudeLines({ firstTurn: turn, turns: TURNS_PER_BLOCK, resultCharacters: 30_000 });
    bytes += writeSync(descriptor, block);
  }
  closeSync(descriptor);
  return file;
}

function refOf(file: string): TranscriptRef {
  return { cli: 'claude', path: file, sessionId: 'session', tie: 'folder', modifiedAt: 0 };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function readEnd(file: string, bytes: number): Promise<unknown> {
  const handle = await open(file, 'r');
  const { size } = await handle.stat();
  await handle.read(Buffer.alloc(bytes), 0, bytes, size - bytes);
  await handle.close();
  return size;
}

/** ms of processor time per 1,000 ms spent watching idle files. */
async function watchCost(folder: string, count: number): Promise<number> {
  const timers = {
    now: () => performance.now(),
    set: setTimeout,
    clear: (handle: unknown) => clearTimeout(handle as number),
  };
  const watcher = new FileWatcher({ timers, onError: () => undefined });
  for (let index = 0; index < count; index += 1) {
    const file = path.join(folder, `watched-${index}.jsonl`);
    appendFileSync(file, '{}\n');
    watcher.watch(file, async () => undefined);
  }
  await sleep(1_000);
  const before = process.cpuUsage();
  await sleep(WATCH_MS);
  const { user, system } = process.cpuUsage(before);
  watcher.close();
  return (user + system) / 1000 / (WATCH_MS / 1000);
}

export const suite: BenchSuite = {
  name: 'transcripts',
  prepare: async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-'));
    const files = SIZES_MB.map((size) => ({ size, file: makeFile(folder, size) }));
    const file = files.at(-1)?.file ?? '';
    const reader = createClaudeReader({ isAlive: () => false });
    const session = reader.open(refOf(file));
    await session.read();
    let turn = Math.ceil(statSync(file).size / 1000);
    return {
      rows: [
        ...files.map(({ size, file: read }) => ({
          name: `last turn of a ${size} MB session`,
          peer: 'read and parse its last 1 MB',
          target: 3,
          growth: { of: 'the last turn of a session, MB', size },
          ours: () => timed(() => reader.open(refOf(read)).read()),
          theirs: () => timed(() => parseEnd(read)),
        })),
        {
          name: 'one more turn in an open 500 MB session',
          peer: 'read its last 1 MB',
          target: 3,
          ours: async () => {
            turn += 1;
            appendFileSync(file, claudeLines({ firstTurn: turn, turns: 1, resultCharacters: 1_000 }));
            return timed(() => session.read());
          },
          theirs: () => timed(() => readEnd(file, FIRST_STRETCH_BYTES)),
        },
        {
          name: `${WATCHED_FILES} idle sessions watched, processor ms per s`,
          peer: '1 % of a core (10 ms per s)',
          target: 1,
          rounds: 3,
          ours: () => watchCost(folder, WATCHED_FILES),
          theirs: async () => 10,
        },
      ],
      cleanup: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};

/** The minimum: read the end and parse its lines. */
async function parseEnd(file: string): Promise<void> {
  const handle = await open(file, 'r');
  const { size } = await handle.stat();
  const buffer = Buffer.alloc(FIRST_STRETCH_BYTES);
  await handle.read(buffer, 0, buffer.length, size - buffer.length);
  await handle.close();
  for (const line of buffer.toString('utf8').split('\n').slice(1)) if (line !== '') JSON.parse(line);
}
