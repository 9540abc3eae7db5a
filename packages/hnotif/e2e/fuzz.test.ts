import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseBlocks } from '../../core/src/sinks/teamchat/blocks.ts';
import { outputs } from '../../lab/src/scenarios/fuzz/blocks.ts';
import { agreementFaults, someOutput } from '../../lab/src/scenarios/fuzz/agreement.ts';
import { runs, seed } from '../../core/src/testing/runs.ts';
import { faultsOf, FORMS, threadFaults } from '../../lab/src/scenarios/fuzz/forms.ts';
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

it('of the random JSON of a template, some is a message and some is not', () => {
  const accepted = fc
    .sample(outputs, { seed: RUNS.seed, numRuns: 300 })
    .filter((output) => parseBlocks(output, 'instead').ok).length;
  expect(accepted).toBeGreaterThan(30);
  expect(accepted).toBeLessThan(270);
});

it('for random output of a template: hnotif template, the sink and the simulator agree, in the same words', async () => {
  await fc.assert(
    fc.asyncProperty(someOutput, async (output) => {
      expect(await agreementFaults(output)).toEqual([]);
    }),
    { ...RUNS, numRuns: runs(500) },
  );
});
