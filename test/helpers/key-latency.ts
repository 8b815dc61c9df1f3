/** Measures key → frame in a real pseudo terminal: from the written byte until the output is quiet again. */
import type { PtyProgram } from './ui-pty.ts';

export interface Latency {
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly bytesPerKey: number;
}

/** Output belongs to a key until it pauses for this long. */
const QUIET_MS = 15;

/** Types `key` repeatedly, each time after the previous frame. */
export async function measureKeys(program: PtyProgram, key: string, rounds: number): Promise<Latency> {
  const times: number[] = [];
  const before = program.raw().length;
  for (let round = 0; round < rounds; round += 1) {
    const known = program.raw().length;
    const start = performance.now();
    program.type(key);
    let last = known;
    let at = start;
    while (at === start || performance.now() - at < QUIET_MS) {
      if (performance.now() - start > 2000) throw new Error('a key was followed by no frame');
      await new Promise((resolve) => setImmediate(resolve));
      if (program.raw().length === last) continue;
      last = program.raw().length;
      at = performance.now();
    }
    times.push(at - start);
  }
  times.sort((a, b) => a - b);
  return {
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
    p95Ms: times[Math.floor(times.length * 0.95)] ?? 0,
    bytesPerKey: Math.round((program.raw().length - before) / rounds),
  };
}
