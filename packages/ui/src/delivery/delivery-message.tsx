import { addressIdOf, type DeliveryRow, type EventStory, type MessageDetail } from '@hnotif/core/page';
import { linkWith } from '../address.ts';
import { useAnswer } from '../common/use-answer.ts';
import { useStore } from '../common/use-store.ts';
import { MessageContent } from '../messages/message-content.tsx';

interface DeliveryMessageProps {
  readonly story: Pick<EventStory, 'event' | 'namespace' | 'plan'>;
  /** Undefined: the event has several, each with a message. */
  readonly row: DeliveryRow | undefined;
}

/** The message that the receiver got. Where the receivers are not here, nothing keeps it: then how one like it can be made. */
export function DeliveryMessage({ story: { event, namespace, plan }, row }: DeliveryMessageProps) {
  const { head, version } = useStore();
  const id = row && addressIdOf(row);
  const asked = useAnswer<MessageDetail>(
    head.hasMessages && id !== undefined ? `/api/message?delivery=${encodeURIComponent(id)}` : undefined,
    version,
  );
  const made = linkWith('template', { plan: `${namespace}/${plan}`, kind: event });
  return (
    <section aria-labelledby="message">
      <h3 id="message">Message</h3>
      {head.hasMessages && id !== undefined && asked.state === 'asking' && <p class="empty">Reading …</p>}
      {head.hasMessages && asked.state === 'found' && <MessageContent message={asked.value} />}
      {head.hasMessages && (id === undefined || asked.state === 'failed') && (
        <p>
          {row === undefined
            ? 'Each sink has its own: choose one above. '
            : 'No message with this id is among the last ones at the receivers: some chats take no id. '}
          <a href={linkWith('messages', { find: plan })}>What arrived about {plan}</a>
        </p>
      )}
      {!head.hasMessages && (
        <p>
          The cluster keeps no messages: the receiver has it. <a href={made}>Make one anew in Template</a>, of
          the plan as it is now: it is not what was sent.
        </p>
      )}
    </section>
  );
}
