import { expect, test } from 'vitest';
import { endsAtOnce } from '../../../test/helpers/turns.ts';
import { ok } from '../../lib/result.ts';
import { type AgentProvider, failStep, type ProviderFailureKind } from './provider.ts';
import { type Sleep, WAIT_MAX_MS, withRetries } from './retry.ts';

type Answer = ReturnType<typeof failStep> | 'good';

const limited = (retryAfterMs: number, message: string): Answer => ({
  ok: false,
  error: { kind: 'rate_limited', message, retryAfterMs },
});

function scripted(answers: readonly Answer[]) {
  const waits: number[] = [];
  let asked = 0;
  const inner: AgentProvider = {
    name: 'x',
    model: 'm',
    contextTokens: 1,
    runStep: async () => {
      const answer = answers[Math.min(asked, answers.length - 1)] ?? 'good';
      asked += 1;
      if (answer !== 'good') return answer;
      const usage = { inputTokens: 1, outputTokens: 1, latencyMs: 1, model: 'm' };
      return ok({ assistantMessage: 'hi', toolCalls: [], stopReason: 'done', usage });
    },
  };
  const sleep: Sleep = async (ms) => void waits.push(ms);
  return { inner, waits, sleep, asked: () => asked };
}

const request = { system: '', messages: [], tools: [] };
const options = () => ({ signal: new AbortController().signal, onDelta: () => undefined });

test.each([
  { answers: ['good'], asked: 1, waits: [], good: true },
  { answers: [failStep('cut', 'x'), 'good'], asked: 2, waits: [300], good: true },
  { answers: [limited(7_000, 'x'), 'good'], asked: 2, waits: [7_000], good: true },
  { answers: [failStep('unavailable', 'x')], asked: 4, waits: [300, 600, 1_200], good: false },
  {
    answers: [limited(WAIT_MAX_MS, 'x'), 'good'],
    asked: 2,
    waits: [WAIT_MAX_MS],
    good: true,
  },
  { answers: [limited(WAIT_MAX_MS + 1, 'x'), 'good'], asked: 1, waits: [], good: false },
] as const)('asks $asked times, waits $waits', async ({ answers, asked, waits, good }) => {
  const server = scripted(answers);
  const outcome = await withRetries(server.inner, server.sleep).runStep(request, options());
  expect({ asked: server.asked(), waits: server.waits, good: outcome.ok }).toEqual({ asked, waits, good });
});

const FINAL: readonly ProviderFailureKind[] = [
  'cancelled',
  'timeout',
  'context_overflow',
  'unauthorized',
  'malformed',
  'rejected',
  'not_recorded',
];

test.each(FINAL)('%s is not requested again', async (kind) => {
  const server = scripted([failStep(kind, 'x'), 'good']);
  const outcome = await withRetries(server.inner, server.sleep).runStep(request, options());
  expect(outcome).toMatchObject({ ok: false, error: { kind } });
  expect(server.asked()).toBe(1);
});

test('reports each wait with its reason', async () => {
  const server = scripted([failStep('cut', 'broke off'), limited(2_000, 'slow down'), 'good']);
  const told: unknown[] = [];
  await withRetries(server.inner, server.sleep).runStep(request, {
    ...options(),
    onWait: (failure, waitMs) => told.push([failure.message, waitMs]),
  });
  expect(told).toEqual([
    ['broke off', 300],
    ['slow down', 2_000],
  ]);
});

test('a cancelled job does not finish the wait', async () => {
  const server = scripted([limited(60_000, 'x')]);
  const controller = new AbortController();
  const { promise: waits, resolve: onWait } = Promise.withResolvers<void>();
  const outcome = withRetries(server.inner).runStep(request, {
    signal: controller.signal,
    onDelta: () => undefined,
    onWait: () => onWait(),
  });
  await waits;
  controller.abort();
  await endsAtOnce(outcome);
  expect(await outcome).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
});
