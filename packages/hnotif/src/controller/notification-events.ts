import type { EventRecorder, Regarding } from '../cluster/event-recorder.ts';
import type { Reflector } from '../cluster/reflector.ts';
import {
  API_VERSION,
  type ResourceType,
  type Notification,
  type Plan,
  type SinkAddress,
} from '@hnotif/core/resources';

interface NotificationEventsOptions {
  readonly recorder: Pick<EventRecorder, 'warn' | 'inform'>;
  readonly notifications: Pick<Reflector<Notification>, 'get'>;
  readonly apiGroup: string;
  readonly planResource: ResourceType;
}

/** Begins with the name of the sink, if it is about one. */
const aboutSink = ({ sink }: SinkAddress, message: string): string =>
  sink === '' ? message : `sink ${sink}: ${message}`;

/** Kubernetes Events of notifications, and of plans. */
export class NotificationEvents {
  readonly #options: NotificationEventsOptions;

  constructor(options: NotificationEventsOptions) {
    this.#options = options;
  }

  /** A Warning about a sink. Those of one sink, reason and `cause` make one Event. */
  warn(to: SinkAddress, reason: string, message: string, cause: string): void {
    const regarding = this.#regarding(to);
    if (regarding !== undefined)
      this.#options.recorder.warn(regarding, reason, aboutSink(to, message), `${to.sink}/${cause}`);
  }

  /** The end of what a Warning was about. */
  inform(to: SinkAddress, reason: string, message: string): void {
    const regarding = this.#regarding(to);
    if (regarding !== undefined) this.#options.recorder.inform(regarding, reason, message, to.sink);
  }

  warnPlan({ namespace, name, uid }: Plan, reason: string, message: string): void {
    const { planResource, recorder } = this.#options;
    const apiVersion = `${planResource.group}/${planResource.version}`;
    recorder.warn({ apiVersion, kind: 'HibernatePlan', namespace, name, uid }, reason, message);
  }

  #regarding({ namespace, notification: name }: SinkAddress): Regarding | undefined {
    const { apiGroup, notifications } = this.#options;
    const uid = notifications.get(namespace, name)?.uid;
    const apiVersion = `${apiGroup}/${API_VERSION}`;
    return uid === undefined ? uid : { apiVersion, kind: 'HibernateNotification', namespace, name, uid };
  }
}
