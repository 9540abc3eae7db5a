import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { SEED, type Scenario } from '../../scenario.ts';
import { agreementFaults, someOutput } from './agreement.ts';
import { faultsOf, FORMS, threadFaults } from './forms.ts';
import { hostileSource, hostileThread } from './sources.ts';

/**
 * Makes all built-in messages of random and hostile events, the cards of random threads, and messages of random template outputs. Checks
 * them with the rules of the receivers, and checks the visible text; of an output, `hnotif template`, sink and simulator must agree.
 */
export const fuzz: Scenario = {
  name: 'fuzz',
  about:
    'no receiver refuses a message of hnotif, whatever is in a plan or comes out of a template; none pings or forges',
  numbers: [{ name: 'EVENTS', about: 'random events (default 100000)', default: 100_000, least: 1 }, SEED],
  async run({ numbers: [events = 0], seed, say }) {
    /** Some are slow, so their number is only a part of the number of events. */
    const holds = async <T>(
      part: number,
      arbitrary: fc.Arbitrary<T>,
      faultsIn: (value: T) => readonly string[] | Promise<readonly string[]>,
    ): Promise<boolean> => {
      const property = fc.asyncProperty(arbitrary, async (value) => {
        // Signals are handled between two values.
        await setImmediate();
        const faults = await faultsIn(value);
        if (faults.length > 0) throw new Error(faults.slice(0, 5).join('\n'));
      });
      const found = await fc.check(property, { numRuns: Math.ceil(events * part), seed, endOnFailure: true });
      if (found.failed)
        say(`${String(found.errorInstance)}\n  seed ${seed}: ${shown(found.counterexample)}\n`);
      return !found.failed;
    };
    const held = [
      await holds(1, hostileSource, faultsOf),
      await holds(1 / 10, hostileThread, threadFaults),
      await holds(1 / 2, someOutput, agreementFaults),
    ];
    say(`${events} events, ${FORMS.length} forms each, seed ${seed}`);
    return held.every(Boolean);
  },
};

const SHOWN = 2_000;

/** The text of ten thousand long targets would be longer than a string may be: of a list only the first are shown. */
const shown = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (Array.isArray(part) ? part.slice(0, 20) : part)).slice(
    0,
    SHOWN,
  );
