import type { Settlement } from '../dispatch/delivery.ts';
import type { LifecycleEvent } from '@hnotif/core/lifecycle';
import { anEvent } from '../../../core/src/testing/events.ts';
import { aPlan } from '../../../core/src/testing/plans.ts';

/** How one delivery ended. */
export const aSettlement = ({
  event = anEvent('Start', 1),
  ...more
}: Partial<Omit<Settlement, 'event' | 'events'>> & { event?: LifecycleEvent } = {}): Settlement => ({
  to: { namespace: 'team-a', notification: 'night', sink: 'ops' },
  sinkType: 'webhook',
  plan: { current: aPlan() },
  result: 'delivered',
  reason: '',
  message: '',
  requestCount: 1,
  isDegraded: false,
  delayMs: 1,
  ...more,
  event,
  events: [{ ...event, since: 0, open: 0 }],
});
