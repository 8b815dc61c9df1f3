import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { must, temporaryHome } from '../../test/helpers/host-fakes.ts';
import { until } from '../../test/helpers/until.ts';
import { blobFolderOf } from '../store/blobs.ts';
import { blobSweepService } from './blob-sweep.ts';
import { connectHost } from './client/connect.ts';
import { SILENT_LOG } from './log/log.ts';

let home: ReturnType<typeof temporaryHome>;
beforeEach(() => {
  home = temporaryHome();
});
afterEach(() => home.remove());

function lostBlob(): string {
  const folder = path.join(blobFolderOf(home.paths.stateDir), 'ab');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'c'.repeat(62));
  writeFileSync(file, 'lost');
  utimesSync(file, 0, 0);
  return file;
}

const service = (firstAfterMs: number) =>
  blobSweepService({ env: { HOME: home.home }, log: SILENT_LOG, now: Date.now, firstAfterMs });

it('sweeps while this process leads', async () => {
  const file = lostBlob();
  const connection = must(
    await connectHost({ paths: home.paths, version: 'test', services: [service(0)], log: SILENT_LOG }),
  );
  await until('the sweep', () => !existsSync(file));
  await connection.close();
});

it('stops sweeping when it stops leading', async () => {
  const file = lostBlob();
  const swept: number[] = [];
  const stopped = blobSweepService({
    env: { HOME: home.home },
    log: SILENT_LOG,
    now: () => swept.push(0),
    firstAfterMs: 0,
  });
  await stopped.start(undefined as never);
  await stopped.stop();
  // Timers fire in order, so an earlier one has fired by then.
  await setTimeout(1);
  expect(swept).toEqual([]);
  expect(existsSync(file)).toBe(true);
});
