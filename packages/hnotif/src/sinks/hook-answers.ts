import type { OutcomeRow } from './outcome-table.ts';
import type { ProofRow } from './proofs.ts';

/** What a chat answers at the address of its incoming webhook. The status alone decides, except for a success. */
export interface HookAnswers {
  /** The field of the configuration that has the address. The address is a credential. */
  readonly field: string;
  /** Of a message that has arrived. */
  readonly success: readonly [status: number, body: string];
  readonly statuses: Readonly<Record<number, OutcomeRow>>;
  /** For other statuses. */
  readonly others: Readonly<Record<'redirect' | 'other4xx' | 'other5xx', OutcomeRow>>;
  /** What each answer proves about its message. */
  readonly proofs: Readonly<Record<string, ProofRow>>;
}

/** The row of a status that is no success. */
export function rowOfStatus(
  { statuses, others }: Pick<HookAnswers, 'statuses' | 'others'>,
  status: number,
): OutcomeRow {
  const row = statuses[status];
  if (row !== undefined) return row;
  if (status >= 300 && status < 400) return others.redirect;
  return status < 500 ? others.other4xx : others.other5xx;
}
