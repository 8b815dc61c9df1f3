import { defineConfig } from 'vitest/config';

const globalSetup = ['test/set-up.ts'];

/** These measure how long something takes: on no more workers than there are cores, after all others. */
const TIMED = [
  'test/e2e/completion/model.test.ts',
  'test/e2e/review/scale.test.ts',
  'test/e2e/server/stalls.test.ts',
  'test/e2e/shell/daemon-trouble.test.ts',
  'test/pty/ui/latency.test.ts',
];

/** Unit tests stand beside the code; `test/` holds what crosses a process or a terminal. */
export default defineConfig({
  test: {
    environment: 'node',
    // These end what hangs. A busy machine takes several times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', '{evals,scripts}/**/*.test.ts'],
          maxWorkers: 2,
          // No module keeps state, so test files can share those that a worker has loaded: half of the time.
          isolate: false,
          // As the program maps files: optimized, some grammars take all the memory there is.
          execArgv: ['--liftoff-only'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/full/**', ...TIMED],
          globalSetup,
          // More than there are cores: a file spends most of its time waiting for terminals and processes.
          maxWorkers: 8,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e-timed',
          include: TIMED,
          globalSetup,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'full',
          include: ['test/full/**/*.test.ts'],
          globalSetup,
          maxWorkers: 2,
          testTimeout: 600_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
