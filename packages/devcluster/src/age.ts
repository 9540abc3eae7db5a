const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** A duration below `below` milliseconds is shown in `unit`, and the remainder in `rest` unless it is 0. */
const STEPS: readonly { below: number; unit: [number, string]; rest?: [number, string] }[] = [
  { below: 2 * MINUTE, unit: [SECOND, 's'] },
  { below: 10 * MINUTE, unit: [MINUTE, 'm'], rest: [SECOND, 's'] },
  { below: 3 * HOUR, unit: [MINUTE, 'm'] },
  { below: 8 * HOUR, unit: [HOUR, 'h'], rest: [MINUTE, 'm'] },
  { below: 2 * DAY, unit: [HOUR, 'h'] },
  { below: 8 * DAY, unit: [DAY, 'd'], rest: [HOUR, 'h'] },
  { below: 2 * YEAR, unit: [DAY, 'd'] },
  { below: 8 * YEAR, unit: [YEAR, 'y'], rest: [DAY, 'd'] },
  { below: Infinity, unit: [YEAR, 'y'] },
];

/** A duration in milliseconds as `kubectl get` shows ages (`duration.HumanDuration` of k8s.io/apimachinery). */
export function humanDuration(ms: number): string {
  if (Number.isNaN(ms) || ms <= -2 * SECOND) return '<invalid>';
  if (ms < 0) return '0s';
  const step = STEPS.find(({ below }) => ms < below);
  if (!step) return '<invalid>';
  const [size, sign] = step.unit;
  const whole = `${Math.floor(ms / size)}${sign}`;
  const rest = step.rest ? Math.floor((ms % size) / step.rest[0]) : 0;
  return step.rest && rest > 0 ? `${whole}${rest}${step.rest[1]}` : whole;
}

/** The age of an RFC 3339 time; `<unknown>` without one. */
export const ageOf = (time: string, now: number): string =>
  time === '' ? '<unknown>' : humanDuration(now - Date.parse(time));
