import { differenceInWords, meetsAll, requirementsOf } from '@hnotif/core/routing';
import { suspensionAt, type Notification, type Plan } from '@hnotif/core/resources';
import { describeSuspension } from '../status/words.ts';
import type { Gathered } from './gather.ts';
import { CommandError, type Io } from './io.ts';
import type { PlanOrEvent } from './plan-or-event.ts';

/** What a replay is limited to. */
export interface ReplayChoice {
  readonly notification?: string;
  readonly sink?: string;
  readonly all?: true;
}

/** The notifications to ask. Throws a `CommandError` if there is none. `found`: undefined if the user may not read plans. */
export function notificationsToReplay(
  name: string,
  found: PlanOrEvent | undefined,
  gathered: Gathered,
  flags: ReplayChoice,
  io: Io,
): readonly Notification[] {
  const selecting = chosen(name, found?.plan, gathered, flags);
  const isOfPlan = found?.id === undefined || !gathered.journals.ok;
  const wanted = isOfPlan ? selecting : ended(selecting, found, flags);
  const asked = wanted.filter((notification) => {
    const muted = whyMuted(notification, gathered.now);
    if (muted === undefined) return true;
    if (flags.notification !== undefined) throw new CommandError(muted);
    io.err(`left out: ${muted}\n`);
    return false;
  });
  if (asked.length > 0) return asked;
  throw new CommandError(`all notifications of plan ${name} are muted; see hnotif get`);
}

function whyMuted(notification: Notification, now: number): string | undefined {
  const { name } = notification;
  const suspension = suspensionAt(notification, now);
  if (suspension === undefined) return undefined;
  const remedy =
    suspension.isScheduled === true
      ? describeSuspension(suspension)
      : `unmute it first: hnotif unmute ${name}`;
  return `${name} is muted, and a muted notification is not replayed; ${remedy}`;
}

/** Those of the flags, that select the plan and have the sink. `plan`: undefined if the user may not read it. */
function chosen(
  planName: string,
  plan: Plan | undefined,
  { notifications, invalid }: Gathered,
  { notification, sink }: ReplayChoice,
): readonly Notification[] {
  const named =
    notification === undefined ? notifications : notifications.filter(({ name }) => name === notification);
  if (notification !== undefined && named.length === 0)
    throw new CommandError(
      invalid.find(({ object }) => object.endsWith(`/${notification}`))?.message ??
        `there is no notification ${notification}; see hnotif get`,
    );
  const matching = named.filter(
    ({ selector }) => plan === undefined || meetsAll(plan.labels, requirementsOf(selector)),
  );
  const [first] = named;
  if (matching.length === 0 && plan !== undefined && notification !== undefined && first !== undefined)
    throw new CommandError(
      `${notification} does not select plan ${plan.name}: ${differenceInWords(plan.labels, requirementsOf(first.selector))}`,
    );
  if (matching.length === 0)
    throw new CommandError(`no notification selects plan ${planName}; see hnotif why plan/${planName}`);
  const listing = matching.filter(
    ({ sinks }) => sink === undefined || sinks.some(({ name }) => name === sink),
  );
  if (listing.length > 0) return listing;
  const sinks = matching.flatMap((each) => each.sinks.map(({ name }) => `${each.name}/${name}`));
  throw new CommandError(
    `there is no sink ${sink ?? ''}; the notifications of plan ${planName} have ${sinks.join(', ')}`,
  );
}

/** Those with a delivery of the event to send again. Throws a `CommandError` if there is none. */
function ended(
  all: readonly Notification[],
  { delivery, deliveries, id = '' }: PlanOrEvent,
  flags: ReplayChoice,
): readonly Notification[] {
  const rows = (delivery === undefined ? deliveries : [delivery]).filter(
    ({ notification, sink }) =>
      (flags.sink ?? sink) === sink && (flags.notification ?? notification) === notification,
  );
  const last = new Map(rows.map((row) => [`${row.notification}/${row.sink}`, row] as const));
  // Who names one delivery wants it again, also if it arrived.
  const isAll = flags.all === true || delivery !== undefined;
  const names = [...last.values()]
    .filter(({ state }) => state === 'failed' || state === 'dropped' || (isAll && state === 'delivered'))
    .map(({ notification }) => notification);
  const found = all.filter(({ name }) => names.includes(name));
  if (found.length > 0) return found;
  const states = [...last]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([stream, { state }]) => `${stream} ${state}`)
    .join(', ');
  throw new CommandError(
    states === ''
      ? `no journal knows an event with the id ${id}, or the plan does not tell it any more; see hnotif trace`
      : `nothing of event ${id} failed or was dropped: ${states}; --all sends what arrived again`,
  );
}
