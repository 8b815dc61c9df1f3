import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../lib/result.ts';
import type { Turn } from '../../protocol/turn.ts';
import type { ResponsesReading } from '../../responses/pane-responses.ts';
import { FLUSH_MS, type HookReport, readSettled, type SettledReading } from './settled-read.ts';

const REF = { cli: 'claude', path: '/s', sessionId: 's', tie: 'hook', modifiedAt: 1 } as const;
const SILENT: HookReport = { state: null, prompt: null };

function reading(prompt: string, response: string, progress: Turn['progress']): ResponsesReading {
  const turn = { id: 't', prompt, response, parts: [response], progress, warning: null } as unknown as Turn;
  const state = progress === 'streaming' ? 'working' : 'idle';
  return { turns: [turn], ref: REF, state, source: 'transcript' } as unknown as ResponsesReading;
}

interface Step {
  readonly reading: ResponsesReading;
  readonly isWorking?: boolean;
}

/** Reads while the file is written: `steps` are the results of successive checks. It is 0 when the reading begins. */
async function read(steps: readonly Step[], word: HookReport = SILENT) {
  let looks = 0;
  let now = 0;
  const step = () => steps[Math.min(looks, steps.length - 1)] as Step;
  const result = await readSettled(
    {
      read: async () => ok(step().reading),
      isAtWork: async () => step().isWorking ?? false,
      reportOf: async () => word,
      now: () => now,
      sleep: async (ms) => {
        looks += 1;
        now += ms;
      },
    },
    'auto',
    1,
  );
  const { turns, isBehind } = (result as { value: SettledReading }).value;
  const [turn] = turns;
  return { looks: looks + 1, now, response: turn?.response, warning: turn?.warning ?? null, isBehind };
}

describe('an answer whose end is not written yet', () => {
  const half = { reading: reading('p', 'half', 'streaming'), isWorking: true };
  const whole = { reading: reading('p', 'half and whole', 'complete') };

  it('is awaited if the CLI reports that it is over', async () => {
    const seen = await read([half, half, whole], { state: { state: 'idle', at: 0 }, prompt: null });
    expect(seen).toMatchObject({ looks: 3, now: 200, response: 'half and whole' });
  });

  it('is awaited only up to a limit', async () => {
    const over = (at: number): HookReport => ({ state: { state: 'idle', at }, prompt: null });
    expect(await read([half], over(0))).toMatchObject({ now: FLUSH_MS, response: 'half', isBehind: false });
    expect(await read([half], over(-FLUSH_MS))).toMatchObject({ looks: 1 });
  });

  it.each([null, { state: 'working', at: 0 }, { state: 'waiting', at: 0 }] as const)(
    'is taken as it is if its CLI reports %j',
    async (state) => {
      const seen = await read([half, whole], { state, prompt: null });
      expect(seen).toMatchObject({ looks: 1, response: 'half', warning: null });
    },
  );

  it('causes no wait for a complete answer, a screen, or a failure', async () => {
    const over: HookReport = { state: { state: 'idle', at: 0 }, prompt: null };
    expect(await read([whole], over)).toMatchObject({ looks: 1 });
    const screen = { reading: { ...half.reading, source: 'screen', ref: null } as const };
    expect(await read([screen, whole], over)).toMatchObject({ looks: 1 });
    const ports = { reportOf: async () => SILENT, isAtWork: async () => true, now: () => 0 };
    const failing = { ...ports, sleep: async () => undefined, read: async () => fail('internal', 'x') };
    expect((await readSettled(failing, 'auto', 1)).ok).toBe(false);
  });
});

describe('a prompt that is not written yet', () => {
  const old = reading('one', 'answer one', 'complete');
  const asked = { reading: reading('two', '', 'streaming'), isWorking: true };

  it('is awaited while the CLI is visibly working: the previous answer is not taken for its answer', async () => {
    const seen = await read([{ reading: old, isWorking: true }, { reading: old, isWorking: true }, asked]);
    expect(seen).toMatchObject({ now: 200, response: '', warning: null, isBehind: false });
  });

  it('is awaited if the hook reported it, even if the answer is already over', async () => {
    const word = { state: { state: 'idle', at: 0 }, prompt: { text: 'two', at: 0 } } as const;
    const answered = { reading: reading('two', 'answer two', 'complete') };
    expect(await read([{ reading: old }, answered], word)).toMatchObject({ response: 'answer two' });
    expect(await read([{ reading: old }], { ...word, prompt: { text: 'one', at: 0 } })).toMatchObject({
      looks: 1,
      response: 'answer one',
    });
  });

  it('is awaited if the CLI reports beside its file that it is working', async () => {
    const busy = { reading: { ...old, state: 'working' } as const };
    expect(await read([busy, asked])).toMatchObject({ looks: 2, response: '' });
  });

  it('is reported as missing if it does not arrive', async () => {
    const seen = await read([{ reading: old, isWorking: true }]);
    expect(seen).toMatchObject({ now: FLUSH_MS, response: 'answer one', isBehind: true });
    expect(seen.warning).toContain('last prompt may not be in its session file yet');
    const first = { reading: { ...old, turns: [], source: 'none', ref: null } as const, isWorking: true };
    expect(await read([first])).toMatchObject({ now: FLUSH_MS, isBehind: true });
  });

  it('is not awaited if the CLI is idle', async () => {
    expect(await read([{ reading: old }])).toMatchObject({ looks: 1, response: 'answer one', warning: null });
    const stopped = { reading: reading('one', 'ans', 'interrupted') };
    const word = { state: { state: 'working', at: 0 }, prompt: { text: 'one', at: 0 } } as const;
    expect(await read([stopped], word)).toMatchObject({ looks: 1 });
    const late = { state: null, prompt: { text: '/compact', at: -FLUSH_MS } };
    expect(await read([{ reading: old }], late)).toMatchObject({ looks: 1, isBehind: false });
  });
});
