import { describe, expect, it } from 'vitest';
import type { Outcome } from '@hnotif/core/sinks';
import { LIMITS } from './limits.ts';
import type { Parked } from './states.ts';
import { nextStep, type SinkFacts, type Result } from './step.ts';

const why = { reason: 'Down', message: 'the receiver is down' };
const down: Outcome = { kind: 'transient', ...why };
const refused: Outcome = { kind: 'rejected-configuration', ...why };
const circuit: Parked<unknown> = {
  ...{ kind: 'parked', why: { kind: 'parked', ...why }, until: { wall: 0, monotonic: 0 } },
  ...{ began: 0, failedProbes: 0, probe: undefined, pause: undefined },
};
const HEAD = { attempts: 3, arrivedBefore: 0, refusedAfter: undefined, failedSends: 0 };

const step = (outcome: Outcome, facts: Partial<SinkFacts> = {}) => {
  const result: Result = { kind: 'tried', outcome, rates: [] };
  const before: SinkFacts = {
    ...{ head: HEAD, admission: { kind: 'open', width: 1 }, isProbe: false, isOutdated: false },
    ...{ arrived: 0, pausesBefore: 0, isClosed: false },
  };
  return nextStep(result, { ...before, ...facts }, 0.5, LIMITS);
};

describe('a failed send', () => {
  it('opens the circuit if nothing else arrived meanwhile', () => {
    expect(step(down)).toEqual({ kind: 'park', ms: 30_000, why: { kind: 'parked', ...why }, wait: 'parked' });
    expect(step(refused)).toMatchObject({ kind: 'park', why: { kind: 'quarantined' } });
  });

  it('holds only its stream if others arrived, and is the last one after three', () => {
    expect(step(down, { arrived: 1 })).toEqual({
      kind: 'fail',
      ms: 30_000,
      why,
      refused: false,
      wait: 'held',
    });
    expect(step(down, { arrived: 1, head: { ...HEAD, failedSends: 2 } })).toMatchObject({
      ...{ kind: 'end', end: { result: 'failed' }, isTaken: false },
    });
  });

  it('of a refused configuration counts the arrivals since the last refusal', () => {
    const head = { ...HEAD, arrivedBefore: 5, refusedAfter: 1 };
    expect(step(refused, { arrived: 5, head }).kind).toBe('fail');
    expect(step(refused, { arrived: 1, head }).kind).toBe('park');
  });
});

describe('while the circuit is open', () => {
  it('nothing is retried, and the next probe comes at once if the configuration has changed', () => {
    const facts = { admission: circuit, isProbe: true, head: { ...HEAD, attempts: 0 } };
    expect(step(down, facts)).toMatchObject({ kind: 'park', ms: 60_000 });
    expect(step(down, { ...facts, isOutdated: true })).toMatchObject({ kind: 'park', ms: 0 });
  });

  it('a probe whose message is refused shows that the receiver takes messages', () => {
    const unwanted: Outcome = { kind: 'rejected-payload', ...why };
    expect(step(unwanted, { admission: circuit, isProbe: true })).toMatchObject({
      kind: 'end',
      isTaken: true,
    });
    expect(step(unwanted)).toMatchObject({ kind: 'end', isTaken: false });
  });
});

it('at a stop only an arrival counts', () => {
  expect(step(down, { isClosed: true })).toEqual({ kind: 'stop' });
  expect(step({ kind: 'delivered', status: 200 }, { isClosed: true })).toMatchObject({
    kind: 'end',
    isTaken: true,
  });
});
