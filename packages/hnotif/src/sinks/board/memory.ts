import * as z from 'zod';
import { COUNT } from '../../lifecycle/event-json.ts';
import { ROW_STATES, type Row } from './row.ts';

/** Where the message of a board is. */
export interface BoardPlace {
  /** The configured channel: in another channel it is another board. */
  readonly asked: string;
  /** The chat's name of the channel. */
  readonly channel: string;
  /** The chat's name of the message. */
  readonly ts: string;
}

/** What a plan's journal entry has of a board: the row of the plan, and where the board's message is. */
export interface StoredRow {
  readonly operation: string;
  readonly openedAt: number;
  readonly row: Row;
  /** Undefined: the message was not posted yet. */
  readonly place: BoardPlace | undefined;
  /** Whether the end of the night was announced. */
  readonly announced: boolean;
}

const ROW = z.object({
  plan: z.string(),
  cycle: z.string(),
  seq: COUNT,
  state: z.enum(ROW_STATES),
  total: COUNT,
  completed: COUNT,
  failed: COUNT,
  error: z.string(),
  from: z.number(),
  until: z.number(),
});

const STORED = z.object({
  operation: z.string(),
  openedAt: z.number(),
  row: ROW,
  place: z.object({ asked: z.string(), channel: z.string(), ts: z.string() }).optional(),
  announced: z.boolean().default(false),
});

const PREFIX = 'board ';

/** A plan has one row in each night. */
export const boardMemoryKey = ({ operation, openedAt }: Pick<StoredRow, 'operation' | 'openedAt'>): string =>
  `${PREFIX}${JSON.stringify([operation, openedAt])}`;

/** A night is not older (milliseconds). */
const LONGEST_NIGHT_MS = 12 * 3_600_000;

/** Whether the night of a row may go on, so that the entry of a deleted plan is still needed. */
export function isOfOpenNight(key: string, value: unknown, now: number): boolean {
  const { openedAt = -Infinity } = storedRow(key, value) ?? {};
  return now - openedAt < LONGEST_NIGHT_MS;
}

/** Undefined: it is no row of a board, or cannot be read. */
export function storedRow(key: string, value: unknown): StoredRow | undefined {
  if (!key.startsWith(PREFIX)) return undefined;
  const { data } = STORED.safeParse(value);
  return data === undefined ? undefined : { ...data, place: data.place };
}
