import type { DeliveryRow } from '@hnotif/core/page';
import { describe, expect, it } from 'vitest';
import {
  type Condition,
  type Notification,
  ParseError,
  type SinkStatus,
  type Plan,
} from '@hnotif/core/resources';
import { aNotification } from '../../../core/src/testing/notifications.ts';
import { aPlan } from '../../../core/src/testing/plans.ts';
import type { Facts } from './facts.ts';
import { findingsOf } from './findings.ts';

const NOW = Date.parse('2026-01-05T20:00:00Z');
const SERVING = { state: 'serving', message: 'served' } as const;

const condition = (type: string, status: Condition['status'], reason: string): Condition => ({
  ...{ type, status, reason, message: `because of ${reason}`, observedGeneration: 1 },
  lastTransitionTime: '2026-01-05T19:00:00Z',
});

function notification(
  sinks: readonly Partial<SinkStatus>[],
  ready = condition('Ready', 'True', 'SinksReady'),
) {
  return aNotification({
    name: 'n',
    onEvents: ['Start'],
    status: {
      observedGeneration: 1,
      conditions: [ready],
      sinks: sinks.map((row, i) => ({ name: `s${i}`, consecutiveFailures: 0, ...row })),
    },
  });
}

function found(
  notifications: readonly Notification[],
  more: Partial<Facts> = {},
  deliveries: readonly DeliveryRow[] = [],
): readonly string[] {
  const plan = aPlan({ name: 'orders' });
  const facts: Facts = {
    ...{ namespace: 'team-a', now: NOW, leader: SERVING, notifications, asked: undefined },
    ...{ plans: [plan], shown: [{ plan, journal: undefined }] },
    ...more,
  };
  return findingsOf(facts, deliveries).map(
    ({ severity, sink, reason, message }) => `${severity} ${sink} ${reason}: ${message}`,
  );
}

const waits = (at: string): DeliveryRow => ({
  ...{ plan: 'orders', seq: 1, event: 'Start', notification: 'n', sink: 's0', state: 'waiting', count: 1 },
  ...{ at, why: '' },
});

describe('findings', () => {
  it('there are none where everything is as it should be', () => {
    expect(found([notification([{ lastSuccess: '2026-01-05T19:59:00Z' }])])).toEqual([]);
  });

  it('a notification that cannot be read is an error, with the field and the remedy', () => {
    const why = 'spec.muteSchedule[0].location: expected a time zone, found "Europe/Pariss"';
    const invalid = [new ParseError('HibernateNotification', 'team-a/n', [why])];
    expect(found([], { invalid })).toEqual([
      `error  Unreadable: it cannot be read, so hnotif ignores this version of it: ${why}; correct it, hnotif validate examines a file`,
    ]);
  });

  it('the worst comes first; what waits for a correction is an error', () => {
    const parked = {
      state: 'Parked',
      waiting: 2,
      reason: 'Unauthorized',
      message: 'correct the token',
    } as const;
    const behind = { state: 'Behind', waiting: 9, reason: 'RateLimited', message: 'slow' } as const;
    const ready = condition('Ready', 'False', 'Unauthorized');
    expect(found([notification([behind, { ...parked, nextTry: '2026-01-05T20:00:40Z' }], ready)])).toEqual([
      'error s1 Unauthorized: parked, 2 wait, next try in 40 s: correct the token',
      'waiting s0 RateLimited: behind, 9 wait: slow',
    ]);
  });

  it('a notification that nobody has looked at says so, and why that may be', () => {
    const blank = aNotification({ name: 'n', onEvents: ['Start'] });
    expect(found([blank])).toEqual([expect.stringContaining('add its namespace to --watch-namespaces')]);
    const leader = { state: 'inactive', message: '' } as const;
    expect(found([blank], { leader })).toEqual([expect.stringContaining('install or start hnotif')]);
    const old = { ...notification([]), generation: 3 };
    expect(found([old], { leader })).toEqual([
      'warning  ChangeNotSeen: its last change was not seen yet (generation 3, seen 1): no instance is active',
    ]);
  });

  it('several sinks that are not ready are shown by their rows alone, whatever the condition says', () => {
    const rows = [
      { reason: 'SecretMissing', message: 'create it' },
      { reason: 'ConfigInvalid', message: 'url: required' },
    ];
    expect(found([notification(rows, condition('Ready', 'False', 'SinksNotReady'))])).toEqual([
      'error s0 SecretMissing: create it',
      'error s1 ConfigInvalid: url: required',
    ]);
  });

  it('problems that no sink has come from the conditions', () => {
    const broken = notification([{}], condition('Ready', 'False', 'PlansNotFollowed'));
    const undurable = {
      ...broken,
      status: { ...broken.status, conditions: [condition('Durable', 'False', 'Forbidden')] },
    };
    expect(found([broken], { plans: 'you may not list plans' })).toEqual([
      'error  PlansNotFollowed: because of PlansNotFollowed',
    ]);
    expect(found([undurable])).toContainEqual('warning  Forbidden: because of Forbidden');
    expect(found([notification([{}], condition('Ready', 'True', 'MessagesDegraded'))])).toEqual([
      'warning  MessagesDegraded: because of MessagesDegraded',
    ]);
  });

  it('a suspension is shown, also while deliveries wait, and so are messages in another form', () => {
    const suspension = { until: NOW + 3_600_000, reason: 'migration' };
    const ready = condition('Ready', 'True', 'Suspended');
    const held = { state: 'Parked', waiting: 8, reason: 'ServerError', message: 'HTTP 500' } as const;
    const what = 'suspended until 2026-01-05T21:00:00Z (migration): new deliveries are dropped';
    expect(found([{ ...notification([{}], ready), suspension }])).toEqual([`note  Suspended: ${what}`]);
    expect(found([{ ...notification([held], ready), suspension }])).toEqual([
      'waiting s0 ServerError: parked, 8 wait: HTTP 500',
      `warning  Suspended: ${what}`,
    ]);
    const over = { ...notification([{}], ready), suspension: { ...suspension, until: NOW } };
    expect(found([over])).toEqual([]);
    const lost = { dropped: [{ reason: 'expired', count: 1, last: '2026-01-05T19:00:00Z' }] };
    expect(found([notification([lost], condition('Ready', 'True', 'MessagesDegraded'))])).toContain(
      'warning  MessagesDegraded: because of MessagesDegraded',
    );
  });

  it('what was lost is told with its reason in words', () => {
    const row = { dropped: [{ reason: 'overflow', count: 3, last: '2026-01-05T19:58:00Z' }] };
    expect(found([notification([row])])).toEqual([
      expect.stringMatching(
        /^warning s0 overflow: 3 deliveries were lost, the last 2 min ago .*hnotif replay may send them.*The stream/,
      ),
    ]);
  });

  it('a selector is compared with the plan that was asked for, else with all', () => {
    const shop: Plan = aPlan({ name: 'shop', labels: { team: 'shop' } });
    const selector = { matchLabels: { team: 'shop' }, matchExpressions: [] };
    const mine = { ...notification([{}]), selector };
    const orders = aPlan({ name: 'orders' });
    const plans = [shop, orders];
    expect(found([mine], { plans })).toEqual([]);
    const asked = { plans, asked: 'plan', shown: [{ plan: orders, journal: undefined }] } as const;
    expect(found([mine], asked)).toEqual([expect.stringMatching(/^note {2}NotSelected: no plan matches/)]);
    expect(found([mine], { plans: [orders] })).toEqual([
      expect.stringMatching(/^error {2}NoPlanMatches: no plan matches/),
    ]);
  });

  it('what waits in a journal is told once it waits for more than a moment, unless the status says it', () => {
    const well = notification([{}]);
    expect(found([well], {}, [waits('2026-01-05T19:59:58Z')])).toEqual([]);
    expect(found([well], {}, [waits('2026-01-05T19:59:00Z'), waits('2026-01-05T19:59:30Z')])).toEqual([
      'waiting s0 InJournal: 2 deliveries wait in the journal since 2026-01-05T19:59:00Z: look again in some seconds',
    ]);
    const late = notification([{ state: 'Late', waiting: 1, reason: 'ReceiverSlow', message: 'slow' }]);
    expect(found([late], {}, [waits('2026-01-05T19:59:00Z')])).toHaveLength(1);
  });

  it('a loss is told before the status tells it, unless a message has arrived since', () => {
    const well = notification([{}]);
    const lost: DeliveryRow = { ...waits('2026-01-05T19:59:58Z'), state: 'failed', why: 'PayloadRefused' };
    const arrived: DeliveryRow = { ...lost, state: 'delivered', why: '', at: '2026-01-05T19:59:59Z' };
    expect(found([well], {}, [lost])).toEqual([
      expect.stringMatching(/^warning s0 PayloadRefused: 1 delivery was lost, the last 2 s ago/),
    ]);
    expect(found([well], {}, [lost, arrived])).toEqual([]);
    expect(found([well], {}, [{ ...lost, state: 'dropped', why: 'unsubscribed' }])).toEqual([]);
    const told = notification([{ dropped: [{ reason: 'PayloadRefused', count: 1, last: lost.at }] }]);
    expect(found([told], {}, [lost])).toHaveLength(1);
  });
});
