import type { Submission } from '../dispatch/delivery.ts';
import type { Journals } from '../journal/journals.ts';

/** Journals that keep nothing and hand over at once. */
export const noJournals = (
  submit: (submission: Submission) => void,
): Pick<Journals, 'remembered' | 'begin' | 'accept' | 'has' | 'written' | 'deleted'> => ({
  remembered: () => ({ kind: 'nothing' }),
  begin: () => undefined,
  has: () => false,
  written: () => Promise.resolve(),
  deleted: () => undefined,
  accept(plan, observed, events) {
    const { namespace } = plan.current;
    for (const { event, to } of events)
      for (const { notification, sink, type } of to)
        submit({ to: { namespace, notification, sink }, sinkType: type, event, plan });
    return observed;
  },
});
