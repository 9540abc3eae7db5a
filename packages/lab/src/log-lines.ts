import * as z from 'zod';
import type { Drop, Timeout } from './record.ts';

const DROPPED = z.object({
  msg: z.literal('deliveries dropped'),
  notification: z.string(),
  sink: z.string(),
  reason: z.enum(['overflow', 'superseded']),
  count: z.number(),
});

const TIMED_OUT = z.object({
  msg: z.literal('attempt failed'),
  outcome: z.literal('ambiguous'),
  reason: z.literal('TimedOut'),
  sink: z.string(),
  plan: z.string(),
  event: z.string(),
});

/**
 * The deliveries that, by this line of hnotif's log, were dropped because a queue was full. The line names one plan, and may count
 * deliveries of others.
 */
export function dropIn(line: string, at: number): readonly Drop[] {
  if (!line.includes('"msg":"deliveries dropped"')) return [];
  const { data } = DROPPED.safeParse(JSON.parse(line));
  if (data === undefined) return [];
  const { notification, sink, count } = data;
  return [{ namespace: notification.split('/')[0] ?? '', sink, plan: '', count, at }];
}

/** The request that, by this line of hnotif's log, had no answer within its time limit. */
export function timeoutIn(line: string, at: number): readonly Timeout[] {
  if (!line.includes('"reason":"TimedOut"')) return [];
  const { data } = TIMED_OUT.safeParse(JSON.parse(line));
  if (data === undefined) return [];
  const { sink, plan, event } = data;
  return [{ sink, plan: plan.split('/').at(-1) ?? '', kind: event, at }];
}
