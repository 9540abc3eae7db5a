import type { ChatMessage, RequestRecord } from '@hnotif/receivers';
import { shownRequest } from '@hnotif/core/rehearsal';
import { MOST_MESSAGES, type Inbox, type MessageItem } from '@hnotif/core/page';
import { workflowOf, type Receivers } from './receivers.ts';
import { sayBotchat, sayMsteams, sayTeamchat, sayWebhook, type Said } from './said.ts';

/** The requests at the receivers of this process, for the page. */
export function inboxOf(receivers: Receivers): Inbox {
  const { teamchat } = receivers;
  const sources = sourcesOf(receivers);
  const inOrder = (items: MessageItem[]): MessageItem[] => items.sort((a, b) => a.at - b.at);
  return {
    list: () => inOrder(sources.flatMap((source) => source.newest(MOST_MESSAGES))).slice(-MOST_MESSAGES),
    get(id) {
      const found = sources.map((source) => source.find(id)).find((each) => each !== undefined);
      if (found === undefined) return undefined;
      const { item, record, origin, drawing } = found;
      const { path, rawBody } = record;
      const headers = record.headers as Readonly<Record<string, string>>;
      const requests =
        record.id === '' ? [item] : inOrder(sources.flatMap((source) => source.ofEvent(record.id)));
      return {
        ...item,
        request: shownRequest({ url: new URL(path, origin), headers, body: rawBody }, teamchat.apiUrl),
        ...(drawing && { drawing }),
        requests,
      };
    },
    follow(listener) {
      const ends = sources.map((source) => source.follow(listener));
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

/** The requests of one receiver. */
interface Source {
  /** The newest messages, the oldest first. */
  newest(most: number): readonly MessageItem[];
  ofEvent(eventId: string): readonly MessageItem[];
  find(id: string): Found | undefined;
  follow(listener: (item: MessageItem) => void): () => void;
}

interface Found {
  readonly item: MessageItem;
  readonly record: RequestRecord;
  readonly origin: string;
  readonly drawing: ChatMessage | undefined;
}

interface ReceiverLike<R> {
  readonly origin: string;
  readonly records: readonly R[];
  onRecord(listener: (record: R) => void): () => void;
}

function sourceOf<R extends RequestRecord>(
  name: MessageItem['receiver'],
  receiver: ReceiverLike<R>,
  say: (record: R) => Said,
  draw: (record: R) => ChatMessage | undefined,
): Source {
  const itemOf = (record: R): MessageItem | undefined => {
    const said = say(record);
    return said && { ...said, ...common(name, record) };
  };
  return {
    newest(most) {
      const found: MessageItem[] = [];
      const { records } = receiver;
      for (let at = records.length - 1; at >= 0 && found.length < most; at--) {
        const record = records[at];
        const item = record && itemOf(record);
        if (item !== undefined) found.push(item);
      }
      return found.reverse();
    },
    ofEvent: (eventId) =>
      receiver.records
        .filter((record) => record.id === eventId)
        .map(itemOf)
        .filter((each) => each !== undefined),
    find(id) {
      const record = receiver.records.find(({ number }) => id === `${name}-${number}`);
      const item = record && itemOf(record);
      return record && item && { item, record, origin: receiver.origin, drawing: draw(record) };
    },
    follow: (listener) =>
      receiver.onRecord((record) => {
        const item = itemOf(record);
        if (item !== undefined) listener(item);
      }),
  };
}

const common = (receiver: MessageItem['receiver'], record: RequestRecord) => ({
  ...{ id: `${receiver}-${record.number}`, receiver, at: record.arrivedAt, eventId: record.id },
  ...{ attempt: record.attempt, accepted: record.answered.accepted },
  // Whatever the message was, a fault that the receiver played is what the sender saw.
  ...(record.answered.fault !== undefined && { answer: record.answered.fault }),
});

const sourcesOf = ({ webhook, teamchat, botchat, msteams, workflows }: Receivers): readonly Source[] => [
  sourceOf('webhook', webhook, sayWebhook, () => undefined),
  sourceOf(
    'teamchat',
    teamchat,
    (record) => sayTeamchat(record, (id) => teamchat.channel(id).name),
    ({ message }) => {
      if (message === undefined) return undefined;
      const { messages } = teamchat.channel(message.channel);
      // With its thread, as it is now.
      const root = messages.find(({ ts }) => ts === (message.threadTs ?? message.ts));
      return { chat: 'teamchat', message: root ?? message };
    },
  ),
  sourceOf('botchat', botchat, sayBotchat, ({ message }) => message && { chat: 'botchat', message }),
  sourceOf(
    'msteams',
    msteams,
    (record) => sayMsteams(record, workflowOf(record, workflows)),
    ({ message }) => message && { chat: 'msteams', message },
  ),
];
