import type { Latency } from './latency.ts';
import type { Fared } from './supervised.ts';

/** How large a row is made: `full` as in its title, `short` for the tests. */
export type Size = 'full' | 'short';

/** What the victim's messages took. */
export interface Latencies {
  readonly alone: Latency;
  readonly beside: Latency;
  /** Those of a bare client beside the same attack, which does only what must be done. */
  readonly bare: Latency;
}

/** What a row found. */
export interface Figures {
  /** Of the victim's messages; undefined: the row has none. */
  readonly latency: Latencies | undefined;
  readonly fared: Fared | undefined;
  /** Bytes of another tenant that the attacker has got. */
  readonly leaked: number;
  /** What the notifications say. */
  readonly conditions: { readonly victim: string; readonly attacker: string } | undefined;
  /** What else is to be known: that the attack was refused, for example. */
  readonly notes: readonly string[];
  /** The longest stall of the measuring process itself (milliseconds): its figures are no better than that. */
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
  /** What it may cost; the defaults are in `aims.ts`. */
  readonly aims?: { readonly memoryMb?: number; readonly stallMs?: number };
  run(size: Size): Promise<Figures | Skipped>;
}
