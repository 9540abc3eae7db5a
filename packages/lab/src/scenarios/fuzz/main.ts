/**
 * Makes all built-in messages of random and hostile events, the cards of random threads, and messages of random template outputs.
 * It checks them with the rules of the receivers, and checks the visible text.
 *
 *     npm run fuzz [EVENTS] [SEED]        # 100,000 events by default; prints the faults and the seed
 */
import fc from 'fast-check';
import { argumentsOf, SEED } from '../../../../hnotif/e2e/support/arguments.ts';
import { outputs, readingFaults } from './blocks.ts';
import { faultsOf, FORMS, threadFaults } from './forms.ts';
import { someMarkup } from '../../../../hnotif/src/sinks/botchat/markup/testing/arbitrary.ts';
import { outputFaults } from './markup.ts';
import { hostileSource, hostileThread } from './sources.ts';

const CHUNK = 500;
const [events = 0, seed = 0] = argumentsOf(
  'fuzz',
  [{ name: 'EVENTS', about: 'random events (default 100000)', default: 100_000, least: 1 }, SEED],
  process.argv.slice(2),
);

const begun = performance.now();
let faulty = 0;
for (let done = 0; done < events; done += CHUNK) {
  for (const source of fc.sample(hostileSource, {
    numRuns: Math.min(CHUNK, events - done),
    seed: seed + done,
  })) {
    const faults = faultsOf(source);
    if (faults.length === 0) continue;
    faulty++;
    if (faulty > 10) continue;
    // The JSON of ten thousand long targets is longer than a string may be.
    const few = { ...source.event, targets: source.event.targets.slice(0, 20) };
    const shown = JSON.stringify(few).slice(0, 2_000);
    console.log(`${faults.slice(0, 5).join('\n')}\n  seed ${seed + done}: ${shown}\n`);
  }
}
/** Checks other values. They are slow, so their number is only a part of the number of events. Returns the number of faulty ones. */
function others<T>(
  part: number,
  arbitrary: fc.Arbitrary<T>,
  faultsIn: (value: T) => readonly string[],
): number {
  let found = 0;
  const sought = Math.ceil(events * part);
  for (let done = 0; done < sought; done += CHUNK)
    for (const value of fc.sample(arbitrary, {
      numRuns: Math.min(CHUNK, sought - done),
      seed: seed + done,
    })) {
      const faults = faultsIn(value);
      if (faults.length > 0 && ++found <= 5)
        console.log(
          `${faults.slice(0, 5).join('\n')}\n  seed ${seed + done}: ${fc.stringify(value).slice(0, 2_000)}\n`,
        );
    }
  return found;
}
faulty +=
  others(1 / 10, hostileThread, threadFaults) +
  others(1 / 2, someMarkup, outputFaults) +
  others(1 / 2, outputs, readingFaults);
const seconds = Math.round((performance.now() - begun) / 1000);
console.log(
  `${events} events, ${FORMS.length} forms each, seed ${seed}, ${seconds} s: ${faulty} with faults`,
);
process.exitCode = faulty > 0 ? 1 : 0;
