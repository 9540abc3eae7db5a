import type { Stall } from '../dispatch/delivery.ts';
import { wordsOf, type Notice } from '../sinks/notice.ts';
import { formatSeconds } from '../lifecycle/time.ts';
import type { Condition, Notification, NotificationStatus, SinkStatus } from '../resources/notification.ts';
import { rowOf } from './row.ts';
import { shortened, waitingInWords } from './words.ts';

/** What a look at a sink's secret found. */
export type SinkCheck =
  | {
      readonly ok: true;
      /** What was accepted and has no effect. */
      readonly notes: readonly string[];
      /** Why messages will not be what the user wished for, though they arrive. */
      readonly faults: readonly Notice[];
      /** Why the custom template has no effect; undefined: it has, or there is none. */
      readonly templateIgnored?: string;
    }
  /** CamelCase `reason`; `message` says what to do and never holds a credential. */
  | {
      readonly ok: false;
      readonly reason: string;
      readonly message: string;
      /** Nothing was found out: the API server is away. */
      readonly unavailable?: boolean;
    };

/** What a notification's status is made of. */
export interface Standing {
  readonly notification: Notification;
  /** Plans that the selector matches now. */
  readonly matched: number;
  /** What the last look at the sinks found; undefined before the first. */
  readonly ready: Condition | undefined;
  readonly durable: Condition;
  /** What became of deliveries, by sink. */
  readonly sinks: ReadonlyMap<string, SinkStatus>;
  /** How many were dropped since the last success, by sink and reason. */
  readonly losses: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** What the last look found, by sink. */
  readonly checks: ReadonlyMap<string, SinkCheck>;
  /** Why something waits, by sink: asked when the status is made, so that no row tells of a wait that is over. */
  readonly stall: (sink: string) => Stall | undefined;
}

/** The status to be written: pure. `observedGeneration` is that of the look, not of a spec nobody has looked at. */
export function statusOf({
  notification,
  matched,
  ready,
  durable,
  sinks,
  losses,
  checks,
  stall,
}: Standing): NotificationStatus {
  const rows = notification.sinks.map(({ name }) =>
    rowOf(
      sinks.get(name) ?? { name, consecutiveFailures: 0 },
      checks.get(name),
      stall(name),
      losses.get(name),
    ),
  );
  if (ready === undefined) return { matched, sinks: rows };
  return { matched, sinks: rows, observedGeneration: ready.observedGeneration, conditions: [ready, durable] };
}

/** The `Durable` condition: whether what is accepted outlives the process. */
export function durableCondition(
  { generation }: Notification,
  trouble: { readonly reason: string; readonly message: string } | undefined,
  before: Condition | undefined,
  now: number,
): Condition {
  const verdict =
    trouble === undefined
      ? ({ status: 'True', reason: 'Journalled', message: 'what waits is kept in journals' } as const)
      : ({ status: 'False', reason: trouble.reason, message: shortened(trouble.message) } as const);
  const lastTransitionTime =
    before?.status === verdict.status ? before.lastTransitionTime : formatSeconds(now);
  return { type: 'Durable', ...verdict, lastTransitionTime, observedGeneration: generation };
}

/**
 * The `Ready` condition after a look at all sinks of a generation. Its transition time moves only with its status.
 */
export function readyCondition(
  notification: Notification,
  checks: ReadonlyMap<string, SinkCheck>,
  said: Said,
  before: Condition | undefined,
  now: number,
): Condition {
  const verdict = verdictOf(notification, checks, said);
  const lastTransitionTime =
    before?.status === verdict.status ? before.lastTransitionTime : formatSeconds(now);
  return { type: 'Ready', ...verdict, lastTransitionTime, observedGeneration: notification.generation };
}

function verdictOf(
  { sinks }: Notification,
  checks: ReadonlyMap<string, SinkCheck>,
  { notices, failure, stall }: Said,
): Pick<Condition, 'status' | 'reason' | 'message'> {
  const faults: string[] = [];
  const failing: string[] = [];
  const throttled: string[] = [];
  const waiting: string[] = [];
  const degraded: string[] = [];
  const notes: string[] = [];
  const reasons = new Set<string>();
  for (const { name } of sinks) {
    const check = checks.get(name);
    const failed = failure(name);
    if (check?.ok === false) {
      reasons.add(check.reason);
      faults.push(`sink ${name}: ${check.message}`);
      continue;
    }
    if (failed?.kind === 'lasting') {
      reasons.add(failed.reason);
      faults.push(`sink ${name}: ${failed.message}`);
    } else if (failed?.kind === 'throttled')
      throttled.push(`sink ${name}: ${throttledInWords(failed.message, stall(name))}`);
    else if (failed?.kind === 'over-share') waiting.push(`sink ${name}: ${failed.message}`);
    else if (failed !== undefined) failing.push(`sink ${name}: ${failed.message}`);
    // What a look has found is not said again in the words of a delivery.
    const told = new Map((check?.faults ?? []).map((fault) => [fault.reason, fault]));
    for (const notice of notices(name)) if (!told.has(notice.reason)) told.set(notice.reason, notice);
    // What was doubtful has failed.
    if (told.has('TemplateExecutionFailed')) told.delete('TemplateDoubtful');
    for (const notice of told.values()) degraded.push(`sink ${name}: ${wordsOf(notice)}`);
    for (const note of check?.notes ?? []) notes.push(`sink ${name}: ${note}`);
  }
  const of = sinks.length;
  const troubles = [
    ...headed('not ready', faults, of),
    ...headed('failing', failing, of),
    ...headed('throttled', throttled, of),
    ...headed('waiting', waiting, of),
  ];
  const [reason] = reasons;
  if (reason !== undefined)
    return {
      status: 'False',
      reason: reasons.size === 1 ? reason : 'SinksNotReady',
      message: shortened([...troubles, ...degraded, ...notes].join('; ')),
    };
  const all = of === 1 ? 'the sink is ready' : `all ${of} sinks are ready`;
  const fine = degraded.length === 0 ? 'SinksReady' : DEGRADED;
  return {
    status: 'True',
    reason:
      failing.length > 0
        ? FAILING
        : throttled.length > 0
          ? THROTTLED
          : waiting.length > 0
            ? OVER_SHARE
            : fine,
    message: shortened([...(troubles.length === 0 ? [all] : troubles), ...degraded, ...notes].join('; ')),
  };
}

/** What is told of sinks alike, behind their number; of a notification's only sink its own words are enough. */
function headed(state: string, told: readonly string[], of: number): readonly string[] {
  const [first, ...more] = told;
  if (first === undefined || of === 1) return told;
  return [`${told.length} of ${of} sinks ${more.length === 0 ? 'is' : 'are'} ${state}: ${first}`, ...more];
}

const DEGRADED = 'MessagesDegraded';
const FAILING = 'DeliveriesFailing';
const THROTTLED = 'Throttled';
const OVER_SHARE = 'NamespaceOverShare';

/** Whether the condition tells of nothing to be mended. */
export const isFine = ({ status, reason }: Condition): boolean =>
  status === 'True' && ![DEGRADED, FAILING, THROTTLED, OVER_SHARE].includes(reason);

/** What deliveries have told of a sink, by its name. */
export interface Said {
  readonly notices: (sink: string) => Iterable<Notice>;
  /** Why the last one failed or waits; undefined: it does not. */
  readonly failure: (sink: string) => LastFailure | undefined;
  /** Why something of it waits just now. */
  readonly stall: (sink: string) => Stall | undefined;
}

/** Why the last send failed, or has to wait. */
export interface LastFailure {
  readonly reason: string;
  readonly message: string;
  /**
   * `lasting`: nothing will arrive until the configuration is corrected; `throttled`: the receiver asked for a pause; `over-share`: the
   * namespace has more than its share of what all share.
   */
  readonly kind: 'failing' | 'lasting' | 'throttled' | 'over-share';
}

/** What the condition says of what waits. */
export const failureOf = (stall: Stall): LastFailure => ({
  reason: stall.reason,
  message: stall.message,
  kind: KINDS[stall.kind],
});

const KINDS = {
  quarantined: 'lasting',
  paused: 'throttled',
  'over-share': 'over-share',
  parked: 'failing',
  held: 'failing',
} as const;

/** …and of a receiver that asks to wait, how many do now. */
function throttledInWords(message: string, stall: Stall | undefined): string {
  if (stall?.kind !== 'paused') return `the receiver asks to wait; ${message}`;
  const until = `nothing is sent before ${formatSeconds(stall.nextAt)}; ${waitingInWords(stall.waiting)}`;
  return `the receiver asks to wait: ${until}; ${message}`;
}
