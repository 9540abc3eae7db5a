import type { MessageDetail } from '@hnotif/core/page';
import { linkTo } from '../address.ts';
import { exactTime } from '../common/time.ts';
import { useAnswer } from '../common/use-answer.ts';
import { Answer } from './answer.tsx';
import { MessageContent } from './message-content.tsx';

/** A message as its chat shows it, the request that made it, and all requests. `version`: asks again when it changes. */
export function MessageView({
  id,
  now,
  version,
}: {
  readonly id: string;
  readonly now: number;
  readonly version: unknown;
}) {
  const asked = useAnswer<MessageDetail>(`/api/message?id=${encodeURIComponent(id)}`, version);
  if (asked.state === 'asking') return <p class="empty">Reading …</p>;
  if (asked.state === 'failed')
    return (
      <p class="empty">
        {asked.isMissing
          ? 'The message is not kept any more.'
          : `The message could not be read: ${asked.why}.`}
      </p>
    );
  const { requests } = asked.value;
  const eventId = requests.at(-1)?.eventId ?? '';
  return (
    <MessageContent message={asked.value}>
      {eventId !== '' && (
        <p>
          <a href={linkTo('delivery', eventId)}>Its delivery, and what came before and after</a>
        </p>
      )}
      <h2>Requests</h2>
      <ul class="plain">
        {requests.map((each) => (
          <li key={each.id}>
            {exactTime(each.at, now)} <Answer item={each} />
          </li>
        ))}
      </ul>
    </MessageContent>
  );
}
