import { describe, expect, it } from 'vitest';
import { STALL_KINDS, type Stall, type StallKind } from '../dispatch/delivery.ts';
import type { Condition, Notification } from '../resources/notification.ts';
import { durableCondition, isFine, readyCondition, statusOf, type LastFailure } from './conditions.ts';
import type { SinkCheck } from './readiness-checks.ts';

const now = Date.UTC(2026, 0, 5, 20, 0, 0, 123);

const notification = (more: Partial<Notification> = {}): Notification => ({
  namespace: 'team-a',
  name: 'night',
  uid: 'n1',
  resourceVersion: '7',
  generation: 4,
  selector: { matchLabels: {}, matchExpressions: [] },
  onEvents: ['Start'],
  sinks: ['ops', 'audit'].map((name) => ({
    name,
    type: 'webhook' as const,
    secretRef: { name },
    templateRef: undefined,
  })),
  status: {},
  ...more,
});

const silent = {
  notices: () => [],
  failure: () => undefined,
  stall: () => undefined,
  unmatched: undefined,
  unserved: undefined,
};
const stalled = (kind: StallKind, more: Partial<Stall> = {}): Stall => ({
  ...{
    kind,
    reason: 'Why',
    message: 'do this',
    since: now,
    nextAt: now + 60_000,
    waiting: 3,
    lasting: false,
  },
  ...more,
});
const ready = (checks: Record<string, SinkCheck>, before?: Condition) =>
  readyCondition(notification(), new Map(Object.entries(checks)), silent, before, now);

const fine: SinkCheck = { ok: true, notes: [], faults: [] };
const missing: SinkCheck = { ok: false, reason: 'SecretMissing', message: 'create the secret' };

const DURABLE = durableCondition(notification(), undefined, undefined, Date.UTC(2026, 0, 5, 20));

describe('the Durable condition', () => {
  it('says why what waits would be lost, and since when', () => {
    const trouble = { reason: 'Forbidden', message: 'no right to create journals' };
    const later = Date.UTC(2026, 0, 5, 21);
    const lost = durableCondition(notification(), trouble, DURABLE, later);
    expect(lost).toEqual({
      type: 'Durable',
      status: 'False',
      reason: 'Forbidden',
      message: 'no right to create journals',
      lastTransitionTime: '2026-01-05T21:00:00Z',
      observedGeneration: 4,
    });
    expect(durableCondition(notification(), undefined, DURABLE, later)).toEqual(DURABLE);
  });
});

describe('the status of a notification', () => {
  it('shows 0 matched plans, not a blank, and every sink, before anything was delivered', () => {
    const standing = {
      notification: notification(),
      matched: 0,
      ready: undefined,
      durable: DURABLE,
      observedAt: '2026-01-05T20:00:00Z',
      sinks: new Map(),
      losses: new Map(),
      checks: new Map(),
      stall: () => undefined,
    };
    expect(statusOf(standing)).toEqual({
      matched: 0,
      sinks: [
        { name: 'ops', consecutiveFailures: 0 },
        { name: 'audit', consecutiveFailures: 0 },
      ],
    });
  });

  it('names the generation that was looked at, not one that nobody has looked at yet', () => {
    const looked = ready({
      ops: { ok: true, notes: [], faults: [] },
      audit: { ok: true, notes: [], faults: [] },
    });
    const status = statusOf({
      notification: notification({ generation: 5 }),
      matched: 1,
      ready: looked,
      durable: DURABLE,
      observedAt: '2026-01-05T20:00:00Z',
      sinks: new Map(),
      losses: new Map(),
      checks: new Map(),
      stall: (sink) => (sink === 'ops' ? stalled('behind') : undefined),
    });
    expect(status).toMatchObject({ waiting: 3, observedAt: '2026-01-05T20:00:00Z' });
    expect(status.observedGeneration).toBe(4);
    expect(status.conditions).toEqual([looked, DURABLE]);
  });

  it('is Ready when every sink is, and names what was ignored', () => {
    expect(
      ready({ ops: { ok: true, notes: ['unknown field x is ignored'], faults: [] }, audit: fine }),
    ).toEqual({
      type: 'Ready',
      status: 'True',
      reason: 'SinksReady',
      message: 'all 2 sinks are ready; sink ops: unknown field x is ignored',
      lastTransitionTime: '2026-01-05T20:00:00Z',
      observedGeneration: 4,
    });
  });

  it('names them also where another sink is not ready: somebody is at work on it just then', () => {
    const { status, message } = ready({
      ops: { ok: true, notes: ['field x is not known'], faults: [] },
      audit: missing,
    });
    expect([status, message]).toEqual([
      'False',
      '1 of 2 sinks is not ready: sink audit: create the secret; sink ops: field x is not known',
    ]);
  });

  it('is not Ready when one sink is not, with its reason and what to do', () => {
    expect(ready({ ops: fine, audit: missing })).toMatchObject({
      status: 'False',
      reason: 'SecretMissing',
      message: '1 of 2 sinks is not ready: sink audit: create the secret',
    });
    const invalid: SinkCheck = { ok: false, reason: 'ConfigInvalid', message: 'url: required' };
    expect(ready({ ops: invalid, audit: missing }).reason).toBe('SinksNotReady');
  });

  it('begins with how many sinks are not ready, and calls none of them ready that fails', () => {
    const failure = (sink: string): LastFailure | undefined =>
      sink === 'ops' ? { reason: 'Timeout', message: 'no answer in time', lasting: false } : undefined;
    const told = (checks: Record<string, SinkCheck>) =>
      readyCondition(notification(), new Map(Object.entries(checks)), { ...silent, failure }, undefined, now);
    expect(told({ ops: fine, audit: fine })).toMatchObject({
      ...{ status: 'True', reason: 'DeliveriesFailing' },
      message: '1 of 2 sinks is failing: sink ops: no answer in time',
    });
    expect(told({ ops: fine, audit: missing })).toMatchObject({
      ...{ status: 'False', reason: 'SecretMissing' },
      message:
        '1 of 2 sinks is not ready: sink audit: create the secret; 1 of 2 sinks is failing: sink ops: no answer in time',
    });
    expect(ready({ ops: missing, audit: missing }).message).toMatch(
      /^2 of 2 sinks are not ready: sink ops: /,
    );
  });

  it('is never all there is to say while something waits, whatever for; what lasts is not ready', () => {
    const told = (stall: Stall) => {
      const of = { ...silent, stall: (sink: string) => (sink === 'ops' ? stall : undefined) };
      const all = new Map(Object.entries({ ops: fine, audit: fine }));
      const { status, reason, message } = readyCondition(notification(), all, of, undefined, now);
      return [status, reason, message];
    };
    const since = '3 deliveries wait since 2026-01-05T20:00:00Z';
    const due = 'the next try is due at 2026-01-05T20:01:00Z';
    expect(STALL_KINDS.map((kind) => told(stalled(kind)))).toEqual([
      ['True', 'DeliveriesLate', `1 of 2 sinks is late: sink ops: ${since}; ${due}; do this`],
      [
        'True',
        'RateLimited',
        `1 of 2 sinks is behind: sink ops: ${since}, until about 2026-01-05T20:01:00Z; do this`,
      ],
      ['True', 'Why', `1 of 2 sinks is waiting: sink ops: ${since}; ${due}; do this`],
      [
        'True',
        'Throttled',
        `1 of 2 sinks is throttled: sink ops: ${since}; the receiver asks to wait, and nothing is sent before 2026-01-05T20:01:00Z; do this`,
      ],
      [
        'True',
        'DeliveriesFailing',
        `1 of 2 sinks is failing: sink ops: 3 deliveries wait while others arrive; ${due}; do this`,
      ],
      ['True', 'DeliveriesFailing', `1 of 2 sinks is failing: sink ops: ${since}; ${due}; do this`],
      ['True', 'DeliveriesFailing', `1 of 2 sinks is failing: sink ops: ${since}; ${due}; do this`],
    ]);
    expect(told(stalled('parked', { lasting: true }))).toEqual([
      'False',
      'Why',
      `1 of 2 sinks is not ready: sink ops: ${since}; ${due}; do this`,
    ]);
    expect(told(stalled('late', { nextAt: 0 }))[2]).toBe(`1 of 2 sinks is late: sink ops: ${since}; do this`);
  });

  it('says why no plan matches, and is not ready where no event is derived at all', () => {
    const told = (more: object) =>
      readyCondition(
        notification(),
        new Map(Object.entries({ ops: fine, audit: fine })),
        { ...silent, ...more },
        undefined,
        now,
      );
    const unmatched = 'no plan matches: the namespace has none';
    expect(told({ unmatched })).toMatchObject({
      ...{ status: 'True', reason: 'NoPlanMatches', message: `all 2 sinks are ready; ${unmatched}` },
    });
    expect(isFine(told({ unmatched }))).toBe(true);
    const unserved = { reason: 'PlansNotFollowed', message: 'no event is derived' };
    expect(told({ unserved, unmatched })).toMatchObject({
      ...{ status: 'False', reason: 'PlansNotFollowed', message: `no event is derived; ${unmatched}` },
    });
  });

  it('keeps the transition time while the condition’s status is the same', () => {
    const condition: Condition = {
      type: 'Ready',
      status: 'False',
      lastTransitionTime: '2026-01-01T00:00:00Z',
      observedGeneration: 3,
      reason: 'ConfigInvalid',
      message: '',
    };
    expect(ready({ ops: fine, audit: missing }, condition).lastTransitionTime).toBe('2026-01-01T00:00:00Z');
    expect(ready({ ops: fine, audit: fine }, condition).lastTransitionTime).toBe('2026-01-05T20:00:00Z');
  });

  it('has a message of bounded length, however much there is to say, cut between characters', () => {
    const notes = Array.from({ length: 200_000 }, () => '😀');
    const { message } = ready({ ops: { ok: true, notes, faults: [] }, audit: fine });
    expect(message.length).toBeLessThanOrEqual(4_000);
    expect(message).toMatch(/… \(shortened\)$/);
    expect(message).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    const fault: SinkCheck = { ok: false, reason: 'ConfigInvalid', message: 'x'.repeat(100_000) };
    expect(ready({ ops: fault, audit: fine }).message.length).toBeLessThanOrEqual(4_000);
  });
});
