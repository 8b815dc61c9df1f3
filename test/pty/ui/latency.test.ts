import { afterEach, describe, expect, it } from 'vitest';
import { createFrames } from '../../../src/ui/app/surface.ts';
import { ScreenWriter } from '../../../src/ui/kit/screen-writer.ts';
import { createStore } from '../../../src/ui/kit/store.ts';
import { createTheme } from '../../../src/ui/kit/theme/theme.ts';
import { measureKeys } from '../../helpers/key-latency.ts';
import { buildDemo } from '../../helpers/ui-demo-build.ts';
import { driveUi } from '../../helpers/ui-driver.ts';
import { fakeUi, testTurn, testView } from '../../helpers/ui-fakes.ts';
import { type PtyProgram, startInPty } from '../../helpers/ui-pty.ts';

const SIZE = { columns: 120, rows: 50 };

let program: PtyProgram | null = null;
afterEach(() => {
  program?.kill('SIGKILL');
  program = null;
});

/** A surface that draws nowhere, and the time it takes per key. */
async function surface(turnCount: number, lineCount: number, open: string): Promise<() => number> {
  const text = (lines: number) =>
    Array.from({ length: lines }, (_, line) => `Line ${line} of the answer`).join('\n');
  const turns = Array.from({ length: turnCount }, (_, index) =>
    testTurn(`t${index}`, { prompt: `Prompt ${index}`, response: text(index === 0 ? lineCount : 3) }),
  );
  const ui = await driveUi(fakeUi({ view: testView({ turns }) }), { size: SIZE });
  const theme = createTheme({ depth: '256', background: 'dark', ascii: false, plain: false });
  const frames = createFrames(ui.controller.model, createStore(theme));
  const writer = new ScreenWriter({ write: () => undefined }, () => undefined);
  writer.resize(SIZE);
  frames.subscribe(() => {
    writer.setRectangle(writer, { x: 0, y: 0, columns: SIZE.columns, rows: frames.composed().rows });
    writer.flush();
  });
  await ui.type(open);
  return () => {
    const start = performance.now();
    ui.controller.onKeys([{ kind: 'key', key: 'j', text: 'j' }]);
    return performance.now() - start;
  };
}

const ROUNDS = 200;
/** Size must not matter. Keys alternate and only the fast ones count: the machine may be busy with other work. */
const MOST_RATIO = 2;

function quick(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 4)] ?? 0;
}

describe('the work of one key', () => {
  it.each([
    ['a list of 10,000 turns', [300, 3], [10_000, 3], ''],
    ['a response of 20,000 lines', [5, 800], [5, 20_000], '\r'],
  ] as const)('in %s is the same as in a small one', async (what, small, large, open) => {
    const few = await surface(small[0], small[1], open);
    const many = await surface(large[0], large[1], open);
    const times = Array.from({ length: ROUNDS }, () => [few(), many()] as const);
    const [least, most] = [quick(times.map(([time]) => time)), quick(times.map(([, time]) => time))];
    console.log(`work of a key, ${what}: ${most.toFixed(2)} ms, in a small one ${least.toFixed(2)} ms`);
    expect(most).toBeLessThan(least * MOST_RATIO);
  });
});

describe('key to frame in a terminal', () => {
  it.each([
    ['a list of 10,000 turns', { DEMO_TURNS: '10000' }, '', '1 of 10000'],
    ['a response of 20,000 lines', { DEMO_TURNS: '5', DEMO_LINES: '20000' }, '\r', 'Line 1 of'],
  ])('%s', async (what, env, open, seen) => {
    program = startInPty([process.execPath, await buildDemo()], { ...SIZE, env });
    await program.until('the first frame', (screen) => screen.includes('Prompt number'));
    program.type(open);
    await program.until('the place to start from', (screen) => screen.includes(seen));
    await measureKeys(program, 'j', 40);
    const { medianMs, p95Ms, bytesPerKey } = await measureKeys(program, 'j', 60);
    console.log(
      `key to frame, ${what}: ${medianMs.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms, ${bytesPerKey} bytes a key`,
    );
    // A scrolled line must not redraw the screen: Ink alone writes some 5,000 bytes here.
    expect(bytesPerKey).toBeLessThan(1500);
  });
});
