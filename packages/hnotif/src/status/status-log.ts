import type { Logger } from 'pino';
import { keyOf, type Notification } from '@hnotif/core/resources';
import type { NotificationState } from './notification-state.ts';
import type { SinkCheck } from './readiness-checks.ts';

/** The number of other instances that are logged at most: a user who may write statuses can invent names. */
const MOST_OTHERS = 100;

/** Logs the results of checks, and other writers of statuses. Each is logged once, until it changes. */
export class StatusLog {
  readonly #log: Logger;
  /** Other instances that write statuses, and were logged. */
  readonly #others = new Set<string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Sinks that are ready again, or not ready for another reason than at their last check; templates without effect. */
  changes(state: NotificationState, checks: ReadonlyMap<string, SinkCheck>): void {
    for (const [sink, check] of checks) {
      const known = state.sink(sink)?.check;
      const where = { notification: keyOf(state.notification), sink };
      if (!check.ok) {
        if (known?.ok !== false || known.message !== check.message)
          this.#log.warn({ ...where, reason: check.reason, detail: check.message }, 'sink is not ready');
        continue;
      }
      if (known?.ok === false) this.#log.info(where, 'sink is ready again');
      const { templateIgnored: detail } = check;
      if (detail !== undefined && (state.isNewGeneration || known?.ok !== true))
        this.#log.info({ ...where, detail }, 'custom template ignored');
    }
  }

  /** Two instances would overwrite each other's status again and again. The one that wrote it keeps it. */
  otherInstance(notification: Notification, instance: string): void {
    if (this.#others.has(instance) || this.#others.size >= MOST_OTHERS) return;
    this.#others.add(instance);
    this.#log.warn(
      { instance, notification: keyOf(notification) },
      'statuses are left to another instance, which serves the same notifications: each message is sent twice',
    );
  }
}
