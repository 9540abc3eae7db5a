import type { Degradation } from '@hnotif/core/sinks';
import { describe, expect, it } from 'vitest';
import { WAIT_KINDS, type SinkWait, type WaitKind } from '../dispatch/delivery.ts';
import type { Condition } from '@hnotif/core/resources';
import {
  durableCondition,
  isFine,
  readyCondition,
  type LastFailure,
  type ReadyFacts,
  type SinkFacts,
} from './conditions.ts';
import type { SinkCheck } from './readiness-checks.ts';

const now = Date.UTC(2026, 0, 5, 20, 0, 0, 123);

const sinksOf = (checks: Record<string, SinkCheck>): SinkFacts[] =>
  Object.entries(checks).map(([name, check]) => ({ name, check }));

/** The condition of generation 4. */
const judge = (sinks: SinkFacts[], more: Partial<ReadyFacts> = {}, before?: Condition): Condition =>
  readyCondition({ sinks, unmatched: undefined, unserved: undefined, ...more }, 4, before, now);

const stalled = (kind: WaitKind, more: Partial<SinkWait> = {}): SinkWait => ({
  ...{
    kind,
    reason: 'Cause',
    message: 'do this',
    since: now,
    nextAt: now + 60_000,
    waiting: 3,
    lasting: false,
  },
  ...more,
});
const ready = (checks: Record<string, SinkCheck>, before?: Condition) => judge(sinksOf(checks), {}, before);

const fine: SinkCheck = { ok: true, notes: [], faults: [] };
const missing: SinkCheck = { ok: false, reason: 'SecretMissing', message: 'create the secret' };

const DURABLE = durableCondition(4, undefined, undefined, Date.UTC(2026, 0, 5, 20));

describe('the Durable condition', () => {
  it('says why waiting deliveries would be lost, and since when', () => {
    const trouble = { reason: 'Forbidden', message: 'no right to create journals' };
    const later = Date.UTC(2026, 0, 5, 21);
    const lost = durableCondition(4, trouble, DURABLE, later);
    expect(lost).toEqual({
      type: 'Durable',
      status: 'False',
      reason: 'Forbidden',
      message: 'no right to create journals',
      lastTransitionTime: '2026-01-05T21:00:00Z',
      observedGeneration: 4,
    });
    expect(durableCondition(4, undefined, DURABLE, later)).toEqual(DURABLE);
  });
});

describe('the Ready condition', () => {
  it('is True when every sink is ready, and names settings without effect', () => {
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

  it('tells a fault of a message once, also if the check of the template has found it', () => {
    const message = 'template t/k: Slack would refuse it: /blocks/1: is a second table';
    const doubt = `${message}; the preset layout would be sent (tried with an example)`;
    const check: SinkCheck = {
      ...{ ok: true, notes: [] },
      faults: [{ reason: 'TemplateDoubtful', message: doubt }],
    };
    const said = (degradations: readonly Degradation[]) =>
      judge(sinksOf({ ops: check }).map((sink) => ({ ...sink, degradations }))).message;
    expect(said([])).toBe(`the sink is ready; sink ops: ${doubt}`);
    expect(said([{ reason: 'BlocksInvalid', message: `${message}; the preset layout was sent` }])).toBe(
      `the sink is ready; sink ops: ${message}; the preset layout was sent`,
    );
  });

  it('names settings without effect also when another sink is not ready', () => {
    const { status, message } = ready({
      ops: { ok: true, notes: ['field x is not known'], faults: [] },
      audit: missing,
    });
    expect([status, message]).toEqual([
      'False',
      '1 of 2 sinks is not ready: sink audit: create the secret; sink ops: field x is not known',
    ]);
  });

  it('is False when one sink is not ready, with its reason and what to do', () => {
    expect(ready({ ops: fine, audit: missing })).toMatchObject({
      status: 'False',
      reason: 'SecretMissing',
      message: '1 of 2 sinks is not ready: sink audit: create the secret',
    });
    const invalid: SinkCheck = { ok: false, reason: 'ConfigInvalid', message: 'url: required' };
    expect(ready({ ops: invalid, audit: missing }).reason).toBe('SinksNotReady');
  });

  it('begins with the number of sinks that are not ready, and calls no failing sink ready', () => {
    const failure: LastFailure = { reason: 'Timeout', message: 'no answer in time', lasting: false };
    const told = (checks: Record<string, SinkCheck>) =>
      judge(sinksOf(checks).map((sink) => (sink.name === 'ops' ? { ...sink, failure } : sink)));
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

  it('says why deliveries wait; a lasting wait is not ready', () => {
    const told = (wait: SinkWait) => {
      const { status, reason, message } = judge([
        { name: 'ops', check: fine, wait },
        { name: 'audit', check: fine },
      ]);
      return [status, reason, message];
    };
    const since = '3 deliveries wait since 2026-01-05T20:00:00Z';
    const due = 'the next try is due at 2026-01-05T20:01:00Z';
    expect(WAIT_KINDS.map((kind) => told(stalled(kind)))).toEqual([
      ['True', 'DeliveriesLate', `1 of 2 sinks is late: sink ops: ${since}; ${due}; do this`],
      [
        'True',
        'RateLimited',
        `1 of 2 sinks is behind: sink ops: ${since}, until about 2026-01-05T20:01:00Z; do this`,
      ],
      ['True', 'Cause', `1 of 2 sinks is waiting: sink ops: ${since}; ${due}; do this`],
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
      'Cause',
      `1 of 2 sinks is not ready: sink ops: ${since}; ${due}; do this`,
    ]);
    expect(told(stalled('late', { nextAt: 0 }))[2]).toBe(`1 of 2 sinks is late: sink ops: ${since}; do this`);
  });

  it('says why no plan matches, and is False when no event can be derived', () => {
    const told = (more: Partial<ReadyFacts>) => judge(sinksOf({ ops: fine, audit: fine }), more);
    const unmatched = 'no plan matches: the namespace has no plan';
    expect(told({ unmatched })).toMatchObject({
      ...{ status: 'True', reason: 'NoPlanMatches', message: `all 2 sinks are ready; ${unmatched}` },
    });
    expect(isFine(told({ unmatched }))).toBe(true);
    const unserved = { reason: 'PlansNotFollowed', message: 'no event is derived' };
    expect(told({ unserved, unmatched })).toMatchObject({
      ...{ status: 'False', reason: 'PlansNotFollowed', message: `no event is derived; ${unmatched}` },
    });
    expect(judge(sinksOf({ ops: fine, audit: missing }), { unserved })).toMatchObject({
      ...{ status: 'False', reason: 'PlansNotFollowed' },
      message: 'no event is derived; 1 of 2 sinks is not ready: sink audit: create the secret',
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

  it('has a message of bounded length, cut between characters', () => {
    const notes = Array.from({ length: 200_000 }, () => '😀');
    const { message } = ready({ ops: { ok: true, notes, faults: [] }, audit: fine });
    expect(message.length).toBeLessThanOrEqual(4_000);
    expect(message).toMatch(/… \(shortened\)$/);
    expect(message).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    const fault: SinkCheck = { ok: false, reason: 'ConfigInvalid', message: 'x'.repeat(100_000) };
    expect(ready({ ops: fault, audit: fine }).message.length).toBeLessThanOrEqual(4_000);
  });
});
