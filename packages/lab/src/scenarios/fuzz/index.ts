import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { SEED, type Scenario } from '../../scenario.ts';
import { agreementFaults, someOutput } from './agreement.ts';
import { faultsOf, FORMS, threadFaults } from './forms.ts';
import { hostileSource, hostileThread } from './sources.ts';

const CHUNK = 500;
/** The most values with faults that are printed, of each kind. */
const SHOWN = 10;

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
    /** Checks values. Some are slow, so their number is only a part of the number of events. Returns the number of faulty ones. */
    const tried = async <T>(
      part: number,
      arbitrary: fc.Arbitrary<T>,
      faultsIn: (value: T) => readonly string[] | Promise<readonly string[]>,
    ): Promise<number> => {
      let found = 0;
      const sought = Math.ceil(events * part);
      for (let done = 0; done < sought; done += CHUNK) {
        // Signals are handled between two chunks.
        await setImmediate();
        for (const value of fc.sample(arbitrary, {
          numRuns: Math.min(CHUNK, sought - done),
          seed: seed + done,
        })) {
          const faults = await faultsIn(value);
          if (faults.length > 0 && ++found <= SHOWN)
            say(`${faults.slice(0, 5).join('\n')}\n  seed ${seed + done}: ${shown(value)}\n`);
        }
      }
      return found;
    };
    const faulty =
      (await tried(1, hostileSource, faultsOf)) +
      (await tried(1 / 10, hostileThread, threadFaults)) +
      (await tried(1 / 2, someOutput, agreementFaults));
    say(`${events} events, ${FORMS.length} forms each, seed ${seed}: ${faulty} with faults`);
    return faulty === 0;
  },
};

/** The text of ten thousand long targets would be longer than a string may be: of a list only the first are shown. */
const shown = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (Array.isArray(part) ? part.slice(0, 20) : part)).slice(
    0,
    2_000,
  );
