/** Exit codes. */
export const EXIT = { ok: 0, failed: 1, usage: 2, noAccess: 3 } as const;

/** What each means, for users. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'success',
  failed: 'something failed, or a problem was found',
  usage: 'the command line is wrong',
  noAccess: 'the cluster could not be reached, or does not let you read what is needed',
};
