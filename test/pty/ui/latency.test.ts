import { afterEach, describe, expect, it } from 'vitest';
import { measureKeys } from '../../helpers/key-latency.ts';
import { buildDemo } from '../../helpers/ui-demo-build.ts';
import { type PtyProgram, startInPty } from '../../helpers/ui-pty.ts';

let program: PtyProgram | null = null;
afterEach(() => {
  program?.kill('SIGKILL');
  program = null;
});

async function medianOf(turns: number, lines: number, keys: { open: string; move: string; seen: string }) {
  program = startInPty([process.execPath, await buildDemo()], {
    columns: 120,
    rows: 50,
    env: { DEMO_TURNS: String(turns), DEMO_LINES: String(lines) },
  });
  await program.until('the first frame', (screen) => screen.includes('Prompt number'));
  program.type(keys.open);
  await program.until('the place to start from', (screen) => screen.includes(keys.seen));
  await measureKeys(program, keys.move, 20);
  const latency = await measureKeys(program, keys.move, 60);
  program.kill('SIGKILL');
  return latency;
}

/** Size must not matter; the machine may be busy, so only the ratio is held, with room. */
const MOST_RATIO = 2.5;

describe('key to frame', () => {
  it.each([
    [
      'a list of 10,000 turns',
      { small: [200, 3], large: [10_000, 3] },
      { open: '', move: 'j', seen: '1 of' },
    ],
    [
      'a response of 20,000 lines',
      { small: [5, 2000], large: [5, 20_000] },
      { open: '\r', move: '\u0004', seen: 'Line 1 of' },
    ],
  ] as const)('%s is as quick as a small one', async (what, { small, large }, keys) => {
    const few = await medianOf(small[0], small[1], keys);
    const many = await medianOf(large[0], large[1], keys);
    const show = ({ medianMs, p95Ms, bytesPerKey }: typeof few) =>
      `${medianMs.toFixed(1)} ms (p95 ${p95Ms.toFixed(1)} ms, ${bytesPerKey} bytes)`;
    console.log(`key to frame, ${what}: ${show(many)}; a small one: ${show(few)}`);
    expect(many.medianMs).toBeLessThan(few.medianMs * MOST_RATIO + 2);
  });
});
