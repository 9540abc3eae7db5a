import { JOURNAL_VERSION } from '@hnotif/core/resources';

const OBSERVED = {
  ...{ rv: '1', phase: 'Active', cycle: '', operation: '', retryCount: 0, lastRetryTime: '' },
  ...{ lastTransitionTime: '', errorMessage: '', recorded: '', run: 0, open: false, failed: false },
  ...{ errorSince: 0, seq: 0, targets: [] },
};

/** A journal as the API server has it, without deliveries that wait. `gens`: of its entries, by the uid of the plan. */
export const rawJournal = (
  name: string,
  resourceVersion: number,
  gens: Record<string, number>,
  { term = 1, namespace = 'team-a', epoch = 'e' } = {},
): object => ({
  metadata: { namespace, name, uid: name, resourceVersion: String(resourceVersion) },
  spec: {
    ...{ instance: 'hnotif', version: JOURNAL_VERSION, gen: resourceVersion, writer: { holder: 'h', term } },
    plans: Object.fromEntries(
      Object.entries(gens).map(([uid, gen]) => [
        uid,
        { name: uid, gen, waiting: 0, observed: JSON.stringify({ epoch, ...OBSERVED }) },
      ]),
    ),
  },
});
