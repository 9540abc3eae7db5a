import { parseTime } from '@hnotif/core/lifecycle';

const STEPS = [
  [120, 1, 's'],
  [3 * 3_600, 60, 'm'],
  [48 * 3_600, 3_600, 'h'],
  [Infinity, 86_400, 'd'],
] as const;

/** How long ago an RFC 3339 time was, in one unit, as kubectl writes ages: `90s`, `12m`, `5h`, `9d`; `-` if there is none. */
export function ageOf(time: string, now: number): string {
  const at = parseTime(time);
  if (at === undefined) return '-';
  // A time in the future is that of another clock.
  const seconds = Math.max(0, Math.floor((now - at) / 1_000));
  const [, size, unit] = STEPS.find(([below]) => seconds < below) ?? STEPS[3];
  return `${Math.floor(seconds / size)}${unit}`;
}
