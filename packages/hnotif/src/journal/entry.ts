import * as z from 'zod';
import type { Subject, Observed } from '@hnotif/core/lifecycle';
import type { JournalEntry } from '@hnotif/core/resources';
import type { MemoryKey } from '@hnotif/core/sinks';
import { eventsOf, OBSERVED, observedOf, type StoredEvent } from './content.ts';
import { ifValid, Unpacker, type Sizes } from './text.ts';

/** A value that a sink stores for a plan: its own JSON, under its own key. */
export interface StoredValue {
  /** `notification/sink` */
  readonly stream: string;
  readonly key: string;
  readonly value: unknown;
  /** Whether another process saved it. */
  readonly restored?: true;
}

/** Where a sink finds this value of a plan. */
export function memoryKey({ namespace, uid }: Subject, { stream, key }: StoredValue): MemoryKey {
  const [notification = '', sink = ''] = stream.split('/');
  return { address: { namespace, notification, sink }, planUid: uid, key };
}

/** The entry of a plan, as read from a journal. */
export interface StoredPlan {
  readonly gen: number;
  readonly observed: Observed;
  /** In order. Each is made on demand. */
  readonly events: () => Iterable<StoredEvent>;
  /** The oldest of each sink first. */
  readonly sinks: readonly StoredValue[];
  /** Of progress and phase changes. */
  readonly outcomes: Readonly<Record<string, string>>;
  /** Of the events that say how runs went. */
  readonly nights: Readonly<Record<string, string>>;
  /** The lengths of the texts (characters), by name: `log 12`, `sinks night/ops`. */
  readonly lengths: ReadonlyMap<string, number>;
  readonly sizes: Sizes;
}

const MEMORIES = z.array(z.tuple([z.string(), z.unknown()]));

/** The values of a sink as JSON. */
export const valuesText = (all: readonly StoredValue[]): string =>
  JSON.stringify(all.map(({ key, value }) => [key, value]));

/** Reads an entry; undefined when it cannot be read. */
export const readEntry = (entry: JournalEntry | undefined, subject: Subject): StoredPlan | undefined =>
  entry && ifValid(() => readPresentEntry(entry, subject));

function readPresentEntry(entry: JournalEntry, subject: Subject): StoredPlan {
  const { gen, streams, cursors, log, sinks, outcomes, nights, plan } = entry;
  const texts = new Unpacker();
  const observed = OBSERVED.parse(texts.read('observed', entry.observed));
  const chunks = Object.entries(log).sort(([a], [b]) => Number(a) - Number(b));
  const json = {
    observed,
    streams: texts.read('streams', streams) ?? { streams: [], groups: [] },
    cursors: texts.read('cursors', cursors) ?? [],
    events: chunks.map(([at, text]) => texts.read(`log ${at}`, text)),
  };
  const { lengths, sizes } = texts;
  if (plan !== undefined) lengths.set('plan', plan.length);
  return {
    observed: observedOf(observed),
    events: eventsOf(json, subject),
    sinks: Object.entries(sinks).flatMap(([stream, text]) =>
      MEMORIES.parse(texts.read(`sinks ${stream}`, text)).map(([key, value]) => ({
        ...{ stream, key, value },
        restored: true as const,
      })),
    ),
    ...{ gen, outcomes, nights, lengths, sizes },
  };
}
