/** From a key to the last byte of its frame, in a pseudo terminal of 120×50, beside pagers and a bare echo. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Latency, measureKeys } from '../test/helpers/key-latency.ts';
import { buildDemo } from '../test/helpers/ui-demo-build.ts';
import { type PtyProgram, startInPty } from '../test/helpers/ui-pty.ts';
import type { BenchRow, BenchSuite } from './harness.ts';
import { findPeer, notMeasured, PEERS } from './peers.ts';

const SIZE = { columns: 120, rows: 50 };
const KEYS_A_ROUND = 20;
const LINES = 10_000;

/** Echoes a key with a few bytes: the cost of a terminal and a bare Node. */
const ECHO =
  "process.stdin.setRawMode(true);process.stdout.write('READY');process.stdin.on('data',(key)=>process.stdout.write('\\r'+key));";

/** Each reads its text from standard input, and its keys from the terminal. */
const PAGERS = [
  { peer: PEERS.less, target: 2, bytesTarget: 4 },
  { peer: PEERS.tig, target: 1, bytesTarget: 0.5 },
] as const;

export const suite: BenchSuite = {
  name: 'ui',
  prepare: async () => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-'));
    const file = path.join(root, 'lines');
    writeFileSync(
      file,
      `${Array.from({ length: LINES }, (_, line) => `Line ${line} of a long text`).join('\n')}\n`,
    );
    const running: PtyProgram[] = [];
    const start = async (command: readonly string[], shows: string, env: Record<string, string> = {}) => {
      const program = startInPty(command, { ...SIZE, env });
      running.push(program);
      await program.until(shows, (screen) => screen.includes(shows));
      return program;
    };
    const ours = await start([process.execPath, await buildDemo()], 'Prompt number', {
      DEMO_TURNS: '5',
      DEMO_LINES: String(LINES),
    });
    ours.type('\r');
    await ours.until('the response', (screen) => screen.includes('Line 1 of'));
    const echo = await start([process.execPath, '-e', ECHO], 'READY');
    const measured = (program: PtyProgram, of: (latency: Latency) => number) => async () =>
      of(await measureKeys(program, 'j', KEYS_A_ROUND));
    const time = (latency: Latency) => latency.medianMs;
    const bytes = (latency: Latency) => latency.bytesPerKey;
    const what = 'a line down in an answer of 10,000';
    const rows: BenchRow[] = [
      {
        name: `${what}, key to frame`,
        peer: 'echo of a bare Node',
        target: 2,
        ours: measured(ours, time),
        theirs: measured(echo, time),
      },
    ];
    for (const { peer, target, bytesTarget } of PAGERS) {
      const program = findPeer(peer);
      if (program === null) {
        console.log(notMeasured(what, peer));
        continue;
      }
      const pager = await start(['sh', '-c', 'exec "$0" <"$1"', program, file], 'Line 1 of');
      rows.push(
        {
          name: `${what}, key to frame`,
          peer: peer.name,
          target,
          ours: measured(ours, time),
          theirs: measured(pager, time),
        },
        {
          name: `${what}, written`,
          peer: peer.name,
          target: bytesTarget,
          unit: 'bytes',
          ours: measured(ours, bytes),
          theirs: measured(pager, bytes),
        },
      );
    }
    return {
      rows,
      cleanup: async () => {
        for (const program of running) program.kill('SIGKILL');
        rmSync(root, { recursive: true, force: true });
      },
    };
  },
};
