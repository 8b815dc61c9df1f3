import { afterEach, describe, expect, it } from 'vitest';
import { type Latency, measureKeys } from '../../helpers/key-latency.ts';
import { buildDemo } from '../../helpers/ui-demo-build.ts';
import { type PtyProgram, startInPty } from '../../helpers/ui-pty.ts';

const programs: PtyProgram[] = [];
afterEach(() => {
  for (const program of programs.splice(0)) program.kill('SIGKILL');
});

interface Place {
  /** Keys that lead there. */
  readonly open: string;
  /** The key that is measured; it scrolls the whole pane. */
  readonly move: string;
  readonly seen: string;
}

async function begin(turns: number, lines: number, place: Place): Promise<PtyProgram> {
  const program = startInPty([process.execPath, await buildDemo()], {
    columns: 120,
    rows: 50,
    env: { DEMO_TURNS: String(turns), DEMO_LINES: String(lines) },
  });
  programs.push(program);
  await program.until('the first frame', (screen) => screen.includes('Prompt number'));
  program.type(place.open);
  await program.until('the place to start from', (screen) => screen.includes(place.seen));
  // The first keys scroll nothing yet and warm the code up.
  await measureKeys(program, place.move, 40);
  return program;
}

const ROUNDS = 9;
const KEYS_PER_ROUND = 15;
/** Size must not matter. Rounds are interleaved and the best one counts: the machine may be busy with other work. */
const MOST_RATIO = 1.5;

describe('key to frame', () => {
  it.each([
    ['a list of 10,000 turns', [300, 3], [10_000, 3], { open: '', move: 'j', seen: '1 of' }],
    ['a response of 20,000 lines', [5, 800], [5, 20_000], { open: '\r', move: 'j', seen: 'Line 1 of' }],
  ] as const)('%s is as quick as a small one', async (what, small, large, place) => {
    const few = await begin(small[0], small[1], place);
    const many = await begin(large[0], large[1], place);
    const rounds: { readonly few: Latency; readonly many: Latency }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({
        few: await measureKeys(few, place.move, KEYS_PER_ROUND),
        many: await measureKeys(many, place.move, KEYS_PER_ROUND),
      });
    }
    const best = (side: 'few' | 'many') => Math.min(...rounds.map((round) => round[side].medianMs));
    const bytes = rounds.at(-1)?.many.bytesPerKey;
    console.log(
      `key to frame, ${what}: ${best('many').toFixed(2)} ms, ${bytes} bytes a key; a small one: ${best('few').toFixed(2)} ms`,
    );
    expect(best('many')).toBeLessThan(best('few') * MOST_RATIO + 0.5);
  });
});
