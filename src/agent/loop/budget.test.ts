import { describe, expect, test } from 'vitest';
import {
  AgentStage,
  conversationFaults,
  heading,
  limits,
  propose,
  read,
  search,
} from '../../../test/helpers/agent-play.ts';

const stage = new AgentStage();

describe('the budget', () => {
  test('counts calls, tells the model once, and leaves a last chance', async () => {
    const { outcome, requests } = await stage.play(
      [
        { calls: [read('a.md')] },
        { calls: [search('x'), search('y'), search('z')] },
        { calls: [propose(heading)] },
      ],
      { input: limits({ max_tool_calls_per_job: 3 }) },
    );
    expect(outcome.ok).toBe(true);
    const last = requests[2];
    expect(last?.tools.map((tool) => tool.name)).toEqual(['propose_edits']);
    const told = last?.messages.at(-1);
    const results = told?.role === 'tool' ? told.results : [];
    expect(results.map((result) => result.ok)).toEqual([true, true, false]);
    expect(JSON.stringify(last?.messages).split('used all your tool calls')).toHaveLength(2);
    expect(conversationFaults(last?.messages ?? [])).toEqual([]);
  });

  test('a model that keeps calling has used its chance', async () => {
    const { outcome, types } = await stage.play(
      [{ calls: [search('x')] }, { calls: [search('y')] }, { calls: [search('z')] }],
      {
        input: limits({ max_tool_calls_per_job: 2 }),
      },
    );
    expect(outcome).toMatchObject({ ok: false, error: { code: 'tool_budget' } });
    expect(types.filter((type) => type === 'tool.call.requested')).toHaveLength(2);
  });

  test('the last chance can be a text', async () => {
    const { outcome } = await stage.play([{ calls: [search('x')] }, { text: 'I found nothing.' }], {
      input: limits({ max_tool_calls_per_job: 1 }),
    });
    expect(outcome).toEqual({ ok: true, value: { edits: [], message: 'I found nothing.' } });
  });

  test('repeating the same call ends the job', async () => {
    const { outcome, events, requests } = await stage.play([{ calls: [search('x')] }]);
    expect(outcome).toMatchObject({ ok: false, error: { code: 'tool_budget' } });
    expect(requests.length).toBeLessThanOrEqual(5);
    const done = events.flatMap((event) => (event.type === 'tool.call.completed' ? [event.data.ok] : []));
    expect(done).toEqual([true, false, false, false]);
  });

  test('a flood of calls in one answer costs no more than the budget', async () => {
    const flood = Array.from({ length: 200 }, (_, i) => search(`q${i}`));
    const { outcome, events } = await stage.play([{ calls: flood }, { text: 'enough' }]);
    expect(outcome.ok).toBe(true);
    const good = events.filter((event) => event.type === 'tool.call.completed' && event.data.ok);
    expect(good).toHaveLength(12);
  });
});
