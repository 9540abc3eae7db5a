import { hash } from 'node:crypto';
import type { LifecycleEvent, TargetState } from '../../../lifecycle/event.ts';
import type { EventKind } from '../../../resources/kinds.ts';
import { cutText } from '../../../render/cut.ts';
import { cleanLine } from '../../../render/one-line.ts';
import { unsuccessfulFirst } from '../../../render/targets.ts';
import { tallyOf, type Tally } from '../../../render/tally.ts';
import { sinkKey, type SinkAddress } from '../../../resources/sink-address.ts';
import type { MemoryKey } from '../../memory.ts';
import { isFromBefore } from '../../roots/is-from-before.ts';
import { isTerminal, type RootStatus } from '../../roots/root-status.ts';

/** The most target lines of a card: the highest `max_targets`, and one for the rest. */
const MOST_TARGETS = 101;

/** A card shows at most so much of an error (UTF-16 units): a screen of a phone. */
export const LONGEST_ERROR = 1_200;
/** Kept of an error: a card also says how many lines it leaves out. */
const KEPT_ERROR = 8_000;
/** Kept of a target's message: more than a shown error, since a message that the error contains is not shown. */
const KEPT_MESSAGE = LONGEST_ERROR + 100;

/** An event with only the targets and texts that a card shows: roots live for days, and a plan may have 10,000 targets. */
export interface ShownEvent extends LifecycleEvent {
  /** The counts of all targets; `targets` has the first ones, in the order of lines. */
  readonly tally: Tally;
}

/** The state of a root: one operation of one cycle of a plan. */
export interface Root {
  readonly status: RootStatus;
  /** The event whose phase, targets and time are shown. */
  readonly shown: ShownEvent;
  /** The newest attempt; 0: there was no retry. */
  readonly retryCount: number;
  /** Of the newest Failure or Recovery, until the run succeeds or starts again. */
  readonly errorMessage: string;
  /** Of the newest event, shown or not. */
  readonly lastSeq: number;
}

/** The key of an event's root; undefined: the event has no thread. JSON, because it is unambiguous. */
export const rootKey = (address: SinkAddress, event: LifecycleEvent): string | undefined =>
  event.cycle === ''
    ? undefined
    : JSON.stringify([sinkKey(address), event.planUid, event.cycle, event.operation]);

/** Where a root is stored. */
export function partsOfRootKey(root: string): MemoryKey {
  const [sink = '', planUid = '', cycle = '', operation = ''] = JSON.parse(root) as string[];
  const [namespace = '', notification = '', name = ''] = sink.split('/');
  return {
    address: { namespace, notification, sink: name },
    planUid,
    key: JSON.stringify([cycle, operation]),
  };
}

export const rootKeyOf = ({ address, planUid, key }: MemoryKey): string =>
  JSON.stringify([sinkKey(address), planUid, ...(JSON.parse(key) as string[])]);

export const addressOfRoot = (root: string): SinkAddress => partsOfRootKey(root).address;

/**
 * The root after one more event. Each event counts once, in the order of `seq`. After a terminal status only another Success or Failure
 * changes the card. Other events only add a reply to the thread. So does a replay of an earlier Start or Recovery.
 */
export function fold(root: Root | undefined, event: LifecycleEvent): Root {
  if (root === undefined) return after(undefined, event);
  if (event.seq <= root.lastSeq) return root;
  const isOnlyReply = isTerminal(root.status) && !isTerminal(statusOf(event.kind));
  if (isOnlyReply || isFromBefore(event, Date.parse(root.shown.timestamp)))
    return { ...root, lastSeq: event.seq };
  return after(root, event);
}

/** A restarted process may not know that a root has ended: a terminal status in the chat counts, and stays until the next end. */
export const ended = (root: Root, there: RootStatus): Root =>
  isTerminal(there) && !isTerminal(root.status) ? { ...root, status: there } : root;

/** A digest of what is shown: equal digests, equal cards. */
export const digestOf = ({ status, shown, retryCount, errorMessage }: Root): string =>
  hash('sha256', JSON.stringify([status, shown.id, retryCount, errorMessage]), 'base64url');

function after(root: Root | undefined, event: LifecycleEvent): Root {
  const { kind } = event;
  const before = kind === 'Start' ? undefined : root;
  const tellsError = kind === 'Failure' || kind === 'Recovery';
  const shown = shownOf(event);
  return {
    // A second Start within a run does not set it back to Starting.
    status: kind === 'Start' && root?.status === 'In Progress' ? root.status : statusOf(kind),
    shown,
    retryCount: tellsError ? event.retryCount : (before?.retryCount ?? 0),
    errorMessage: tellsError ? shown.errorMessage : kind === 'Success' ? '' : (before?.errorMessage ?? ''),
    lastSeq: event.seq,
  };
}

function shownOf(event: LifecycleEvent): ShownEvent {
  const { errorMessage, targetExecution, targets } = event;
  const kept = targets.length > MOST_TARGETS ? unsuccessfulFirst(targets).slice(0, MOST_TARGETS) : targets;
  return {
    ...event,
    errorMessage: keptOf(errorMessage, KEPT_ERROR),
    targetExecution: targetExecution && briefly(targetExecution),
    targets: kept.map(briefly),
    tally: tallyOf(targets),
  };
}

const briefly = (target: TargetState): TargetState =>
  target.message.length <= KEPT_MESSAGE
    ? target
    : { ...target, message: keptOf(cleanLine(target.message), KEPT_MESSAGE) };

/** A part of a string would hold the whole in memory: it is copied. */
const keptOf = (text: string, most: number): string =>
  text.length <= most ? text : Buffer.from(cutText(text, most)).toString();

function statusOf(kind: EventKind): RootStatus {
  if (kind === 'Success') return 'Completed';
  if (kind === 'Failure') return 'Failed';
  return kind === 'Start' ? 'Starting' : 'In Progress';
}
