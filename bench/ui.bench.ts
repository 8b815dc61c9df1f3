/** From a key to the last byte of its frame, in a pseudo terminal of 120×50, beside pagers and a bare echo. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findOnPath } from '../src/platform/exec.ts';
import { type Latency, measureKeys } from '../test/helpers/key-latency.ts';
import { buildDemo } from '../test/helpers/ui-demo-build.ts';
import { type PtyProgram, startInPty } from '../test/helpers/ui-pty.ts';
import type { BenchRow, BenchSuite } from './harness.ts';

const SIZE = { columns: 120, rows: 50 };
const KEYS_A_ROUND = 20;
const LINES = 10_000;

/** Answers a key with a few bytes: what a terminal and a bare Node cost. */
const ECHO =
  "process.stdin.setRawMode(true);process.stdout.write('READY');process.stdin.on('data',(key)=>process.stdout.write('\\r'+key));";

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
    if (findOnPath('less', process.env) !== null) {
      const less = await start(['less', file], 'Line 1 of');
      const peer = 'less';
      rows.push({
        name: `${what}, key to frame`,
        peer,
        target: 2,
        ours: measured(ours, time),
        theirs: measured(less, time),
      });
      rows.push({
        name: `${what}, written`,
        peer,
        target: 6,
        unit: 'bytes',
        ours: measured(ours, bytes),
        theirs: measured(less, bytes),
      });
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
