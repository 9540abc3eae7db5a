import type { DeliveryRow, Moment } from '@hnotif/core/page';
import { EVENTS, isRaw, type Raw, type Notification, type Plan } from '@hnotif/core/resources';
import { timelineOf, type RecordedEvent } from '../explain/timeline.ts';
import { matches } from '@hnotif/core/routing';
import { readOrWhy, type Read, type Session } from './session.ts';

const text = (raw: Raw, key: string): string => {
  const value = raw[key];
  return typeof value === 'string' ? value : '';
};

/** The Kubernetes Events of a namespace about these objects of ours, the oldest first. */
export async function recordedEvents(
  session: Session,
  namespace: string,
  names: ReadonlySet<string>,
): Promise<Read<readonly RecordedEvent[]>> {
  const read = await readOrWhy(session.list(EVENTS, namespace));
  if (!read.ok) return read;
  const value = read.value.filter(isRaw).flatMap((raw): RecordedEvent[] => {
    const about = isRaw(raw.involvedObject) ? raw.involvedObject : {};
    const [kind, name] = [text(about, 'kind'), text(about, 'name')];
    if (!KINDS.has(kind) || !names.has(name)) return [];
    return [
      {
        at: text(raw, 'lastTimestamp') || text(raw, 'firstTimestamp'),
        type: text(raw, 'type'),
        reason: text(raw, 'reason'),
        message: text(raw, 'message'),
        count: typeof raw.count === 'number' ? raw.count : 1,
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
