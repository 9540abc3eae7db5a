import { isRaw } from '@hnotif/core/resources';
import { eventMarker, markerOf } from '@hnotif/core/sinks';
import type { Inbox, MessageDetail } from '@hnotif/core/page';

/** The message of a delivery at a receiver of this process, by the id of the message or its beginning; undefined: none of the last has it. */
export function sentMessage(inbox: Inbox, id: string): MessageDetail | undefined {
  if (id === '') return undefined;
  const items = inbox.list();
  const sent = items.findLast(({ eventId }) => eventId.startsWith(id));
  if (sent !== undefined) return inbox.get(sent.id);
  // Slack has the id in the metadata of the message.
  for (const item of items.toReversed()) {
    if (item.receiver !== 'teamchat') continue;
    const found = inbox.get(item.id);
    if (found !== undefined && isMarked(found.request.body, id)) return found;
  }
  return undefined;
}

const isMarked = (body: unknown, id: string): boolean =>
  isRaw(body) && markerOf(body.metadata)?.id.startsWith(eventMarker(id)) === true;
