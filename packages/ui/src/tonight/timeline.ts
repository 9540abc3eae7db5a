import type { Dot, Mark, Row, Span } from '@hnotif/core/page';
import { digestOf } from './digest.ts';
import { ALL_STATES } from './states.ts';

/** The part of the time that is shown (milliseconds since the epoch). */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Where something is in a row (pixels). */
export interface Box {
  readonly width: number;
  readonly height: number;
}

export interface PlacedSpan {
  readonly phase: string;
  readonly x: number;
  readonly width: number;
}

/** A dot at its place, with those that would stand on it. */
export interface PlacedDot {
  readonly dot: Dot;
  readonly x: number;
  readonly y: number;
  /** It is under others, so it is not drawn. */
  readonly isUnder: boolean;
}

export interface PlacedMark {
  readonly mark: Mark;
  readonly x: number;
}

/** Dots nearer than this are put above each other (pixels). */
const APART = 9;
/** How many stand above each other; more are under the last one. */
const HIGH = 3;

export const xOf = (at: number, { from, to }: Window, { width }: Pick<Box, 'width'>): number =>
  ((at - from) / (to - from)) * width;

/** The visible phases. The last one lasts until `now`. */
export function placeSpans(
  spans: readonly Span[],
  window: Window,
  now: number,
  box: Box,
): readonly PlacedSpan[] {
  return spans.flatMap(({ from, phase }, at): PlacedSpan[] => {
    const end = spans[at + 1]?.from ?? now;
    const [x, right] = [Math.max(0, xOf(from, window, box)), Math.min(box.width, xOf(end, window, box))];
    return right <= x ? [] : [{ phase, x, width: right - x }];
  });
}

export const placeMarks = (marks: readonly Mark[], window: Window, box: Box): readonly PlacedMark[] =>
  marks
    .filter(({ at }) => at >= window.from && at <= window.to)
    .map((mark) => ({ mark, x: xOf(mark.at, window, box) }));

/** The visible dots. The important ones come last, so that they are drawn over the others. */
export function placeDots({ dots }: Pick<Row, 'dots'>, window: Window, box: Box): readonly PlacedDot[] {
  const columns = new Map<number, number>();
  const seen = [...dots.values()]
    .filter(({ at }) => at >= window.from && at <= window.to)
    .sort((a, b) => severityOf(b) - severityOf(a) || a.at - b.at);
  const top = box.height / 2;
  const placed = seen.map((dot): PlacedDot => {
    const x = xOf(dot.at, window, box);
    const column = Math.round(x / APART);
    const level = columns.get(column) ?? 0;
    columns.set(column, level + 1);
    const lift = Math.min(level, HIGH - 1);
    // The middle, then below and above it.
    const y = top + (lift === 0 ? 0 : lift % 2 === 1 ? APART : -APART);
    return { dot, x, y, isUnder: level >= HIGH };
  });
  return placed.reverse();
}

const severityOf = ({ state }: Dot): number => ALL_STATES.indexOf(state);

/** In pixels. */
const REACH = 8;

/** What is under the pointer: the nearest dot, and all others within reach. */
export function dotsAt(placed: readonly PlacedDot[], x: number, y: number): readonly PlacedDot[] {
  const distance = (each: PlacedDot): number => Math.hypot(each.x - x, each.y - y);
  return placed.filter((each) => distance(each) <= REACH).sort((a, b) => distance(a) - distance(b));
}

const MINUTE = 60_000;

/** What can be chosen, by its name. */
export const WIDTHS = [
  { label: '1 minute', ms: MINUTE },
  { label: '5 minutes', ms: 5 * MINUTE },
  { label: '20 minutes', ms: 20 * MINUTE },
  { label: '1 hour', ms: 60 * MINUTE },
  { label: '3 hours', ms: 180 * MINUTE },
  { label: '12 hours', ms: 720 * MINUTE },
] as const;

/** The narrowest width that shows the deliveries of the last twelve hours. */
export function fittingWidth(rows: Iterable<Row>, now: number): number {
  const widest = WIDTHS.at(-1)?.ms ?? 0;
  let earliest = now;
  for (const { dots } of rows) {
    const { oldest } = digestOf(dots);
    if (oldest > now - widest) earliest = Math.min(earliest, oldest);
    else for (const { at } of dots.values()) if (at < earliest && at > now - widest) earliest = at;
  }
  return WIDTHS.find(({ ms }) => now - earliest <= ms)?.ms ?? widest;
}

/** Steps between two ticks of the axis (milliseconds). */
const STEPS = [
  5_000,
  10_000,
  30_000,
  MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  60 * MINUTE,
  120 * MINUTE,
];

/** Pixels for the label on the right of a tick. */
const LABEL = 64;

/** The ticks of an axis, at least some 90 pixels apart. Each has room for its label. */
export function ticksOf(window: Window, width: number): readonly number[] {
  const most = Math.max(2, Math.floor(width / 90));
  const step = STEPS.find((each) => (window.to - window.from) / each <= most) ?? 240 * MINUTE;
  const ticks: number[] = [];
  const last = window.to - ((window.to - window.from) * LABEL) / width;
  for (let at = Math.ceil(window.from / step) * step; at < last; at += step) ticks.push(at);
  return ticks;
}
