import { describe, expect, it } from 'vitest';
import type { Notification } from '@hnotif/core/resources';
import { Routes } from '@hnotif/core/routing';
import { aNotification } from '../../../core/src/testing/notifications.ts';
import { notificationChanges } from './changes.ts';

function rig({ listed = true } = {}) {
  const told: string[] = [];
  const parts: Parameters<typeof notificationChanges>[0] = {
    watches: { isListed: () => listed },
    routes: new Routes(),
    sinks: { forget: ({ sink }) => told.push(`forgotten ${sink}`) },
    statusTracker: { set: () => undefined, delete: () => undefined, rematched: () => undefined },
    dispatcher: { configurationChanged: ({ sink }) => told.push(`renewed ${sink}`) },
    intake: {
      changed: () => undefined,
      deleted: () => undefined,
      subscribed: ({ namespace }) => told.push(`subscribed ${namespace}`),
    },
    gracePeriods: {
      left: ({ sink }) => told.push(`left ${sink}`),
      back: ({ sink }) => told.push(`back ${sink}`),
    },
    replays: { changed: () => undefined, deleted: () => undefined },
  };
  const changes = notificationChanges(parts);
  const tell = (notification: Notification, previous?: Notification): readonly string[] => {
    told.length = 0;
    changes.changed(notification, previous);
    return [...told];
  };
  return { changes, tell, told };
}

const [OPS] = aNotification().sinks;
const sinks = [OPS!, { ...OPS!, name: 'audit' }];
const before = aNotification({ sinks });

describe('a notification', () => {
  it('gives its plans journals when it is new or its spec changes, but not when its status changes', () => {
    const { tell } = rig();
    expect(tell(before)).toContain('subscribed team-a');
    expect(tell({ ...before, generation: 2, onEvents: ['Start'] }, before)).toContain('subscribed team-a');
    expect(tell({ ...before, status: { matched: 3 } }, before)).not.toContain('subscribed team-a');
  });

  it('of the first list gives no journals: plans are listed later', () => {
    expect(rig({ listed: false }).tell(before)).not.toContain('subscribed team-a');
  });

  it('sends again at once to a changed sink, and starts the grace period of a removed one', () => {
    const other = { ...OPS!, secretRef: { name: 'other' } };
    expect(rig().tell({ ...before, generation: 2, sinks: [other] }, before)).toEqual([
      'back ops',
      'forgotten audit',
      'left audit',
      'renewed ops',
      'subscribed team-a',
    ]);
  });

  it('that is no longer suspended, or only until another time, sends again at once', () => {
    const suspension = { until: undefined, reason: '' };
    const suspended = { ...before, generation: 2, suspension };
    expect(rig().tell(suspended, before)).not.toContain('renewed ops');
    expect(rig().tell(suspended, suspended)).not.toContain('renewed ops');
    expect(rig().tell({ ...before, generation: 3 }, suspended)).toContain('renewed ops');
    expect(rig().tell({ ...suspended, suspension: { ...suspension, until: 1 } }, suspended)).toContain(
      'renewed ops',
    );
  });

  it('that is deleted starts the grace periods of all its sinks', () => {
    const { changes, told } = rig();
    changes.deleted(before);
    expect(told).toEqual(['forgotten ops', 'left ops', 'forgotten audit', 'left audit']);
  });
});
