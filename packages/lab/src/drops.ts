import * as z from 'zod';
import type { Drop } from './record.ts';

const LINE = z.object({
  msg: z.enum(['deliveries dropped', 'deliveries of an earlier process ended']),
  sink: z.string(),
  plan: z.string().default(''),
  reason: z.enum(['overflow', 'superseded']),
  count: z.number(),
});

/** The deliveries that, by this line of hnotif's log, were dropped because a queue was full. */
export function dropIn(line: string): readonly Drop[] {
  if (!line.includes('"msg":"deliveries ')) return [];
  const { data } = LINE.safeParse(JSON.parse(line));
  return data === undefined
    ? []
    : [{ sink: data.sink, plan: data.plan.split('/').at(-1) ?? '', count: data.count }];
}
