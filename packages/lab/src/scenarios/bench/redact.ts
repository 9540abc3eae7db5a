/**
 * Redacts texts that are made to be slow, of 30 to 240 kB. Measures the time of each, and checks that it grows with the length only.
 * The service never redacts more than 64 KiB at once, and of a receiver's answer 16 KiB.
 */
import { setImmediate } from 'node:timers/promises';
import { redact } from '@hnotif/core/redaction';
import { aim, median } from '../../figures.ts';

const KILOBYTES = [30, 60, 120, 240] as const;
const RUNS = 7;
/** Times of a few milliseconds vary. */
const SLACK = 2;

const UNITS: Readonly<Record<string, string>> = {
  'English words': 'the receiver says that the channel was not found. ',
  '%25 (percent-encoded %)': '%25',
  backslashes: '\\\\',
  'HTML references': '&amp;',
  'marks of a cut': 'a...',
  hex: '61',
  'hex of hex': '3631',
  'base64, text in each of its readings': 'VVVV',
  'base64 of base64 of base64': Buffer.from(btoa(btoa('some text'))).toString('base64'),
  'the beginning of a credential': 'xoxb-1234-5678-abcdefg ',
  'base64 of a credential, in one token': btoa('xoxb-1234-5678-abcdefgh '),
};

const SECRETS = [
  'xoxb-1234-5678-abcdefgh',
  ...Array.from(
    { length: 10 },
    (_, index) => `https://hooks.example/services/T0/B0/${'x'.repeat(24)}${index}`,
  ),
];

function millisecondsFor(text: string): number {
  const times = Array.from({ length: RUNS }, () => {
    const begun = performance.now();
    redact(text, SECRETS);
    return performance.now() - begun;
  });
  return median(times);
}

export async function redacting(): Promise<void> {
  const width = Math.max(...Object.keys(UNITS).map((name) => name.length));
  console.log(
    `${'milliseconds for'.padEnd(width)}  ${KILOBYTES.map((size) => `${size} kB`.padStart(8)).join('')}`,
  );
  for (const [name, unit] of Object.entries(UNITS)) {
    // Signals are handled between two rows.
    await setImmediate();
    const times = KILOBYTES.map((size) => millisecondsFor(unit.repeat((size * 1_000) / unit.length)));
    const figures = times.map((time) => time.toFixed(1).padStart(8)).join('');
    const growth = (times.at(-1) ?? 0) / (times[0] ?? 1);
    const linear = growth <= (SLACK * KILOBYTES[3]) / KILOBYTES[0];
    console.log(
      `${name.padEnd(width)}  ${figures}  ${aim('eightfold text, at most sixteenfold time', linear)}`,
    );
  }
}
