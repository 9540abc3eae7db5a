import type { Why } from '../dispatch/circuit-breaker.ts';
import type { Stall, StallKind } from '../dispatch/delivery.ts';
import { describeDegradation, type Degradation } from '../sinks/degradation.ts';
import { formatSeconds } from '../lifecycle/time.ts';
import type { Condition, Notification, NotificationStatus, SinkStatus } from '../resources/notification.ts';
import { sinkStatusOf, type Losses } from './sink-status.ts';
import { shortened, waitingInWords } from './words.ts';

/** What a look at a sink's secret found. */
export type SinkCheck =
  | {
      readonly ok: true;
      /** What was accepted and has no effect. */
      readonly notes: readonly string[];
      /** Why messages will not be what the user wished for, though they arrive. */
      readonly faults: readonly Degradation[];
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
export interface StatusInputs {
  readonly notification: Notification;
  /** Plans that the selector matches now. */
  readonly matched: number;
  /** What the last look at the sinks found; undefined before the first. */
  readonly ready: Condition | undefined;
  readonly durable: Condition;
  /** RFC 3339. */
  readonly observedAt: string;
  /** What became of deliveries, by sink. */
  readonly sinks: ReadonlyMap<string, SinkStatus>;
  readonly losses: ReadonlyMap<string, Losses>;
  /** What the last look found, by sink. */
  readonly checks: ReadonlyMap<string, SinkCheck>;
  /** Why something waits, by sink: asked when the status is made, so that no row tells of a wait that is over. */
  readonly stall: (sink: string) => Stall | undefined;
}

/** The status to be written: pure. `observedGeneration` is that of the look, not of a newer spec. */
export function statusOf({
  notification,
  matched,
  ready,
  durable,
  observedAt,
  sinks,
  losses,
  checks,
  stall,
}: StatusInputs): NotificationStatus {
  let waiting = 0;
  const rows = notification.sinks.map(({ name }) => {
    const row = sinks.get(name) ?? { name, consecutiveFailures: 0 };
    const stalled = stall(name);
    waiting += stalled?.waiting ?? 0;
    return sinkStatusOf(row, checks.get(name), stalled, losses.get(name));
  });
  if (ready === undefined) return { matched, sinks: rows };
  const { observedGeneration } = ready;
  return { matched, waiting, sinks: rows, observedGeneration, observedAt, conditions: [ready, durable] };
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
  said: ReadyInputs,
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
  { notices, failure, stall, unmatched, unserved }: ReadyInputs,
): Pick<Condition, 'status' | 'reason' | 'message'> {
  const faults: SinkProblem[] = [];
  const troubles = new Map<Trouble, SinkProblem[]>();
  const degraded: string[] = [];
  const notes: string[] = [];
  for (const { name } of sinks) {
    const check = checks.get(name);
    const stalled = stall(name);
    if (check?.ok === false) {
      faults.push(problemOf(name, check, stalled && inWords(stalled)));
      continue;
    }
    const failed = failure(name);
    if (stalled?.lasting === true) faults.push(problemOf(name, stalled, inWords(stalled)));
    else if (failed?.lasting === true) faults.push(problemOf(name, failed));
    else if (stalled !== undefined)
      put(troubles, TROUBLES[stalled.kind], problemOf(name, stalled, inWords(stalled)));
    else if (failed !== undefined) put(troubles, 'failing', problemOf(name, failed));
    // What a look has found is not said again in the words of a delivery.
    const news = new Map((check?.faults ?? []).map((fault) => [fault.reason, fault]));
    const happened = new Set<string>();
    for (const notice of notices(name)) {
      happened.add(notice.reason);
      if (!news.has(notice.reason)) news.set(notice.reason, notice);
    }
    // What was doubtful has failed.
    if (news.has('TemplateExecutionFailed')) news.delete('TemplateDoubtful');
    for (const notice of news.values())
      degraded.push(`sink ${name}: ${describeDegradation(notice, happened.has(notice.reason))}`);
    for (const note of check?.notes ?? []) notes.push(`sink ${name}: ${note}`);
  }
  const of = sinks.length;
  const bad = [
    ...(unserved === undefined ? [] : [unserved.message]),
    ...headed('not ready', faults, of),
    ...ORDER.flatMap((trouble) => headed(trouble, troubles.get(trouble) ?? [], of)),
  ];
  const isBad = unserved !== undefined || faults.length > 0;
  const all = of === 1 ? 'the sink is ready' : `all ${of} sinks are ready`;
  const first = [...(bad.length === 0 ? [all] : bad), ...(unmatched === undefined ? [] : [unmatched])];
  const message = shortened([...first, ...degraded, ...notes].join('; '));
  if (isBad) {
    const reasons = new Set(
      [...(unserved === undefined ? [] : [unserved]), ...faults].map(({ reason }) => reason),
    );
    const [reason = ''] = reasons;
    return { status: 'False', reason: reasons.size === 1 ? reason : 'SinksNotReady', message };
  }
  return {
    status: 'True',
    reason: reasonOf(troubles, degraded.length > 0, unmatched !== undefined),
    message,
  };
}

function reasonOf(
  troubles: ReadonlyMap<Trouble, readonly SinkProblem[]>,
  isDegraded: boolean,
  isUnmatched: boolean,
): string {
  for (const trouble of ORDER) {
    const [first] = troubles.get(trouble) ?? [];
    if (first !== undefined) return trouble === 'waiting' ? first.reason : REASONS[trouble];
  }
  return isUnmatched ? UNMATCHED : isDegraded ? DEGRADED : READY;
}

/** Of sinks that could send: what is told of them, the worst first. */
type Trouble = 'failing' | 'throttled' | 'waiting' | 'late' | 'behind';

const TROUBLES: Readonly<Record<StallKind, Trouble>> = {
  quarantined: 'failing',
  parked: 'failing',
  held: 'failing',
  paused: 'throttled',
  blocked: 'waiting',
  late: 'late',
  behind: 'behind',
};

const ORDER: readonly Trouble[] = ['failing', 'throttled', 'waiting', 'late', 'behind'];

/** What waits for something else than its receiver has the reason of that. */
const REASONS: Readonly<Record<Exclude<Trouble, 'waiting'>, string>> = {
  failing: 'DeliveriesFailing',
  throttled: 'Throttled',
  late: 'DeliveriesLate',
  behind: 'RateLimited',
};

const READY = 'SinksReady';
const DEGRADED = 'MessagesDegraded';
const UNMATCHED = 'NoPlanMatches';

interface SinkProblem {
  readonly reason: string;
  readonly words: string;
}

const problemOf = (sink: string, { reason, message }: Why, more = ''): SinkProblem => ({
  reason,
  words: `sink ${sink}: ${more}${message}`,
});

function put<Key>(all: Map<Key, SinkProblem[]>, key: Key, one: SinkProblem): void {
  all.set(key, [...(all.get(key) ?? []), one]);
}

/** What is told of sinks alike, behind their number; of a notification's only sink its own words are enough. */
function headed(state: string, told: readonly SinkProblem[], of: number): readonly string[] {
  const [first, ...more] = told.map(({ words }) => words);
  if (first === undefined) return [];
  if (of === 1) return [first];
  return [`${told.length} of ${of} sinks ${more.length === 0 ? 'is' : 'are'} ${state}: ${first}`, ...more];
}

/** How many deliveries wait, since when and until when. */
function inWords(stall: Stall): string {
  const { kind, since, nextAt } = stall;
  const deliveries = waitingInWords(stall);
  const head = since === Infinity ? deliveries : `${deliveries} since ${formatSeconds(since)}`;
  const next = formatSeconds(nextAt);
  switch (kind) {
    case 'paused':
      return `${head}; the receiver asks to wait, and nothing is sent before ${next}; `;
    case 'behind':
      return `${head}, until about ${next}; `;
    case 'held':
      return `${deliveries} while others arrive; the next try is due at ${next}; `;
    default:
      return nextAt === 0 ? `${head}; ` : `${head}; the next try is due at ${next}; `;
  }
}

/** Whether the condition tells of nothing to be corrected at a sink. */
export const isFine = ({ status, reason }: Condition): boolean =>
  status === 'True' && (reason === READY || reason === UNMATCHED);

/** What is known of a notification besides the looks at its sinks. */
export interface ReadyInputs {
  /** What deliveries have told of a sink. */
  readonly notices: (sink: string) => Iterable<Degradation>;
  /** Why the last send failed; undefined: it did not. */
  readonly failure: (sink: string) => LastFailure | undefined;
  /** Why something of it waits just now. */
  readonly stall: (sink: string) => Stall | undefined;
  /** Why no plan matches; undefined: one does. */
  readonly unmatched: string | undefined;
  /** Why none of its events can be derived; undefined: they can. */
  readonly unserved: Why | undefined;
}

/** Why the last send failed. `lasting`: no message will arrive until the configuration is corrected. */
export interface LastFailure extends Why {
  readonly lasting: boolean;
}
