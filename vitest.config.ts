import { defineConfig } from 'vitest/config';

/** Unit tests stand beside the code; `test/` holds what crosses a process or a terminal. */
export default defineConfig({
  test: {
    environment: 'node',
    // Two cores: real tmux servers and shells under test starve each other beyond that.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'e2e', include: ['test/**/*.test.{ts,tsx}'], exclude: ['test/full/**'] },
      },
      { extends: true, test: { name: 'full', include: ['test/full/**/*.test.ts'], testTimeout: 600_000 } },
    ],
  },
});
