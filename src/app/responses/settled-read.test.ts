import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../lib/result.ts';
import type { Turn } from '../../protocol/turn.ts';
import type { TimedState } from '../../responses/core/agent-state.ts';
import type { ResponsesReading } from '../../responses/pane-responses.ts';
import { FLUSH_MS, readSettled } from './settled-read.ts';

const REF = { cli: 'claude', path: '/s', sessionId: 's', tie: 'hook', modifiedAt: 1 } as const;

function reading(response: string, progress: Turn['progress']): ResponsesReading {
  const turn = { id: 't', prompt: 'p', response, parts: [response], progress } as unknown as Turn;
  return { turns: [turn], ref: REF, state: 'working' } as unknown as ResponsesReading;
}

/** Reads while the file is written: `steps` are what each look finds. The hook spoke at 0. */
async function read(steps: readonly ResponsesReading[], word: TimedState | null) {
  let looks = 0;
  let now = 0;
  const result = await readSettled(
    {
      read: async () => ok(steps[Math.min(looks++, steps.length - 1)] as ResponsesReading),
      told: async () => word,
      now: () => now,
      sleep: async (ms) => {
        now += ms;
      },
    },
    'auto',
    1,
  );
  return { looks, now, response: result.ok ? result.value.turns[0]?.response : null };
}

describe('an answer whose end is not written yet', () => {
  const half = reading('half', 'streaming');
  const whole = reading('half and whole', 'complete');

  it('is waited for when the CLI says that it is over', async () => {
    const seen = await read([half, half, whole], { state: 'idle', at: 0 });
    expect(seen).toEqual({ looks: 3, now: 200, response: 'half and whole' });
  });

  it('is waited for so long and no longer', async () => {
    expect(await read([half], { state: 'idle', at: 0 })).toMatchObject({ now: FLUSH_MS, response: 'half' });
    expect(await read([half], { state: 'idle', at: -FLUSH_MS })).toMatchObject({ looks: 1 });
  });

  it.each([null, { state: 'working', at: 0 }, { state: 'waiting', at: 0 }] as const)(
    'is taken as it is when its CLI says %j',
    async (word) => {
      expect(await read([half, whole], word)).toMatchObject({ looks: 1, response: 'half' });
    },
  );

  it('is no matter of a whole one, of a screen, or of a failure', async () => {
    expect(await read([whole], { state: 'idle', at: 0 })).toMatchObject({ looks: 1 });
    expect(await read([{ ...half, ref: null }, whole], { state: 'idle', at: 0 })).toMatchObject({ looks: 1 });
    const ports = { told: async () => null, now: () => 0, sleep: async () => undefined };
    const failed = await readSettled({ ...ports, read: async () => fail('internal', 'x') }, 'auto', 1);
    expect(failed.ok).toBe(false);
  });
});
