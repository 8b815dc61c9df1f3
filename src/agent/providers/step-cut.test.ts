import { expect, test } from 'vitest';
import { StepFold } from './step-stream.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

test.each([
  ['length', 'length', true],
  ['other', 'max_tokens', true],
  ['other', 'MAX_TOKENS', true],
  ['other', 'max_output_tokens', true],
  ['other', 'model_length', true],
  ['other', 'pause_turn', true],
  ['stop', 'stop', false],
  ['other', 'eos', false],
] as const)('an answer that ends for %s, "%s", is cut: %s', (unified, raw, isCut) => {
  const fold = new StepFold(1_000);
  fold.push({ type: 'finish', finishReason: { unified, raw }, usage });
  expect(fold.isCut).toBe(isCut);
});
