/**
 * What an idle companion costs: wake-ups of all its threads and its share of a core, beside one idle AI pane, with 1, 5
 * and 20 companions. The figures are per companion.
 */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompanionPane, copaneEnv } from '../test/helpers/companion-pane.ts';
import { PrivateTmux } from '../test/helpers/private-tmux.ts';
import type { BenchRow, BenchSuite } from './harness.ts';

const COUNTS = [1, 5, 20];
/** Start-up is over by then: caches are written, and the watchers know their files. */
const SETTLE_MS = 30_000;
const WATCHED_MS = 30_000;
const TICKS_PER_SECOND = 100;

interface Cost {
  readonly wakeUps: number;
  readonly ticks: number;
}

/** Voluntary context switches of all threads, and processor time, since the process began. */
function costOf(pid: number): Cost {
  const threads = readdirSync(`/proc/${pid}/task`);
  const wakeUps = threads.map((thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    return Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1] ?? 0);
  });
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { wakeUps: wakeUps.reduce((a, b) => a + b, 0), ticks: Number(fields[11]) + Number(fields[12]) };
}

/** The cost per second of one of `count` companions. */
async function watchIdle(count: number): Promise<Cost> {
  const root = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-'));
  const tmux = new PrivateTmux();
  try {
    const program = path.join(root, 'claude');
    copyFileSync('/bin/sleep', program);
    const place = { root, project: root };
    await tmux.start({
      argv: [program, '3600'],
      env: copaneEnv(place),
      cwd: root,
      size: { columns: 100, rows: 30 },
    });
    for (let n = 0; n < count; n++) await CompanionPane.open(tmux, place);
    const listed = await tmux.run(['list-panes', '-a', '-F', '#{pane_pid}']);
    const pids = listed.stdout.toString('utf8').trim().split('\n').slice(1).map(Number);
    const sum = () =>
      pids.map(costOf).reduce((a, b) => ({ wakeUps: a.wakeUps + b.wakeUps, ticks: a.ticks + b.ticks }));
    await sleep(SETTLE_MS);
    const before = sum();
    await sleep(WATCHED_MS);
    const after = sum();
    const share = 1000 / WATCHED_MS / count;
    return {
      wakeUps: (after.wakeUps - before.wakeUps) * share,
      ticks: (after.ticks - before.ticks) * share,
    };
  } finally {
    await tmux.kill();
    rmSync(root, { recursive: true, force: true });
  }
}

function rowsFor(count: number): readonly BenchRow[] {
  const name = `one of ${count} idle companions`;
  const growth = { of: 'an idle companion', size: count };
  const peer = 'what is allowed';
  let watched: Promise<Cost> | undefined;
  const cost = () => {
    watched ??= watchIdle(count);
    return watched;
  };
  return [
    {
      name: `${name}, wakes`,
      peer,
      target: 1,
      unit: 'a second',
      rounds: 1,
      growth,
      ours: async () => (await cost()).wakeUps,
      theirs: async () => 1,
    },
    {
      name: `${name}, takes of a core`,
      peer,
      target: 1,
      unit: '%',
      rounds: 1,
      growth,
      ours: async () => ((await cost()).ticks / TICKS_PER_SECOND) * 100,
      theirs: async () => 0.1,
    },
  ];
}

export const suite: BenchSuite = {
  name: 'idle',
  prepare: async () =>
    process.platform === 'linux'
      ? { rows: COUNTS.flatMap(rowsFor), cleanup: async () => undefined }
      : { skip: '/proc is not here' },
};
