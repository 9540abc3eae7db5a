import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './packages/core/src/testing/patience.ts';

/** They build the site, and check a copy of the workspace: too long for a test of each change, and for the end of a run, where small files are. */
const LONG = ['scripts/{site,adding-a-sink}.test.ts'];

/** They replace modules, or the environment of their process. */
const ISOLATED = ['packages/hnotif/e2e/{egress,redaction-*,troubleshooting}.test.ts'];

const shared = {
  // The only limit of a test, and generous on purpose: no test measures time, and a loaded machine must not turn a pass into a failure.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  setupFiles: 'scripts/test-file.ts',
  // Many tests wait at the same time: to look ten times a second leaves the CPU to what they wait for.
  expect: { poll: { timeout: PATIENCE_MS, interval: 100 } },
};

export default defineConfig({
  test: {
    // Most of a front-door test is waiting: with four workers a quarter of two cores was idle.
    maxWorkers: Math.max(6, availableParallelism() - 1),
    // Here, and not in what the projects share: it would be run for each of them.
    globalSetup: 'scripts/test-setup.ts',
    teardownTimeout: 20_000,
    // They are run in the order of their names: a file of `apart` is one of the longest.
    projects: [
      {
        // Their modules are loaded once a worker: half of the time of a unit test was loading.
        test: {
          ...shared,
          name: 'unit',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          exclude: LONG,
          pool: 'threads',
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['packages/*/{test,e2e}/**/*.test.ts', ...LONG],
          exclude: ISOLATED,
          pool: 'forks',
          isolate: false,
        },
      },
      { test: { ...shared, name: 'apart', include: ISOLATED, pool: 'forks' } },
    ],
  },
});
