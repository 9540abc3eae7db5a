/** Exit codes: 0 done; 1 it failed at run time; 2 the command line was wrong. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;
