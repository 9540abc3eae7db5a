import { type DeliveryRow, type Finding, type Leader, SEVERITIES, type Severity } from '@hnotif/core/page';
import { HARMLESS_DROPS, SILENT_DROPS } from '../dispatch/reasons.ts';
import { groupedBy } from '@hnotif/core/grouped-by';
import {
  type Condition,
  type DroppedCount,
  type Notification,
  type ParseError,
  type SinkStatus,
  type Plan,
  suspensionAt,
} from '@hnotif/core/resources';
import { parseTime } from '@hnotif/core/lifecycle';
import { nearestInWords, meetsAll, requirementsOf } from '@hnotif/core/routing';
import { SEVERAL_REASONS, SILENT } from '../status/conditions.ts';
import {
  describeLoss,
  describeState,
  describeSuspension,
  reasonOfSuspension,
  waitingInWords,
} from '../status/words.ts';
import type { Facts } from './facts.ts';
import { eventsShownBy } from './plan-events.ts';

/** All findings, the worst first. */
export const findingsOf = (facts: Facts, deliveries: readonly DeliveryRow[]): readonly Finding[] =>
  [
    ...(facts.invalid ?? []).map(unreadable),
    ...facts.notifications.flatMap((notification) => [
      ...aboutNotification(notification, facts),
      ...aboutDeliveries(notification, deliveries, facts),
    ]),
  ].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));

/** The reason of the finding about a notification that cannot be read. */
export const UNREADABLE = 'Unreadable';

const unreadable = ({ object, problems }: ParseError): Finding => ({
  ...{ severity: 'error', notification: object.slice(object.indexOf('/') + 1), sink: '', reason: UNREADABLE },
  message: `it cannot be read, so hnotif ignores this version of it: ${problems.join('; ')}; correct it, hnotif validate examines a file`,
});

function aboutNotification(notification: Notification, facts: Facts): readonly Finding[] {
  const { leader, now, plans } = facts;
  const { name, status } = notification;
  const about = (severity: Severity, reason: string, message: string, sink = ''): Finding => ({
    ...{ severity, notification: name, sink, reason, message },
  });
  const ready = conditionOf(notification, 'Ready');
  const durable = conditionOf(notification, 'Durable');
  const unselected = typeof plans === 'string' ? undefined : unselectedBy(notification, plans, facts);
  if (unselected !== undefined && facts.asked === 'plan')
    // Its sinks have nothing to do with this plan.
    return [about('note', 'NotSelected', unselected)];
  const findings: Finding[] = [];
  if (ready === undefined) findings.push(about('error', 'NotObserved', unobserved(leader)));
  else if ((status.observedGeneration ?? 0) < notification.generation)
    findings.push(about('warning', 'ChangeNotSeen', unseen(notification, leader)));
  if (unselected !== undefined) findings.push(about('error', 'NoPlanMatches', unselected));
  const sinks = (status.sinks ?? []).flatMap((row) =>
    aboutSink(row, now).map(({ severity, reason, message }) => about(severity, reason, message, row.name)),
  );
  if (ready?.status === 'False' && !sinks.some(({ reason }) => isShownBy(reason, ready)))
    findings.push(about('error', ready.reason, ready.message));
  findings.push(...sinks.map((each) => worse(each, ready)));
  const isWaiting = sinks.some(({ severity }) => severity === 'waiting');
  const suspension = suspensionAt(notification, now);
  if (suspension !== undefined)
    findings.push(
      about(isWaiting ? 'warning' : 'note', reasonOfSuspension(suspension), describeSuspension(suspension)),
    );
  else if (
    ready?.status === 'True' &&
    (sinks.length === 0 ? !SAID.has(ready.reason) : DEGRADED === ready.reason)
  )
    findings.push(about('warning', ready.reason, ready.message));
  if (durable?.status === 'False') findings.push(about('warning', durable.reason, durable.message));
  if (unselected === undefined) findings.push(...notListed(notification, facts, about));
  return findings;
}

/** Reasons of `Ready` without a problem, or with one that is reported elsewhere. */
const SAID: ReadonlySet<string> = new Set(['SinksReady', 'NoPlanMatches', ...SILENT]);
/** The reason of `Ready` that no finding about a sink has. */
const DEGRADED = 'MessagesDegraded';

/** Whether a finding about a sink shows why `Ready` is false: its row has the reason, or one of several. */
const isShownBy = (reason: string, ready: Condition): boolean =>
  ready.reason === SEVERAL_REASONS ? reason !== '' : reason === ready.reason;

const conditionOf = ({ status }: Notification, type: string): Condition | undefined =>
  status.conditions?.find((each) => each.type === type);

/** What waits is an error where nothing will arrive before a correction: then `Ready` is false for that reason. */
const worse = (finding: Finding, ready: Condition | undefined): Finding =>
  finding.severity === 'waiting' && ready?.status === 'False' && ready.reason === finding.reason
    ? { ...finding, severity: 'error' }
    : finding;

const unobserved = ({ state }: Leader): string =>
  state === 'serving'
    ? 'no hnotif has written its status: add its namespace to --watch-namespaces of hnotif, or give hnotif rights there'
    : 'no hnotif has written its status: install or start hnotif';

const unseen = ({ generation, status }: Notification, { state }: Leader): string =>
  `its last change was not seen yet (generation ${generation}, seen ${status.observedGeneration ?? 0}): ${
    state === 'serving' ? 'look again in some seconds' : 'no instance is active'
  }`;

/** Why a notification selects none of the plans in question; undefined: it selects one. */
function unselectedBy(
  { selector }: Notification,
  plans: readonly Plan[],
  { asked, shown }: Facts,
): string | undefined {
  const requirements = requirementsOf(selector);
  const considered = asked === 'plan' ? shown.map(({ plan }) => plan) : plans;
  if (considered.some(({ labels }) => meetsAll(labels, requirements))) return undefined;
  return nearestInWords(
    considered.map(({ name, labels }) => [name, labels] as const),
    considered.length,
    requirements,
  );
}

function aboutSink(
  row: SinkStatus,
  now: number,
): readonly Pick<Finding, 'severity' | 'reason' | 'message'>[] {
  const { dropped = [], message = '', reason = '', state } = row;
  const found: Pick<Finding, 'severity' | 'reason' | 'message'>[] = [];
  if (state !== undefined)
    found.push({ severity: 'waiting', reason, message: `${describeState(row, now)}: ${message}` });
  else if (reason !== '' && message !== '') found.push({ severity: 'error', reason, message });
  return [...found, ...dropped.map((lost) => aboutLoss(lost, now))];
}

const aboutLoss = (lost: DroppedCount, now: number) => ({
  severity: HARMLESS_DROPS.has(lost.reason) ? ('note' as const) : ('warning' as const),
  reason: lost.reason,
  message: describeLoss(lost, now),
});

/**
 * Events that the plans had, and that the notification did not ask for. Without a question about it they are shown only if it got none of the
 * events of a plan.
 */
function notListed(
  { onEvents, selector }: Notification,
  { asked, shown }: Facts,
  about: (severity: Severity, reason: string, message: string) => Finding,
): readonly Finding[] {
  const requirements = requirementsOf(selector);
  return shown
    .filter(({ plan }) => meetsAll(plan.labels, requirements))
    .flatMap(({ plan: { name, status } }) => {
      const kinds = [...eventsShownBy(status).keys()];
      const missing = kinds.filter((kind) => !onEvents.includes(kind));
      if (missing.length === 0 || (asked === undefined && missing.length < kinds.length)) return [];
      const [are, those] = missing.length === 1 ? ['is', 'it'] : ['are', 'those that you want'];
      const listed = onEvents.join(', ');
      const message = `${missing.join(', ')} of ${name} ${are} not in onEvents (${listed}): add ${those}`;
      return [about('note', 'EventNotListed', message)];
    });
}

/** After this time a delivery on its way is worth a word (milliseconds). */
const MOMENT_MS = 5_000;

/** The last end of a delivery, if it was lost and the status does not show it yet: a status is written every ten seconds at most. */
function unshownLoss(
  rows: readonly DeliveryRow[],
  { dropped = [], reason }: SinkStatus,
): DroppedCount | undefined {
  const last = rows
    .filter(({ state }) => state !== 'waiting' && state !== 'suppressed')
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .at(-1);
  if (last === undefined || last.state === 'delivered' || SILENT_DROPS.has(last.why)) return undefined;
  const isShown = reason !== undefined || dropped.some((each) => each.reason === last.why);
  return isShown ? undefined : { reason: last.why, count: last.count, last: last.at };
}

/** What journals know and the status does not show. */
function aboutDeliveries(
  { name, status }: Notification,
  all: readonly DeliveryRow[],
  { leader, now }: Facts,
): readonly Finding[] {
  const ours = groupedBy(
    all.filter(({ notification }) => notification === name),
    ({ sink }) => sink,
  );
  return [...ours].flatMap(([sink, rows]) => {
    const where = { notification: name, sink };
    const findings: Finding[] = [];
    const waiting = rows.filter(({ state }) => state === 'waiting');
    const since = waiting.map(({ at }) => at).sort()[0] ?? '';
    const row = status.sinks?.find((each) => each.name === sink);
    const isKnown = row?.state !== undefined;
    const isOld = now - (parseTime(since) ?? now) >= MOMENT_MS;
    if (waiting.length > 0 && !isKnown && (isOld || leader.state !== 'serving'))
      findings.push({
        ...{ ...where, severity: 'waiting', reason: 'InJournal' },
        message: `${waitingInWords({ waiting: waiting.length })} in the journal since ${since}: ${
          leader.state === 'serving' ? 'look again in some seconds' : 'the next process sends it'
        }`,
      });
    const lost = row && unshownLoss(rows, row);
    if (lost !== undefined) findings.push({ ...where, ...aboutLoss(lost, now) });
    // A board shows the newest state of a target.
    const suppressed = rows.findLast(({ board, state }) => state === 'suppressed' && board === undefined);
    if (suppressed !== undefined)
      findings.push({
        ...{ ...where, severity: 'note', reason: 'Suppressed' },
        message:
          suppressed.event === 'ExecutionProgress'
            ? `${suppressed.event} of ${suppressed.plan} was left out, as the layout of the sink has it: block_layout: auto shows all progress`
            : `${suppressed.event} of ${suppressed.plan} was left out: it belongs to no night, and the sink has boards`,
      });
    return findings;
  });
}
