import type { MessageDetail } from '@hnotif/core/page';
import type { ComponentChildren } from 'preact';
import { ChatDrawing } from './chat-drawing.tsx';

/** A message as its chat shows it, and the request that made it. `children`: what stands between. */
export function MessageContent({
  message: { drawing, request },
  children,
}: {
  readonly message: MessageDetail;
  readonly children?: ComponentChildren;
}) {
  const { body, headers, method, url } = request;
  return (
    <article aria-label="Message">
      {drawing === undefined ? (
        <p class="faint">A webhook has no look of its own: its receiver gets the body below.</p>
      ) : (
        <ChatDrawing drawing={drawing} />
      )}
      {children}
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
