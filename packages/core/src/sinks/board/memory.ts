import * as z from 'zod';
import { COUNT } from '../../lifecycle/event-json.ts';
import { LOCATION, type RootLocation } from '../roots/root-state.ts';
import { LONGEST_NIGHT_MS } from './night.ts';
import { ROW_STATES, type Row } from './row.ts';

/** Milliseconds since the epoch, which a `Date` can write. */
const TIME = z.number().min(-8.64e15).max(8.64e15);

const ROW = z.object({
  plan: z.string(),
  cycle: z.string(),
  seq: COUNT,
  state: z.enum(ROW_STATES),
  total: COUNT,
  completed: COUNT,
  failed: COUNT,
  error: z.string(),
  until: TIME,
});

/** What a plan's journal entry has of a board: the row of the plan, and where the board's message is. */
export interface StoredRow {
  readonly operation: string;
  readonly openedAt: number;
  readonly row: Row;
  /** Undefined: the message was not posted yet. */
  readonly place?: RootLocation | undefined;
  /** Whether the end of the night was announced. */
  readonly announced: boolean;
}

const STORED: z.ZodType<StoredRow> = z.object({
  operation: z.string(),
  openedAt: TIME,
  row: ROW,
  place: LOCATION.optional(),
  announced: z.boolean(),
});

const PREFIX = 'board ';

/** A plan has one row in each night. */
export const boardMemoryKey = ({ operation, openedAt }: Pick<StoredRow, 'operation' | 'openedAt'>): string =>
  `${PREFIX}${JSON.stringify([operation, openedAt])}`;

/** Whether the night of a row may go on, so that the entry of a deleted plan is still needed. */
export function isOfOpenNight(key: string, value: unknown, now: number): boolean {
  const { openedAt = -Infinity } = storedRow(key, value) ?? {};
  return now - openedAt < LONGEST_NIGHT_MS;
}

/** Undefined: it is no row of a board, or cannot be read. */
export function storedRow(key: string, value: unknown): StoredRow | undefined {
  return key.startsWith(PREFIX) ? STORED.safeParse(value).data : undefined;
}
