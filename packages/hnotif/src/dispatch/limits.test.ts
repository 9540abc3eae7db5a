import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '@hnotif/core/sinks';
import { LIMITS } from './limits.ts';
import { backoff, decide } from '../../../core/src/sinks/retry.ts';
import { probeDelay } from './step.ts';

const text = { reason: 'Down', message: 'the receiver is down' };
const transient: Outcome = { kind: 'transient', ...text };

describe('what follows an attempt', () => {
  it('retries a transient failure three times, then the send has failed with the receiver’s reason', () => {
    const kinds = [0, 1, 2, 3].map((attempt) => decide(transient, attempt, 0.5, LIMITS).kind);
    expect(kinds).toEqual(['retry', 'retry', 'retry', 'over']);
    expect(decide(transient, 3, 0.5, LIMITS)).toEqual({ kind: 'over', ...text, refused: false });
  });

  it('treats an ambiguous answer, and an interrupted attempt, like a transient failure', () => {
    expect(decide({ kind: 'ambiguous', ...text }, 0, 0.5, LIMITS).kind).toBe('retry');
    expect(decide({ kind: 'aborted', ...text }, 0, 0.5, LIMITS).kind).toBe('retry');
  });

  it('never retries a refused message', () => {
    const after = (kind: 'rejected-payload' | 'rejected-configuration') =>
      decide({ kind, ...text }, 0, 0.5, LIMITS);
    expect(after('rejected-payload')).toEqual({ kind: 'failed', ...text });
    expect(after('rejected-configuration')).toEqual({ kind: 'over', ...text, refused: true });
  });

  it('pauses for the time that a 429 names, clamped to 1 s … 15 min, however many attempts were made', () => {
    const pause = (retryAfterMs: number) =>
      decide({ kind: 'throttled', ...text, retryAfterMs }, 9, 0.5, LIMITS);
    expect(pause(30_000)).toMatchObject({ kind: 'pause', forMs: 30_000 });
    expect(pause(0)).toMatchObject({ kind: 'pause', forMs: 1_000 });
    expect(pause(86_400_000)).toMatchObject({ kind: 'pause', forMs: 900_000 });
  });

  it('retries a 429 without a time as a transient failure', () => {
    const throttled: Outcome = { kind: 'throttled', ...text, retryAfterMs: undefined };
    expect(decide(throttled, 0, 0, LIMITS).kind).toBe('retry');
    expect(decide(throttled, 3, 0, LIMITS).kind).toBe('over');
  });

  it('backs off exponentially with jitter, always between 500 ms and 5 s', () => {
    expect([0, 1, 2, 3, 4].map((attempt) => backoff(attempt, 0, LIMITS))).toEqual([
      500, 1000, 2000, 2500, 2500,
    ]);
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, random) => {
          const ms = backoff(attempt, random, LIMITS);
          expect(ms).toBeGreaterThanOrEqual(500);
          expect(ms).toBeLessThanOrEqual(5000);
        },
      ),
      { seed: 1 },
    );
  });

  it('probes a parked sink after 30 s; the wait doubles up to 10 min, plus or minus a tenth', () => {
    const middle = [0, 1, 2, 3, 4, 5, 60].map((failed) => probeDelay(failed, 0.5, LIMITS) / 1_000);
    expect(middle).toEqual([30, 60, 120, 240, 480, 600, 600]);
    expect([0, 0.999].map((random) => Math.round(probeDelay(0, random, LIMITS)))).toEqual([27_000, 32_994]);
  });
});
