import { EVENTS, isRaw, type Raw } from '../cluster/objects.ts';
import type { RecordedEvent } from '../explain/timeline.ts';
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

const KINDS: ReadonlySet<string> = new Set(['HibernateNotification', 'HibernatePlan']);
