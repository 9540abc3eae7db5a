import {
  type Notification,
  sinkKey,
  type SinkAddress,
  type Suspension,
  suspensionAt,
} from '@hnotif/core/resources';
import type { Routes } from '@hnotif/core/routing';
import type { Cause } from '@hnotif/core/sinks';
import type { SinkWait } from '../dispatch/delivery.ts';
import type { Dispatcher, LeftSink } from '../dispatch/dispatcher.ts';
import type { Journals } from '../journal/journals.ts';

/** What other parts know of a notification when its status is made. */
export interface Facts {
  /** How many plans match. */
  readonly matched: number;
  /** Why no plan matches; undefined: one does, or it is not known. */
  readonly unmatched: string | undefined;
  /** Why a sink waits, by sink. */
  readonly waits: ReadonlyMap<string, SinkWait | undefined>;
  /** Why events cannot be derived from plans; undefined: they can, or it is not known yet. */
  readonly unserved: Cause | undefined;
  /** Why accepted events are not kept; undefined: they are. */
  readonly undurable: Cause | undefined;
  /** The suspension that holds now; undefined: it sends. */
  readonly suspension: Suspension | undefined;
  /** Whether plans have been listed, so that events are derived. */
  readonly isListed: boolean;
}

/** The parts that know it. */
export interface FactSources {
  /** The API server's time (milliseconds since the epoch), by which suspensions end. */
  readonly serverNow: () => number;
  readonly routes: Pick<Routes, 'matched' | 'unmatched'>;
  readonly dispatcher: Pick<Dispatcher, 'waitOf'>;
  readonly journals: Pick<Journals, 'problemIn'>;
  /** Whether all plans of a namespace have been listed, so that counts of matching plans are complete. */
  readonly isListed: (namespace: string) => boolean;
  /** Why no event can be derived from plans of a namespace; undefined: events can be derived. */
  readonly unservedIn: (namespace: string) => Cause | undefined;
}

/** Why deliveries wait that were on their way when the process stopped. */
const STOPPED: Cause = {
  reason: 'HnotifStopped',
  message: 'hnotif has stopped; the next process sends what waits',
};

/** Why sinks wait whose deliveries are left for the next process, by sink. */
export const leftWaits = (left: readonly LeftSink[]): ReadonlyMap<string, SinkWait> =>
  new Map(left.map(({ to, wait }) => [sinkKey(to), wait.kind === 'late' ? { ...wait, ...STOPPED } : wait]));

/** Until the plans are listed, a notification keeps the count that its status shows. `waitOf`: why a sink waits. */
export function factsOf(
  notification: Notification,
  { isListed: listed, journals, routes, serverNow, unservedIn }: FactSources,
  waitOf: (to: SinkAddress) => SinkWait | undefined,
): Facts {
  const { namespace, name, sinks, status } = notification;
  const isListed = listed(namespace);
  const matched = isListed ? routes.matched(namespace, name) : (status.matched ?? 0);
  return {
    isListed,
    matched,
    unmatched: isListed && matched === 0 ? routes.unmatched(namespace, name) : undefined,
    unserved: unservedIn(namespace),
    undurable: journals.problemIn(namespace),
    suspension: suspensionAt(notification, serverNow()),
    waits: new Map(sinks.map(({ name: sink }) => [sink, waitOf({ namespace, notification: name, sink })])),
  };
}
