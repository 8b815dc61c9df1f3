import { defineConfig } from 'vitest/config';

const globalSetup = ['test/set-up.ts'];

/** Unit tests stand beside the code; `test/` holds what crosses a process or a terminal. */
export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          maxWorkers: 2,
          // No module keeps state, so test files can share those that a worker has loaded: half of the time.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/full/**'],
          globalSetup,
          // Twice the cores: most of these tests wait for a terminal or another process.
          maxWorkers: 4,
          isolate: false,
          sequence: { groupOrder: 1 },
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
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
