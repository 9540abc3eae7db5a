import type { TargetState } from './event.ts';

/** The targets that had failed at an event. */
export interface FailedTargets {
  readonly count: number;
  /** The first ones, with short texts. */
  readonly first: readonly Pick<TargetState, 'name' | 'message'>[];
}

/** This many are named. */
const NAMED = 4;
/** Characters of a name and of a message. */
const [NAME, MESSAGE] = [63, 80];

/** Undefined: none has failed. */
export function failedTargets(targets: readonly TargetState[]): FailedTargets | undefined {
  const failed = targets.filter(({ state }) => state === 'Failed');
  if (failed.length === 0) return undefined;
  const first = failed.slice(0, NAMED).map(({ name, message }) => ({
    name: shortLine(name, NAME),
    message: shortLine(message, MESSAGE),
  }));
  return { count: failed.length, first };
}

/** The beginning of a text, on one line and without control characters. */
export function shortLine(text: string, most: number): string {
  const line = text
    .slice(0, 4 * most)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
