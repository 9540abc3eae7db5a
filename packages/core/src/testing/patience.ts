/**
 * The limit of every wait of a test (milliseconds). It is less than vitest's for a test (vitest.config.ts): so a wait that is in vain says
 * what it waited for.
 */
export const PATIENCE_MS = 480_000;
