import type { MessageDetail } from '@hnotif/core/page';
import { exactTime } from '../common/time.ts';
import { useAnswer } from '../common/use-answer.ts';
import { Answer } from './answer.tsx';
import { ChatDrawing } from './chat-drawing.tsx';

/** A message as its chat shows it, the request that made it, and all attempts. `version`: asks again when it changes. */
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
  const { attempts, drawing, request } = asked.value;
  const { body, headers, method, url } = request;
  return (
    <article aria-label="Message">
      {drawing === undefined ? (
        <p class="faint">A webhook has no look of its own: its receiver gets the body below.</p>
      ) : (
        <ChatDrawing drawing={drawing} />
      )}
      <h2>Attempts</h2>
      <ul class="plain">
        {attempts.map((each) => (
          <li key={each.id}>
            {exactTime(each.at, now)} <Answer item={each} />
          </li>
        ))}
      </ul>
      <h2>Request</h2>
      <p class="faint">Credentials are left out.</p>
      <pre class="request" tabIndex={0}>
        {[
          `${method} ${url}`,
          ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
          '',
          typeof body === 'string' ? body : JSON.stringify(body, null, 2),
        ].join('\n')}
      </pre>
    </article>
  );
}
