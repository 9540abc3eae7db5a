import type { DeliveryRow, Moment } from '@hnotif/core/page';
import { EVENTS, type Notification, type Plan } from '@hnotif/core/resources';
import { timelineOf, type RecordedEvent } from '../explain/timeline.ts';
import { matches } from '@hnotif/core/routing';
import { numberAt, textAt } from './fields.ts';
import { readOrWhy, type Read, type Session } from './session.ts';

/** The Kubernetes Events of a namespace about these objects of ours, the oldest first. */
export async function recordedEvents(
  session: Session,
  namespace: string,
  names: ReadonlySet<string>,
): Promise<Read<readonly RecordedEvent[]>> {
  const read = await readOrWhy(session.list(EVENTS, namespace));
  if (!read.ok) return read;
  const value = read.value.flatMap((raw): RecordedEvent[] => {
    const [kind, name] = [textAt(raw, 'involvedObject', 'kind'), textAt(raw, 'involvedObject', 'name')];
    if (!KINDS.has(kind) || !names.has(name)) return [];
    return [
      {
        at: textAt(raw, 'lastTimestamp') || textAt(raw, 'firstTimestamp'),
        type: textAt(raw, 'type'),
        reason: textAt(raw, 'reason'),
        message: textAt(raw, 'message'),
        count: numberAt(raw, 'count') ?? 1,
        about: name,
      },
    ];
  });
  return { ok: true, value: value.sort((a, b) => (a.at < b.at ? -1 : 1)) };
}

/** What happened to a plan, with the Kubernetes Events of the plan and of the notifications that match it; and whether these could be read. */
export async function momentsOf(
  session: Session,
  plan: Plan,
  notifications: readonly Notification[],
  deliveries: readonly DeliveryRow[],
): Promise<{ readonly moments: readonly Moment[]; readonly recorded: Read<readonly RecordedEvent[]> }> {
  const matching = notifications.filter(
    ({ namespace, selector }) => namespace === plan.namespace && matches(selector, plan.labels),
  );
  const about = new Set([...matching.map(({ name }) => name), plan.name]);
  const recorded = await recordedEvents(session, plan.namespace, about);
  return { moments: timelineOf(plan, deliveries, recorded.ok ? recorded.value : []), recorded };
}

const KINDS: ReadonlySet<string> = new Set(['HibernateNotification', 'HibernatePlan']);
