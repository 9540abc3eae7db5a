import { isDeepStrictEqual } from 'node:util';
import {
  isInAny,
  type NamespaceScope,
  type Notification,
  sinkKey,
  type SinkAddress,
  suspensionAt,
} from '@hnotif/core/resources';
import type { Routes } from '@hnotif/core/routing';
import type { Cause } from '@hnotif/core/sinks';
import type { SinkWait } from '../dispatch/delivery.ts';
import type { Dispatcher, LeftSink } from '../dispatch/dispatcher.ts';
import type { Facts, NotificationState, Undurable } from './notification-state.ts';

export interface FactSourceOptions {
  /** The API server's time (milliseconds since the epoch), by which suspensions end. */
  readonly serverNow: () => number;
  readonly routes: Pick<Routes, 'matched' | 'unmatched'>;
  readonly dispatcher: Pick<Dispatcher, 'waitOf'>;
}

/** Why deliveries wait that were on their way when the process stopped. */
const STOPPED: Cause = {
  reason: 'HnotifStopped',
  message: 'hnotif has stopped; the next process sends what waits',
};

/** What a status shows and its notification does not know: what holds for whole namespaces, the matching plans, and why sinks wait. */
export class FactSource {
  readonly #options: FactSourceOptions;
  /** Why journals cannot be written, by namespace. */
  readonly #undurable = new Map<string, Undurable>();
  /** The namespaces (undefined: all) whose plans have been listed, so that counts of matching plans are complete. */
  readonly #listed = new Set<NamespaceScope>();
  /** The same, where no event can be derived. */
  readonly #unserved = new Map<NamespaceScope, Cause>();
  /** Why sinks wait whose deliveries are left for the next process; undefined: this one sends. */
  #left: ReadonlyMap<string, SinkWait> | undefined;

  constructor(options: FactSourceOptions) {
    this.#options = options;
  }

  undurableOf(namespace: string): Undurable {
    return this.#undurable.get(namespace);
  }

  durable(namespace: string, undurable: Undurable): void {
    if (undurable === undefined) this.#undurable.delete(namespace);
    else this.#undurable.set(namespace, undurable);
  }

  plansListed(scope: NamespaceScope): void {
    this.#listed.add(scope);
  }

  /** Returns whether this is news. */
  unserved(scope: NamespaceScope, why: Cause | undefined): boolean {
    if (isDeepStrictEqual(why, this.#unserved.get(scope))) return false;
    if (why === undefined) this.#unserved.delete(scope);
    else this.#unserved.set(scope, why);
    return true;
  }

  stopped(left: readonly LeftSink[]): void {
    this.#left = new Map(
      left.map(({ to, wait }) => [sinkKey(to), wait.kind === 'late' ? { ...wait, ...STOPPED } : wait]),
    );
  }

  /** Until the plans are listed, a notification keeps the count that its status shows. */
  of(state: NotificationState): Facts {
    const { notification } = state;
    const { namespace, name, status } = notification;
    const { routes, serverNow } = this.#options;
    const isListed = isInAny(this.#listed, namespace);
    const matched = isListed ? routes.matched(namespace, name) : (status.matched ?? 0);
    return {
      isListed,
      matched,
      unmatched: isListed && matched === 0 ? routes.unmatched(namespace, name) : undefined,
      unserved: this.#unserved.get(namespace) ?? this.#unserved.get(undefined),
      suspension: suspensionAt(notification, serverNow()),
      waits: new Map(
        notification.sinks.map(({ name: sink }) => [sink, this.#waitOf(notification, sink, state)]),
      ),
    };
  }

  #waitOf(
    { namespace, name: notification }: Notification,
    sink: string,
    state: NotificationState,
  ): SinkWait | undefined {
    const to: SinkAddress = { namespace, notification, sink };
    if (this.#left !== undefined) return this.#left.get(sinkKey(to));
    return this.#options.dispatcher.waitOf(to, state.sink(sink)?.wasParked);
  }
}
