import type { Destination } from '../dispatch/delivery.ts';
import type { Journals } from '../journal/journals.ts';
import { type LifecycleEvent, idOf } from '@hnotif/core/lifecycle';

/** An event for one sink. */
export interface Accepted extends Destination {
  readonly event: LifecycleEvent;
}

/** Journals that store nothing and release events at once. */
export const noJournals = (
  accepted: (accepted: Accepted) => void,
): Pick<Journals, 'recall' | 'begin' | 'accept' | 'of' | 'deleted'> => ({
  recall: () => ({ kind: 'nothing' }),
  begin: () => undefined,
  of: () => undefined,
  deleted: () => undefined,
  accept(plan, _, events) {
    const { namespace } = plan.current;
    for (const { event, to } of events)
      for (const { notification, sink, type } of to)
        accepted({
          to: { namespace, notification, sink },
          sinkType: type,
          event: { ...event, id: event.id ?? idOf(event) },
          plan,
        });
  },
});
