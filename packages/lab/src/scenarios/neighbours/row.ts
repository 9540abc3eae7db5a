import type { Latency } from './latency.ts';
import type { Fared } from './supervised.ts';

/** The size of a row: `full` as in its title, `short` for the tests. */
export type Size = 'full' | 'short';

/** The latencies of the victim's messages. */
export interface Latencies {
  readonly alone: Latency;
  readonly beside: Latency;
  /** Of a bare client beside the same attack, which does only the necessary work. */
  readonly bare: Latency;
}

/** The results of a row. */
export interface Figures {
  /** The latencies of the victim's messages; undefined: the row has none. */
  readonly latency: Latencies | undefined;
  readonly fared: Fared | undefined;
  /** Bytes of another tenant that the attacker has got. */
  readonly leaked: number;
  /** The conditions of the notifications. */
  readonly conditions: { readonly victim: string; readonly attacker: string } | undefined;
  /** Other results, for instance that the attack was refused. */
  readonly notes: readonly string[];
  /** The longest stall of the measuring process itself (milliseconds). Its figures are not more exact than this. */
  readonly harnessStallMs: number;
}

/** A row that cannot run here, and why. */
export interface Skipped {
  readonly skipped: string;
}

/** A row of the table: one attack. */
export interface Row {
  readonly row: string;
  readonly title: string;
  /** Its limits; the defaults are in `aims.ts`. */
  readonly aims?: { readonly memoryMb?: number; readonly stallMs?: number };
  run(size: Size): Promise<Figures | Skipped>;
}
