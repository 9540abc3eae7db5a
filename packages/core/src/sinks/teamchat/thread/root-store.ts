import * as z from 'zod';
import {
  COUNT,
  EVENT,
  eventOf,
  plainEvent,
  TARGET_ROW,
  targetRowOf,
  targetOf,
} from '../../../lifecycle/event-json.ts';
import type { MemoryKey, SinkMemory } from '../../memory.ts';
import { LOCATION, type RootPlace } from '../../roots/root-state.ts';
import { ROOT_STATUSES } from '../../roots/root-status.ts';
import { digestOf, rootKeyOf, type Root } from './root.ts';

/**
 * The stored data of a root. Requests wait for it: a record is saved before its root is posted, again with its location before the
 * first reply, and with each change before the card shows it. Otherwise a card could go back after a kill. Replies do not wait: the
 * outcome of a reply is stored together with the record.
 */
export interface RootRecord extends RootPlace {
  readonly desired: Root;
}

const TALLY = z.object({
  total: COUNT,
  completed: COUNT,
  failed: COUNT,
  aborted: COUNT,
  running: COUNT,
  pending: COUNT,
});

/** A record in a journal. */
const RECORD = z.object({
  /** The plan's name. */
  plan: z.string(),
  status: z.enum(ROOT_STATUSES),
  shown: EVENT.extend({ targets: z.array(TARGET_ROW), tally: TALLY }),
  retryCount: COUNT,
  errorMessage: z.string(),
  lastSeq: COUNT,
  sent: z.string(),
  place: LOCATION.optional(),
});

/** A record in the memory of this process. Its JSON is made when it is written: most records are replaced before. */
export class SavedRecord {
  readonly record: RootRecord;

  constructor(record: RootRecord) {
    this.record = record;
  }

  toJSON(): object {
    return memoryOf(this.record);
  }
}

/** The record in a sink's memory; undefined: there is none, or it cannot be read. The root is then searched for in the channel. */
export function recordOf({ address, planUid }: MemoryKey, value: unknown): RootRecord | undefined {
  if (value instanceof SavedRecord) return value.record;
  const parsed = RECORD.safeParse(value);
  if (!parsed.success) return undefined;
  const { plan, shown, sent, place, ...root } = parsed.data;
  const { targets: rows, tally, ...event } = shown;
  const subject = { namespace: address.namespace, name: plan, uid: planUid };
  const targets = rows.map(targetOf);
  const desired = { ...root, shown: { ...eventOf(event, targets, subject), tally } };
  return { desired, sent, location: place };
}

/** A record as JSON. */
export function memoryOf({ desired, sent, location }: RootRecord): z.input<typeof RECORD> {
  const { shown, ...root } = desired;
  const { plan, targets, tally } = shown;
  return {
    ...root,
    plan,
    shown: { ...plainEvent(shown), targets: targets.map(targetRowOf), tally },
    sent,
    ...(location && { place: location }),
  };
}

/** The record of a root; undefined: there is none, or it cannot be read. */
export const recordIn = (memory: SinkMemory | undefined, at: MemoryKey): RootRecord | undefined =>
  memory && recordOf(at, memory.load(at));

/** The key of a posted root that is stale; undefined: it is not. */
export function staleRoot(at: MemoryKey, value: unknown): string | undefined {
  const record = recordOf(at, value);
  const isStale = record?.location !== undefined && record.sent !== digestOf(record.desired);
  return isStale ? rootKeyOf(at) : undefined;
}
