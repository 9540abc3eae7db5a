import { z } from 'zod';
import type { Observed } from '../lifecycle/observed.ts';
import type { Journal, JournalEntry } from '../resources/journal.ts';
import { eventsOf, observedOf, type KeptEvent, type Subject } from './content.ts';
import { keptOfOld } from './old-layouts.ts';
import { unpack } from './text.ts';

/** What one sink remembers of a plan: its own JSON, under its own key. */
export interface Memory {
  /** `notification/sink` */
  readonly stream: string;
  readonly key: string;
  readonly value: unknown;
}

/** What a journal tells of a plan. */
export interface Kept {
  readonly gen: number;
  readonly observed: Observed;
  /** In order; each is made when it is asked for. */
  readonly events: () => Iterable<KeptEvent>;
  /** The oldest of each sink first. */
  readonly sinks: readonly Memory[];
  readonly outcomes: readonly string[];
  /** Characters of its texts, where they are those of an entry of today's layout: `sinks …` of a sink. */
  readonly lengths?: ReadonlyMap<string, number>;
}

const MEMORIES = z.array(z.tuple([z.string(), z.unknown()]));

/** A sink's memory as a journal carries it. */
export const memoriesText = (all: readonly Memory[]): string =>
  JSON.stringify(all.map(({ key, value }) => [key, value]));

/** What an entry tells; undefined when it cannot be read. */
export function readEntry(entry: ReturnType<Journal['plans']['get']>, subject: Subject): Kept | undefined {
  if (entry === undefined) return undefined;
  try {
    return 'layout' in entry ? keptOfOld(entry, subject) : keptOf(entry, subject);
  } catch {
    return undefined;
  }
}

function keptOf({ gen, observed, log, cursors, sinks, outcomes }: JournalEntry, subject: Subject): Kept {
  return {
    gen,
    observed: observedOf(unpack(observed)),
    events: log === undefined ? () => [] : eventsOf(unpack(log), unpack(cursors ?? '[]'), subject),
    sinks: Object.entries(sinks).flatMap(([stream, text]) =>
      MEMORIES.parse(unpack(text)).map(([key, value]) => ({ stream, key, value })),
    ),
    outcomes,
    lengths: new Map([
      ...Object.entries({ observed, log, cursors }).map(([part, text]) => [part, text?.length ?? 0] as const),
      ...Object.entries(sinks).map(([stream, text]) => [`sinks ${stream}`, text.length] as const),
    ]),
  };
}
