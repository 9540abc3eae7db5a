import fc from 'fast-check';
import { expect, it } from 'vitest';
import { faultsOf, FORMS } from './fuzz/forms.ts';
import { hostileSource } from './fuzz/sources.ts';

it('whatever happens to whatever plan: no receiver refuses a built-in message, nobody is pinged, no link is forged', () => {
  expect(FORMS.length).toBeGreaterThan(20);
  fc.assert(
    fc.property(hostileSource, (source) => {
      expect(faultsOf(source)).toEqual([]);
    }),
    { seed: 20260105, numRuns: 2_000, endOnFailure: true },
  );
});
