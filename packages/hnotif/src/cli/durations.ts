import { InvalidArgumentError } from 'commander';

/** Parsers of flags' values that are durations. Each throws commander's error. */

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Some hundred years: with more no date can be reckoned. */
const LONGEST_HOURS = 1_000_000;

/** Milliseconds of `500ms`, `30s`, `35m`, `24h`, `1h30m`. */
export function duration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map((part) => part[0]).join('') !== text)
    throw new InvalidArgumentError('Give a duration such as 500ms, 30s, 35m or 1h30m.');
  const ms = parts.reduce(
    (sum, [, number, unit]) => sum + Number(number) * UNITS[unit as keyof typeof UNITS],
    0,
  );
  if (ms > LONGEST_HOURS * UNITS.h)
    throw new InvalidArgumentError(`Give a shorter duration, at most ${LONGEST_HOURS}h.`);
  return ms;
}

/** A duration above 0. */
export function positiveDuration(text: string): number {
  const ms = duration(text);
  if (ms === 0) throw new InvalidArgumentError('Give a duration above 0.');
  return ms;
}

/** A duration of a second or more. */
export function seconds(text: string): number {
  const ms = duration(text);
  if (ms < 1_000) throw new InvalidArgumentError('Give a duration of 1s or more.');
  return ms;
}

/** Journals have room for some nights, not for months. */
const LONGEST_KEPT_HOURS = 336;

/** How long journals keep nights. */
export function nightsKept(text: string): number {
  const ms = seconds(text);
  if (ms > LONGEST_KEPT_HOURS * UNITS.h)
    throw new InvalidArgumentError(`Give at most ${LONGEST_KEPT_HOURS}h, such as 72h.`);
  return ms;
}

/** The shortest form of a duration, for `--help`. */
export function formatDuration(ms: number): string {
  for (const unit of ['h', 'm', 's'] as const)
    if (ms > 0 && ms % UNITS[unit] === 0) return `${ms / UNITS[unit]}${unit}`;
  return `${ms}ms`;
}
