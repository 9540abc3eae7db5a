import * as z from 'zod';
import { COUNT, EVENT, TARGET_ROW, targetOf, type Subject } from '../lifecycle/event-json.ts';
import type { OldEntry } from '../resources/journal.ts';
import { CHANGE, storedEvents, OBSERVED, observedOf, STREAM, type StoredLog } from './content.ts';
import type { StoredPlan } from './entry.ts';
import { inflate } from './text.ts';

/**
 * Layouts 1 and 2 are read, but not written: one text for the only plan of a journal. `table` is left out if it is equal to the observed
 * one. A root is the stored data of a thread of a teamchat sink.
 */
const REST = {
  observed: OBSERVED,
  table: z.array(TARGET_ROW).optional(),
  roots: z.array(z.looseObject({ key: z.string() })).default([]),
  outcomes: z.array(z.string()).max(20).catch([]),
};
const LOGGED = EVENT.extend({ acceptedAt: z.number(), change: CHANGE.optional() });

/** Each event names the streams in which it waits. */
const LAYOUT_1 = z.object({
  ...REST,
  streams: z.array(STREAM).default([]),
  log: z.array(LOGGED.extend({ waits: z.array(COUNT) })).default([]),
});

/** An event waits in the streams of its group (`to`), except in those that are past it (`next`) or skip it (`skips`). */
const LAYOUT_2 = z.object({
  ...REST,
  streams: z
    .array(STREAM.extend({ next: COUNT, skips: z.array(z.tuple([COUNT, COUNT]).readonly()).optional() }))
    .default([]),
  groups: z.array(z.array(COUNT)).default([]),
  log: z.array(LOGGED.extend({ to: COUNT })).default([]),
});

/** The content of either layout. */
type Layout = Pick<z.output<typeof LAYOUT_1>, 'observed' | 'table' | 'roots' | 'outcomes'> &
  Pick<StoredLog, 'streams' | 'waits'> & { readonly log: readonly z.output<typeof LOGGED>[] };

/** Reads an entry of an old layout. Throws for invalid content. */
export function readOldEntry({ layout, encoding, content, gen }: OldEntry, subject: Subject): StoredPlan {
  const json = encoding === 'json' ? (JSON.parse(content) as unknown) : inflate(content);
  const { observed, table, log, roots, outcomes, streams, waits } =
    layout === 1 ? layout1(json) : layout2(json);
  const kept: StoredLog = {
    ...{ events: log, streams, waits },
    first: (table ?? observed.targets).map(targetOf),
    change: (index) => log[index]?.change,
  };
  return {
    gen,
    observed: observedOf(observed),
    events: () => storedEvents(kept, subject),
    sinks: roots.flatMap((root) => memoryOf(root, subject)),
    outcomes: Object.fromEntries(outcomes.entries()),
    lengths: new Map(),
  };
}

function layout1(json: unknown): Layout {
  const { log, ...content } = LAYOUT_1.parse(json);
  return { ...content, log, waits: (at) => log[at]?.waits ?? [] };
}

function layout2(json: unknown): Layout {
  const { log, streams, groups, ...content } = LAYOUT_2.parse(json);
  const waits = (at: number): readonly number[] => {
    const { seq, to } = log[at] ?? { seq: 0, to: -1 };
    return (groups[to] ?? []).filter((place) => {
      const { next, skips = [] } = streams[place] ?? { next: Infinity };
      return seq >= next && !skips.some(([first, last]) => first <= seq && seq <= last);
    });
  };
  return {
    ...content,
    log,
    streams: streams.map(({ notification, sink, type }) => ({ notification, sink, type })),
    waits,
  };
}

/** `key` was the JSON of the sink's key, the plan's uid, the cycle and the operation. */
function memoryOf({ key, ...root }: { readonly key: string }, { name }: Subject): StoredPlan['sinks'] {
  const parts = z.tuple([z.string(), z.string(), z.string(), z.string()]).safeParse(JSON.parse(key));
  if (!parts.success) return [];
  const [sink, , cycle, operation] = parts.data;
  const stream = sink.split('/').slice(1).join('/');
  return [{ stream, key: JSON.stringify([cycle, operation]), value: { ...root, plan: name } }];
}
