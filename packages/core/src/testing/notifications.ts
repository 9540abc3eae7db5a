import type { Notification } from '../resources/notification.ts';

/** A notification for tests: all plans, all failures, one webhook. */
export function aNotification(more: Partial<Notification> = {}): Notification {
  return {
    namespace: 'team-a',
    name: 'all',
    uid: 'uid-n1',
    resourceVersion: '1',
    generation: 1,
    selector: { matchLabels: {}, matchExpressions: [] },
    onEvents: ['Failure'],
    sinks: [{ name: 'ops', type: 'webhook', secretRef: { name: 'ops' }, templateRef: undefined }],
    status: {},
    ...more,
  };
}
