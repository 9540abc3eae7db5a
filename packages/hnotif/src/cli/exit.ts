/** Exit codes: 1 for an error at run time, 2 for a wrong command line. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;
