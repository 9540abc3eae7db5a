import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'forks',
    // Most of a front-door test is waiting: on two cores two workers would leave the machine idle at times.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    globalSetup: 'scripts/test-setup.ts',
    include: ['packages/*/{src,test,e2e}/**/*.test.ts', 'scripts/**/*.test.ts'],
    // Generous on purpose: no test measures time, and a loaded machine must not turn a pass into a failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
