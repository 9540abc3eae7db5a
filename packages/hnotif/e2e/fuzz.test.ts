import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAccepted, outputs, readingFaults } from '../../lab/src/scenarios/fuzz/blocks.ts';
import { agreementFaults, someOutput } from '../../lab/src/scenarios/fuzz/agreement.ts';
import { runs, seed } from '../../core/src/testing/runs.ts';
import { faultsOf, FORMS, threadFaults } from '../../lab/src/scenarios/fuzz/forms.ts';
import { someMarkup } from '../../core/src/sinks/botchat/markup/testing/arbitrary.ts';
import { outputFaults } from '../../lab/src/scenarios/fuzz/markup.ts';
import { hostileSource, hostileThread } from '../../lab/src/scenarios/fuzz/sources.ts';

const RUNS = { seed, endOnFailure: true };

it('for random plans: no receiver refuses a built-in message, it has the required content, pings nobody, and forges no link', () => {
  expect(FORMS.length).toBeGreaterThan(20);
  fc.assert(
    fc.property(hostileSource, (source) => {
      expect(faultsOf(source)).toEqual([]);
    }),
    { ...RUNS, numRuns: runs(150) },
  );
});

it('for random events in random order: a card is accepted, and shows the state that the contract requires', () => {
  fc.assert(
    fc.property(hostileThread, (sources) => {
      expect(threadFaults(sources)).toEqual([]);
    }),
    { ...RUNS, numRuns: runs(20) },
  );
});

it('for random markup of a template: judge, simulator and sink of botchat agree', () => {
  fc.assert(
    fc.property(someMarkup, (markup) => {
      expect(outputFaults(markup)).toEqual([]);
    }),
    { ...RUNS, numRuns: runs(100) },
  );
});

it('for random JSON of a template: judge, simulator and sink of teamchat agree', () => {
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

it('for random output of a template: hnotif template, the sink and the simulator agree, in the same words', async () => {
  await fc.assert(
    fc.asyncProperty(someOutput, async (output) => {
      expect(await agreementFaults(output)).toEqual([]);
    }),
    { ...RUNS, numRuns: runs(300) },
  );
});
