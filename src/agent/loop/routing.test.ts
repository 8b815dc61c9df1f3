import { describe, expect, test } from 'vitest';
import { type LoopRun, type ScriptedStep, scriptedProvider } from '../../../test/helpers/agent-loop.ts';
import { AgentStage, heading, propose, read } from '../../../test/helpers/agent-play.ts';
import { ok } from '../../lib/result.ts';
import type { AgentProvider } from '../providers/provider.ts';

const stage = new AgentStage();

describe('hybrid_auto', () => {
  const hybrid = async (
    local: readonly ScriptedStep[],
    remote: readonly ScriptedStep[],
    run: Partial<LoopRun> = {},
  ) => {
    const asked: string[] = [];
    const providers = {
      local: scriptedProvider(local, { name: 'local' }),
      remote: scriptedProvider(remote, { name: 'remote' }),
    };
    const provider = async (side: 'local' | 'remote') => {
      asked.push(side);
      return ok<AgentProvider>(providers[side]);
    };
    const played = await stage.play([], {
      ...run,
      input: { mode: 'hybrid_auto', ...run.input },
      setup: { provider },
    });
    return { ...played, sides: asked, requests: providers.remote.requests };
  };
  const good: readonly ScriptedStep[] = [{ calls: [read('a.md')] }, { calls: [propose(heading)] }];

  test('stays local if that works', async () => {
    const { outcome, sides, events } = await hybrid(good, []);
    expect(outcome.ok).toBe(true);
    expect(sides).toEqual(['local']);
    expect(events[0]).toMatchObject({
      type: 'provider.selected',
      data: { provider: 'local', reason: expect.any(String) },
    });
  });

  test.each([
    ['its budget is used up', [{ calls: [['search_project', { query: 'x' }]] }], 'tool calls'],
    ['the form is never right', [{ fails: { kind: 'malformed', message: 'no' } }], 'valid proposal'],
    ['its edits never fit', [{ calls: [propose(heading)] }], 'could not be used'],
    ['the context is too long', [{ fails: { kind: 'context_overflow', message: 'no' } }], 'exceeds'],
    ['it is silent', [{ fails: { kind: 'timeout', message: 'no' } }], 'too long'],
  ] as readonly [string, ScriptedStep[], string][])(
    'switches to the remote model when %s, and says why',
    async (_, local, words) => {
      const { outcome, sides, events, types } = await hybrid(local, good);
      expect(outcome.ok).toBe(true);
      expect(sides).toEqual(['local', 'remote']);
      expect(types.filter((type) => type === 'provider.selected')).toHaveLength(2);
      expect(events).toContainEqual(
        expect.objectContaining({
          type: 'provider.fallback',
          data: expect.objectContaining({
            from: 'local',
            to: 'remote',
            reason: expect.stringContaining(words),
          }),
        }),
      );
    },
  );

  test('switches to the remote model if the local one takes too long; a question does not count', async () => {
    const local: readonly ScriptedStep[] = [
      { calls: [['clarify_user', { question: 'Which?' }]] },
      { hangs: true },
    ];
    const askUser = async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return 'the first';
    };
    const { outcome, sides, requests } = await hybrid(local, good, {
      models: { hybrid_remote_on_timeout_ms: 200 },
      deps: { askUser },
    });
    expect(outcome.ok).toBe(true);
    expect(sides).toEqual(['local', 'remote']);
    const [first] = requests[0]?.messages ?? [];
    expect(first?.role === 'user' && first.text).toContain('You asked: Which?\nThe user answered: the first');
  });

  test('does not switch if that is forbidden', async () => {
    const { outcome, sides } = await hybrid([{ fails: { kind: 'timeout', message: 'no' } }], good, {
      models: { hybrid_fallback: false },
    });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'timeout' } });
    expect(sides).toEqual(['local']);
  });

  test('a cancelled job does not switch', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    const { outcome, sides } = await hybrid([{ hangs: true }], good, { deps: { signal: controller.signal } });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(sides).toEqual(['local']);
  });
});
