import type { DeliveryRow } from '@hnotif/core/page';
import { Action } from './action.tsx';

/** Whether one of them did not arrive, and does not wait any more. */
export const isLost = (deliveries: readonly DeliveryRow[]): boolean =>
  deliveries.some(({ state }) => state === 'failed' || state === 'dropped');

/** What the user may not do is named, in place of the button. */
export const NotAllowed = ({ what, why = '' }: { readonly what: string; readonly why: string | undefined }) =>
  why === '' ? null : (
    <p class="faint">
      {what}: {why}.
    </p>
  );

interface ReplayProps {
  readonly deliveries: readonly DeliveryRow[];
  readonly namespace: string;
  readonly plan: string;
  /** Why the user may not; `''`: they may. Undefined: that is not known yet. */
  readonly why: string | undefined;
}

/** The button that sends the lost deliveries of a plan again, if there are any. */
export function Replay({ deliveries, namespace, plan, why }: ReplayProps) {
  const isOffered = isLost(deliveries);
  if (why !== '')
    return isOffered ? <NotAllowed what="Nothing can be sent again from here" why={why} /> : null;
  return (
    <p>
      <Action
        isOffered={isOffered}
        request={{ action: 'replay', namespace, plan }}
        label="Replay lost deliveries"
        meaning={`hnotif sends what failed or was dropped of plan ${plan} once more, to all its sinks, under the same ids.`}
      />
    </p>
  );
}
