import { z } from 'zod';
import type { TargetState } from '../../../lifecycle/event.ts';
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
import { tallyOf, type Tally } from '../presets/tally.ts';
import { digestOf, partsOfRootKey, ROOT_STATUSES, rootKeyOf, type Root } from './root.ts';

/** Where a root stands. */
export interface RootLocation {
  /** The channel as the configuration names it: another name is another root. */
  readonly asked: string;
  /** The channel as the chat names it, which is what updates and replies use. */
  readonly channel: string;
  readonly ts: string;
}

/** What has to outlive the process for a root to be one. */
export interface RootRecord {
  readonly desired: Root;
  /** Digest of what the chat shows; `''`: not known. */
  readonly sent: string;
  /** Undefined: it is about to be posted, or may have been without an answer. */
  readonly location: RootLocation | undefined;
}

/**
 * Keeps the records of roots. A record is saved before its root is posted, with its location before the first reply, and with
 * what an event changed before the reply to it; requests wait for that.
 */
export interface RootStore {
  load(key: string): RootRecord | undefined;
  /** Must not reject. */
  save(key: string, record: RootRecord): void | Promise<void>;
}

const TALLY = z.object({
  total: COUNT,
  completed: COUNT,
  failed: COUNT,
  aborted: COUNT,
  running: COUNT,
  pending: COUNT,
});

/** A record as a journal has it. Earlier versions have no tally, and read `total` and `done` (all that had ended). */
const RECORD = z.object({
  /** The plan's name. */
  plan: z.string(),
  status: z.enum(ROOT_STATUSES),
  shown: EVENT.extend({ targets: z.array(TARGET_ROW), total: COUNT, done: COUNT, tally: TALLY.optional() }),
  retryCount: COUNT,
  errorMessage: z.string(),
  lastSeq: COUNT,
  sent: z.string(),
  place: z.object({ asked: z.string(), channel: z.string(), ts: z.string() }).optional(),
});

/** The record that a sink's memory holds; undefined: none, or one that cannot be read. The root is then looked for in the channel. */
export function recordOf({ address, planUid }: MemoryKey, value: unknown): RootRecord | undefined {
  const parsed = RECORD.safeParse(value);
  if (!parsed.success) return undefined;
  const { plan, shown, sent, place, ...root } = parsed.data;
  const { targets: rows, total, done, tally: kept, ...event } = shown;
  const subject = { namespace: address.namespace, name: plan, uid: planUid };
  const targets = rows.map(targetOf);
  const tally = kept ?? earlierTally(targets, total, done);
  const desired = { ...root, shown: { ...eventOf(event, targets, subject), tally } };
  return { desired, sent, location: place };
}

/** Of a table that was cut the first targets are kept, those in trouble among them: the others that had ended were completed. */
function earlierTally(targets: readonly TargetState[], total: number, done: number): Tally {
  const tally = tallyOf(targets);
  const completed = Math.max(0, done - tally.failed - tally.aborted);
  return targets.length === total ? tally : { ...tally, total, completed };
}

/** A record as JSON. */
export function memoryOf({ desired, sent, location }: RootRecord): z.input<typeof RECORD> {
  const { shown, ...root } = desired;
  const { plan, targets, tally } = shown;
  const done = tally.completed + tally.failed + tally.aborted;
  return {
    ...root,
    plan,
    shown: { ...plainEvent(shown), targets: targets.map(targetRowOf), total: tally.total, done, tally },
    sent,
    ...(location && { place: location }),
  };
}

/** The roots that sinks remember. */
export const rootStore = (memory: SinkMemory): RootStore => ({
  load: (key) => {
    const at = partsOfRootKey(key);
    return recordOf(at, memory.load(at));
  },
  save: (key, record) => memory.save(partsOfRootKey(key), memoryOf(record)),
});

/** The key of a root that stands and does not show what it should; undefined: nothing is wrong with it. */
export function staleRoot(at: MemoryKey, value: unknown): string | undefined {
  const record = recordOf(at, value);
  const isStale = record?.location !== undefined && record.sent !== digestOf(record.desired);
  return isStale ? rootKeyOf(at) : undefined;
}
