import * as z from 'zod';
import type { ApiBody } from '../outcomes.ts';
import { type Marker, markerOf } from './marker.ts';

/** A message of hnotif in the history. */
export interface FoundMessage {
  readonly ts: string;
  readonly marker: Marker;
}

export interface Page {
  /** The number of messages, including those of others. */
  readonly count: number;
  readonly ours: readonly FoundMessage[];
  /** When the oldest message was posted (milliseconds since the epoch); undefined: there is none. */
  readonly oldest: number | undefined;
  /** Of the next page; `''`: this is the last one. */
  readonly cursor: string;
}

export interface PageQuery {
  readonly channel: string;
  /** Milliseconds since the epoch, both ends exclusive. */
  readonly oldest: number;
  readonly latest: number;
  readonly limit: number;
  readonly cursor: string;
}

/** The fields of a query. */
export const formOf = ({ channel, oldest, latest, limit, cursor }: PageQuery): Record<string, string> => ({
  channel,
  oldest: (oldest / 1000).toFixed(6),
  latest: (latest / 1000).toFixed(6),
  limit: String(limit),
  include_all_metadata: 'true',
  ...(cursor !== '' && { cursor }),
});

const message = z.object({ ts: z.string(), metadata: z.unknown().optional() });

/** The page of an answer. */
export function pageOf(body: ApiBody): Page {
  const all = Array.isArray(body.messages) ? (body.messages as readonly unknown[]) : [];
  const read = all.flatMap((each) => message.safeParse(each).data ?? []);
  const ours = read.flatMap(({ ts, metadata }) => {
    const marker = markerOf(metadata);
    return marker === undefined ? [] : [{ ts, marker }];
  });
  const times = read.map(({ ts }) => timeOf(ts)).filter(Number.isFinite);
  return {
    count: all.length,
    ours,
    oldest: times.length === 0 ? undefined : Math.min(...times),
    cursor: body.response_metadata?.next_cursor ?? '',
  };
}

/** Slack's `ts` is when a message was posted, in seconds. */
export const timeOf = (ts: string): number => Number(ts) * 1000;
