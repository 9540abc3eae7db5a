import { quantile } from '../../figures.ts';
import type { Fared } from './supervised.ts';

/** The size of a row: `full` as in its title, `short` for the tests. */
export type Size = 'full' | 'short';

/** The latency of a series of messages, from the write of a status to the arrival (milliseconds). */
export interface Latency {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  /** Messages that had not arrived at the end of the measurement. They count with the time that they had waited. */
  readonly missing: number;
  /** The p99 of the writes of statuses: how busy the control plane is. It is not part of the figures above. */
  readonly writeP99: number;
}

export function latencyOf(
  arrived: readonly number[],
  waiting: readonly number[],
  writes: readonly number[],
): Latency {
  const all = [...arrived, ...waiting];
  return {
    ...{ count: all.length, p50: quantile(all, 0.5), p99: quantile(all, 0.99), missing: waiting.length },
    writeP99: quantile(writes, 0.99),
  };
}

/** The latencies of the victim's messages. */
export interface Latencies {
  readonly alone: Latency;
  readonly beside: Latency;
}

/** The results of a row. */
export interface Figures {
  /** Undefined: the row has no victim. */
  readonly latency?: Latencies;
  readonly fared?: Fared;
  /** Bytes of another tenant that the attacker has got. */
  readonly leaked: number;
  /** The conditions of the notifications. */
  readonly conditions?: { readonly victim: string; readonly attacker: string };
  /** Other results, for instance that the attack was refused. */
  readonly notes: readonly string[];
}

/** A row that cannot run here, and why. */
export interface Skipped {
  readonly skipped: string;
}

/** A row of the table: one attack. */
export interface Row {
  readonly row: string;
  readonly title: string;
  /** Its limits; the defaults are in `AIMS`. */
  readonly aims?: { readonly memoryMb?: number; readonly stallMs?: number };
  run(size: Size): Promise<Figures | Skipped>;
}

/** The limits for every attack. */
export const AIMS = { ratio: 2, memoryMb: 400 } as const;

/** The aims that a row misses; empty: it meets all of them. */
export function missed(figures: Figures, aims: Row['aims'] = {}): string[] {
  const { latency, fared, leaked } = figures;
  const { memoryMb = AIMS.memoryMb, stallMs = Infinity } = aims;
  const checks: (readonly [isMet: boolean, words: string])[] = [];
  if (latency !== undefined)
    checks.push(
      [latency.beside.missing === 0, 'all messages delivered'],
      [ratioOf(latency) <= AIMS.ratio, `p99 at most × ${AIMS.ratio}`],
    );
  if (fared !== undefined)
    checks.push(
      [fared.memoryMb < memoryMb, `memory under ${memoryMb} MB`],
      [fared.stallMs <= stallMs, `no stall above ${stallMs} ms`],
      [!fared.leaseLost, 'Lease kept'],
      [fared.exits === 0, 'no exit'],
    );
  checks.push([leaked === 0, 'no byte of another tenant']);
  return checks.flatMap(([isMet, words]) => (isMet ? [] : [words]));
}

/**
 * The p99 beside the attack, as a multiple of the p99 alone. An attack can also keep the control plane and the processors busy. hnotif
 * writes each message into a journal: the time of a write beside the same attack is added to that alone.
 */
export const ratioOf = ({ alone, beside }: Latencies): number => beside.p99 / (alone.p99 + beside.writeP99);
