import { describe, expect, test } from 'vitest';
import { scriptedProvider } from '../../../test/helpers/agent-loop.ts';
import { AgentStage, heading, propose, read } from '../../../test/helpers/agent-play.ts';
import { endsAtOnce } from '../../../test/helpers/turns.ts';
import { ok } from '../../lib/result.ts';
import { NO_USER_ANSWER } from '../../protocol/agent.ts';
import type { AgentProvider } from '../providers/provider.ts';

const stage = new AgentStage();

describe('the user', () => {
  test('is asked, and the answer goes to the model', async () => {
    const { outcome, asked, requests } = await stage.play(
      [{ calls: [['clarify_user', { question: 'Terse?' }]] }, { text: 'Done.' }],
      { answers: ['yes, terse'] },
    );
    expect(outcome.ok).toBe(true);
    expect(asked).toEqual(['Terse?']);
    expect(JSON.stringify(requests[1]?.messages)).toContain('yes, terse');
  });

  test('may skip', async () => {
    const { requests } = await stage.play(
      [{ calls: [['clarify_user', { question: 'Terse?' }]] }, { text: 'Done.' }],
      {
        answers: [NO_USER_ANSWER],
      },
    );
    const told = requests[1]?.messages.at(-1);
    expect(told?.role === 'tool' && told.results[0]?.blocks).toEqual([NO_USER_ANSWER]);
  });

  test.each(['yes', 'OK.', ' go ahead '])('says %j before edits are proposed', async (answer) => {
    const { outcome, asked } = await stage.play(
      [{ calls: [read('a.md')] }, { text: 'A new heading.', calls: [propose(heading)] }],
      {
        answers: [answer],
        input: { confirmBeforeEdits: true },
      },
    );
    expect(outcome.ok).toBe(true);
    expect(asked).toEqual(['A new heading.\n\nPropose 1 edit in a.md?']);
  });

  test('gives another answer, and the model acts on it', async () => {
    const { outcome, asked, requests } = await stage.play(
      [
        { calls: [read('a.md')] },
        { calls: [propose(heading)] },
        { calls: [propose({ ...heading, new_text: '# Three\n' })] },
      ],
      { answers: ['no, call it Three'], input: { confirmBeforeEdits: true } },
    );
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(requests[2]?.messages)).toContain('no, call it Three');
    expect(outcome).toMatchObject({ ok: true, value: { edits: [{ new_text: '# Three\n' }] } });
  });
});

test.each(['a step', 'a question'])('cancelling during %s ends the job at once', async (what) => {
  const controller = new AbortController();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const never = () => {
    begin();
    return new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
    });
  };
  const asks = scriptedProvider([{ calls: [['clarify_user', { question: '?' }]] }]);
  const hangs = scriptedProvider([], { runStep: never });
  const provider = async () => ok<AgentProvider>(what === 'a step' ? hangs : asks);
  const ended = stage.play([], { deps: { signal: controller.signal, askUser: never }, setup: { provider } });
  await begun;
  controller.abort();
  await endsAtOnce(ended);
  expect(await ended).toMatchObject({ outcome: { ok: false, error: { code: 'cancelled' } } });
});
