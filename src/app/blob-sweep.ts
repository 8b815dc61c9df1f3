/** Sweeps unused blobs, snapshots and compiled code: a while after leadership begins, then daily. */
import path from 'node:path';
import { errorMessage } from '../lib/result.ts';
import { copanePaths, type Env } from '../platform/paths.ts';
import { sweepScratch } from '../platform/scratch.ts';
import { sweepBlobs } from '../store/blob-sweep.ts';
import type { Host } from './host/host.ts';
import type { LeaderService } from './host/leader.ts';
import type { Log } from './log/log.ts';
import { sweepFiles } from './state-usage.ts';

/** Late enough not to slow down the start of a companion. */
const FIRST_AFTER_MS = 5 * 60_000;
const EVERY_MS = 24 * 3_600_000;
/** Each version of copane compiles its own files; deleted ones are quickly compiled again. */
const COMPILED_MAX_AGE_MS = 30 * EVERY_MS;

export interface BlobSweepOptions {
  readonly env: Env;
  readonly log: Log;
  readonly now: () => number;
  readonly firstAfterMs?: number;
}

export function blobSweepService({ env, log, now, firstAfterMs }: BlobSweepOptions): LeaderService {
  let ended = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const sweep = async (changes: Host['changes'], signal: AbortSignal): Promise<void> => {
    try {
      await sweepScratch();
      const { cacheDir } = copanePaths(env);
      sweepFiles(path.join(cacheDir, 'compiled'), now() - COMPILED_MAX_AGE_MS);
      await (await changes()).sweep(now(), signal);
      const swept = await sweepBlobs({ stateDir: copanePaths(env).stateDir, now: now(), signal });
      if (swept.dropped > 0) log.info('swept blobs', { ...swept });
    } catch (thrown) {
      if (!signal.aborted) log.warn('blobs were not swept', { error: errorMessage(thrown) });
    }
  };
  const plan = (host: Host, afterMs: number, signal: AbortSignal): void => {
    timer = setTimeout(() => {
      running = sweep(host.changes, signal).then(() => {
        if (!signal.aborted) plan(host, EVERY_MS, signal);
      });
    }, afterMs).unref();
  };
  return {
    name: 'blob sweep',
    start: (host) => {
      ended = new AbortController();
      plan(host, firstAfterMs ?? FIRST_AFTER_MS, ended.signal);
    },
    stop: () => {
      clearTimeout(timer);
      ended.abort();
      return running;
    },
  };
}
