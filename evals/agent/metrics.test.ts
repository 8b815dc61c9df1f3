import { expect, test } from 'vitest';
import { formatMetrics, metricsOf, type TaskRun } from './metrics.ts';

const run = (fields: Partial<TaskRun> = {}): TaskRun => ({
  task: 't',
  faults: [],
  hunks: { accepted: 2, total: 2 },
  hadConflict: false,
  toolCalls: 4,
  questions: 0,
  latencyMs: 1_000,
  tokens: { input: 10_000, output: 1_000 },
  ...fields,
});

const RUNS = [
  run(),
  run({ toolCalls: 2, latencyMs: 3_000, questions: 2 }),
  run({
    faults: ['no'],
    toolCalls: 12,
    hunks: { accepted: 0, total: 1 },
    hadConflict: true,
    latencyMs: 9_000,
  }),
  run({ faults: ['no'], hunks: { accepted: 0, total: 0 }, latencyMs: 2_000 }),
];

test('counts what the table shows', () => {
  expect(metricsOf('remote', RUNS, { input: 3, output: 15 })).toEqual({
    mode: 'remote',
    tasks: 4,
    succeeded: 2,
    acceptedHunks: 0.8,
    conflictRate: 0.25,
    callsPerSuccess: 3,
    latencyMs: { p50: 2_000, p95: 9_000 },
    costPerTask: 0.045,
    clarificationRate: 0.25,
  });
});

test('shows only what is known: no time for a recording, no cost for a local model or without a price', () => {
  expect(metricsOf('replay', RUNS, { input: 3, output: 15 })).toMatchObject({
    latencyMs: null,
    costPerTask: null,
  });
  expect(metricsOf('local', RUNS, { input: 3, output: 15 }).costPerTask).toBeNull();
  expect(metricsOf('remote', RUNS, null).costPerTask).toBeNull();
  expect(metricsOf('remote', [], null)).toMatchObject({
    acceptedHunks: null,
    callsPerSuccess: null,
    latencyMs: null,
    conflictRate: 0,
  });
});

test('a row for each mode', () => {
  const rows = [metricsOf('replay', RUNS, null), metricsOf('remote', RUNS, { input: 3, output: 15 })];
  expect(
    formatMetrics(rows)
      .split('\n')
      .map((line) => line.trimEnd()),
  ).toEqual([
    'mode    tasks  success  hunks taken  conflicts  calls/success    p50    p95  cost/task  asked',
    'replay      4     50 %         80 %       25 %            3.0      –      –          –   25 %',
    'remote      4     50 %         80 %       25 %            3.0  2.0 s  9.0 s    $0.0450   25 %',
    '',
  ]);
});
