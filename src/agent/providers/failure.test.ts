import { expect, test } from 'vitest';
import { httpFailure } from './failure.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');

function kind(status: number | null, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return httpFailure({ status, headers, body: text, message: '' }, NOW);
}

const said = (message: string, rest: object = {}) => ({ error: { message, ...rest } });

test.each([
  [
    'OpenAI',
    400,
    said("This model's maximum context length is 128000 tokens.", { code: 'context_length_exceeded' }),
  ],
  ['vLLM', 400, { object: 'error', message: "This model's maximum context length is 4096 tokens. However…" }],
  [
    'llama-server',
    400,
    said('the request exceeds the available context size, try increasing it', {
      type: 'exceed_context_size_error',
    }),
  ],
  [
    'LM Studio',
    400,
    { error: 'The number of tokens to keep from the initial prompt is greater than the context length.' },
  ],
  ['OpenRouter', 400, said("This endpoint's maximum context length is 32768 tokens.")],
  [
    'Anthropic',
    400,
    said('prompt is too long: 210000 tokens > 200000 maximum', { type: 'invalid_request_error' }),
  ],
  [
    'Anthropic output',
    400,
    said('input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000'),
  ],
  [
    'Anthropic bytes',
    413,
    { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
  ],
  [
    'Google',
    400,
    said('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', {
      status: 'INVALID_ARGUMENT',
    }),
  ],
])('%s means that the conversation is too long', (_, status, body) => {
  expect(kind(status, body)).toMatchObject({ kind: 'context_overflow' });
});

test.each([
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [408, 'timeout'],
  [429, 'rate_limited'],
  [500, 'unavailable'],
  [529, 'unavailable'],
  [504, 'timeout'],
  [400, 'rejected'],
  [404, 'rejected'],
  [200, 'malformed'],
  [null, 'unreachable'],
])('HTTP %s is %s', (status, expected) => {
  expect(kind(status, said('words'))).toMatchObject({ kind: expected });
});

test('an exhausted quota is no reason to wait', () => {
  expect(kind(429, said('You exceeded your current quota', { code: 'insufficient_quota' })).kind).toBe(
    'rejected',
  );
});

test.each([
  [{ 'retry-after': '7' }, '', 7_000],
  [{ 'retry-after-ms': '250', 'retry-after': '7' }, '', 250],
  [{ 'retry-after': 'Fri, 02 Jan 2026 03:04:15 GMT' }, '', 10_000],
  [{ 'retry-after': 'Fri, 02 Jan 2026 03:04:00 GMT' }, '', 0],
  [{ 'retry-after': 'soon' }, '', undefined],
  [{}, '{"error":{"details":[{"retryDelay":"34.5s"}]}}', 34_500],
  [{}, '', undefined],
] as const)('waits as long as %j %s says', (headers, body, expected) => {
  expect(kind(429, body, headers).retryAfterMs).toBe(expected);
});

test.each([
  [said('the words'), 'the words'],
  [{ error: 'plain' }, 'plain'],
  [[said('in a list')], 'in a list'],
  [{ message: 'on top' }, 'on top'],
])('extracts the message from %j', (body, words) => {
  expect(kind(400, body).message).toContain(words);
});

test('is a sentence', () => {
  expect(kind(429, said('slow down')).message).toBe('The provider asks for a pause (HTTP 429): slow down.');
  expect(kind(429, said('Slow down!')).message).toBe('The provider asks for a pause (HTTP 429): Slow down!');
});

test('an HTML page is not passed on', () => {
  const failure = kind(502, `<html>${'x'.repeat(5_000)}</html>`);
  expect(failure.kind).toBe('unavailable');
  expect(failure.message.length).toBeLessThan(400);
});
