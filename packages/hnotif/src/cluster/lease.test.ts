import { describe, expect, it } from 'vitest';
import {
  candidateStep,
  LEASE_TIMING,
  observeLease,
  parseLease,
  specOf,
  termOf,
  timingFault,
  type Lease,
  type LeaseTiming,
  type ObservedLease,
} from './lease.ts';

const ME = { identity: 'me', durationMs: 15_000 };

const lease = (spec: object = {}, metadata: object = {}): Lease =>
  parseLease({
    metadata: { uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-05T20:00:00Z', ...metadata },
    spec: { holderIdentity: 'other', leaseDurationSeconds: 10, leaseTransitions: 3, ...spec },
  });

const seen = (what = lease(), since = 1_000): ObservedLease => ({ lease: what, since });

describe('a candidate', () => {
  it('makes a Lease where there never was one', () => {
    expect(candidateStep(ME, undefined, false, 0)).toEqual({ do: 'create', transitions: 0 });
  });

  it('takes one that was given back, or that names itself', () => {
    for (const holderIdentity of ['', 'me']) {
      const free = lease({ holderIdentity });
      expect(candidateStep(ME, seen(free), true, 1_000)).toEqual({ do: 'take', lease: free, transitions: 4 });
    }
  });

  it('waits as long as the holder’s own record says, or its own duration, and not a moment longer', () => {
    expect(candidateStep(ME, seen(), true, 10_999)).toEqual({ do: 'wait', ms: 1 });
    expect(candidateStep(ME, seen(), true, 11_000)).toMatchObject({ do: 'take' });
    const silent = seen(lease({ leaseDurationSeconds: undefined }));
    expect(candidateStep(ME, silent, true, 15_999)).toEqual({ do: 'wait', ms: 1 });
  });

  it('waits for the holder of one that was deleted, then makes one with the next transition', () => {
    expect(candidateStep(ME, seen(), false, 10_000)).toEqual({ do: 'wait', ms: 1_000 });
    expect(candidateStep(ME, seen(), false, 11_000)).toEqual({ do: 'create', transitions: 4 });
  });

  it('counts from the last change, whatever the times in the record say', () => {
    const first = observeLease(undefined, lease({ renewTime: '2020-01-01T00:00:00.000000Z' }), 5);
    expect(first.since).toBe(5);
    expect(
      observeLease(first, lease({ renewTime: '2020-01-01T00:00:00.000000Z' }, { resourceVersion: '8' }), 9)
        .since,
    ).toBe(5);
    const changes = [
      lease({ renewTime: '2020-01-01T00:00:00.000001Z' }),
      lease({ holderIdentity: 'third' }),
      lease({ leaseTransitions: 4 }),
      lease({ leaseDurationSeconds: 11 }),
      lease({ acquireTime: '2020-01-01T00:00:00.000000Z' }),
      lease({}, { uid: 'v' }),
    ];
    for (const change of changes)
      expect(observeLease(observeLease(undefined, lease(), 5), change, 9).since).toBe(9);
  });
});

describe('a Lease', () => {
  it('reads back as it was written', () => {
    const record = {
      holder: 'me',
      durationMs: 15_000,
      acquireTime: '2026-01-05T20:00:00.000000Z',
      renewTime: '2026-01-05T20:00:02.000000Z',
      transitions: 5,
    };
    expect(parseLease({ spec: specOf(record) })).toMatchObject(record);
  });

  it('that is empty, or invalid, has no holder', () => {
    const nothing = { holder: '', durationMs: undefined, transitions: 0, renewTime: '' };
    for (const raw of [{}, { spec: null }, 'text', { spec: { holderIdentity: 5, leaseTransitions: '3' } }])
      expect(parseLease(raw)).toMatchObject(nothing);
  });

  it('has a higher term after each acquisition, and a higher one again when it is made anew', () => {
    const terms = [
      lease({ leaseTransitions: 0 }),
      lease({ leaseTransitions: 1 }),
      lease({ leaseTransitions: 1_000_000 }),
      lease({ leaseTransitions: 0 }, { creationTimestamp: '2026-01-05T20:00:01Z' }),
      lease({ leaseTransitions: 2 ** 31 - 1 }, { creationTimestamp: '2199-01-05T20:00:01Z' }),
    ].map(termOf);
    expect(terms).toEqual([...terms].sort((a, b) => a - b));
    expect(new Set(terms).size).toBe(terms.length);
    expect(terms.every(Number.isSafeInteger)).toBe(true);
  });
});

describe('the timing', () => {
  it.each<[Partial<LeaseTiming>, RegExp | undefined]>([
    [{}, undefined],
    [{ leaseDurationMs: 1_000, renewDeadlineMs: 700, retryPeriodMs: 200 }, undefined],
    [{ leaseDurationMs: 10_000 }, /--lease-duration .* --renew-deadline/],
    [{ leaseDurationMs: 15_500 }, /--lease-duration .* whole seconds/],
    [{ leaseDurationMs: 0, renewDeadlineMs: -1 }, /--lease-duration .* at least 1s/],
    [{ renewDeadlineMs: 2_400 }, /--renew-deadline .* --retry-period/],
    [{ renewDeadlineMs: 2_401 }, undefined],
    [{ retryPeriodMs: 0 }, /--retry-period/],
  ])('%j', (timing, fault) => {
    const found = timingFault({ ...LEASE_TIMING, ...timing });
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(fault);
  });
});
