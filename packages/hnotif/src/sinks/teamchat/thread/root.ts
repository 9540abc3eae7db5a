import { hash } from 'node:crypto';
import type { LifecycleEvent } from '../../../lifecycle/event.ts';
import type { EventKind } from '../../../resources/kinds.ts';
import { troubledFirst } from '../../../render/targets.ts';
import { tallyOf, type Tally } from '../presets/tally.ts';
import { sinkKey, type SinkAddress } from '../../../resources/sink-address.ts';
import type { MemoryKey } from '../../memory.ts';

export const ROOT_STATUSES = ['Starting', 'In Progress', 'Completed', 'Failed'] as const;
export type RootStatus = (typeof ROOT_STATUSES)[number];

/** Target lines that any card shows: `max_targets` may be so many, and one more tells that there are others. */
const MOST_TARGETS = 101;

/** Of an event what cards are made of: roots outlive their events by days, and a plan may have 10,000 targets. */
export interface ShownEvent extends LifecycleEvent {
  /** How all targets stand; `targets` has the first of them in the order of lines. */
  readonly tally: Tally;
}

/** What the root of a thread shows: where one operation of one cycle of a plan stands. */
export interface Root {
  readonly status: RootStatus;
  /** The event whose phase, targets and time are shown. */
  readonly shown: ShownEvent;
  /** The newest attempt; 0: there was no retry. */
  readonly retryCount: number;
  /** Of the newest Failure or Recovery, until the run succeeds or begins anew. */
  readonly errorMessage: string;
  /** Of the newest event, shown or not. */
  readonly lastSeq: number;
}

/** Which root an event belongs to; undefined: none, it is a message of its own. JSON, because it is unambiguous. */
export const rootKey = (address: SinkAddress, event: LifecycleEvent): string | undefined =>
  event.cycle === ''
    ? undefined
    : JSON.stringify([sinkKey(address), event.planUid, event.cycle, event.operation]);

/** Where what is remembered of a root is kept. */
export function partsOfRootKey(root: string): MemoryKey {
  const [sink = '', planUid = '', cycle = '', operation = ''] = JSON.parse(root) as string[];
  const [namespace = '', notification = '', name = ''] = sink.split('/');
  return {
    address: { namespace, notification, sink: name },
    planUid,
    key: JSON.stringify([cycle, operation]),
  };
}

/** The key of the root that is remembered there. */
export const rootKeyOf = ({ address, planUid, key }: MemoryKey): string =>
  JSON.stringify([sinkKey(address), planUid, ...(JSON.parse(key) as string[])]);

/** The sink of a root. */
export const addressOfRoot = (root: string): SinkAddress => partsOfRootKey(root).address;

export const isTerminal = (status: RootStatus): boolean => status === 'Completed' || status === 'Failed';

/**
 * The root after one more event. Each counts once, in the order of `seq`. Once terminal only another Success or Failure
 * changes what is shown: whatever else comes is told in the thread alone.
 */
export function fold(root: Root | undefined, event: LifecycleEvent): Root {
  if (root === undefined) return after(undefined, event);
  if (event.seq <= root.lastSeq) return root;
  if (isTerminal(root.status) && !isTerminal(statusOf(event.kind))) return { ...root, lastSeq: event.seq };
  return after(root, event);
}

/**
 * The root of which the chat says that it has ended: a process that begins anew knows only what it saw itself. What is shown
 * there stays until the next end.
 */
export const ended = (root: Root, there: RootStatus): Root =>
  isTerminal(there) && !isTerminal(root.status) ? { ...root, status: there } : root;

/** What is shown, as a short text: equal texts, equal cards. */
export const digestOf = ({ status, shown, retryCount, errorMessage }: Root): string =>
  hash('sha256', JSON.stringify([status, shown.id, retryCount, errorMessage]), 'base64url');

function after(root: Root | undefined, event: LifecycleEvent): Root {
  const { kind } = event;
  const before = kind === 'Start' ? undefined : root;
  const tellsError = kind === 'Failure' || kind === 'Recovery';
  return {
    // Starting, then In Progress: a second Start within a run is no step back.
    status: kind === 'Start' && root?.status === 'In Progress' ? root.status : statusOf(kind),
    shown: shownOf(event),
    retryCount: tellsError ? event.retryCount : (before?.retryCount ?? 0),
    errorMessage: tellsError ? event.errorMessage : kind === 'Success' ? '' : (before?.errorMessage ?? ''),
    lastSeq: event.seq,
  };
}

function shownOf(event: LifecycleEvent): ShownEvent {
  const { targets } = event;
  const kept = targets.length > MOST_TARGETS ? troubledFirst(targets).slice(0, MOST_TARGETS) : targets;
  return { ...event, targets: kept, tally: tallyOf(targets) };
}

function statusOf(kind: EventKind): RootStatus {
  if (kind === 'Success') return 'Completed';
  if (kind === 'Failure') return 'Failed';
  return kind === 'Start' ? 'Starting' : 'In Progress';
}
