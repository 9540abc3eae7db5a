import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAccepted, outputs, readingFaults } from './fuzz/blocks.ts';
import { runs } from '../src/testing/runs.ts';
import { faultsOf, FORMS, threadFaults } from './fuzz/forms.ts';
import { fittingFaults, markups } from './fuzz/markup.ts';
import { hostileSource, hostileThread } from './fuzz/sources.ts';

const RUNS = { seed: 20260105, endOnFailure: true };

it('whatever happens to whatever plan: no receiver refuses a built-in message, it tells what it has to, nobody is pinged, no link is forged', () => {
  expect(FORMS.length).toBeGreaterThan(20);
  fc.assert(
    fc.property(hostileSource, (source) => {
      expect(faultsOf(source)).toEqual([]);
    }),
    { ...RUNS, numRuns: runs(150) },
  );
});

it('whatever happens in whatever order: a card is taken, and shows what the contract says', () => {
  fc.assert(
    fc.property(hostileThread, (sources) => {
      expect(threadFaults(sources)).toEqual([]);
    }),
    { ...RUNS, numRuns: runs(20) },
  );
});

it('whatever markup a template makes: botchat takes what was fitted, or nothing was changed', () => {
  fc.assert(
    fc.property(markups, (markup) => {
      expect(fittingFaults(markup)).toEqual([]);
    }),
    { ...RUNS, numRuns: runs(100) },
  );
});

it('whatever JSON a template makes: teamchat takes what is taken for blocks', () => {
  const accepted = fc.sample(outputs, { seed: RUNS.seed, numRuns: 300 }).filter(isAccepted).length;
  expect(accepted).toBeGreaterThan(30);
  expect(accepted).toBeLessThan(270);
  fc.assert(
    fc.property(outputs, (output) => {
      expect(readingFaults(output)).toEqual([]);
    }),
    { ...RUNS, numRuns: runs(100) },
  );
});
