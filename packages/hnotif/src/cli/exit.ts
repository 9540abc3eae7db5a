/**
 * Exit codes. 1: something failed, or a problem was found. 2: the command line is wrong. 3: the cluster could not be reached, or does
 * not let the user read what the command needs.
 */
export const EXIT = { ok: 0, failed: 1, usage: 2, noAccess: 3 } as const;
