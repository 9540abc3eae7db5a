import { useState } from 'preact/hooks';
import type { ShownRequest } from '@hnotif/core/rehearsal';
import { ChatPicture } from '../common/chat-picture.tsx';
import { Check } from '../common/filters.tsx';
import type { Picture } from './job.ts';
import type { Rehearsed } from './use-rehearsal.ts';

/** What people get, what is wrong with it, and the requests that bring it. */
export function Result({ made }: { readonly made: Rehearsed | undefined }) {
  const answer = made?.answer;
  return (
    <>
      <section class="outcome" aria-label="Message">
        <h2>Message</h2>
        <div role="status" class="notices">
          {answer?.limit === 'time' && (
            <p class="problem">
              The template took too long and was ended: hnotif gives it 1 s of CPU time. This plain text is
              sent instead.
            </p>
          )}
          {made?.failure !== undefined && <p class="problem">{sentence(made.failure)}</p>}
          {answer?.eventProblem !== undefined && (
            <p class="problem">There is no message, because the event cannot be used.</p>
          )}
          {answer?.limit !== 'time' &&
            answer?.faults.map((fault) => (
              <p key={fault} class="problem">
                {sentence(fault)}
              </p>
            ))}
          {answer?.limit !== undefined && (
            <p class="note">
              {answer.limit === 'source'
                ? 'Make the template shorter.'
                : 'Let the template do less: look for a range over much, or a template that calls itself.'}
            </p>
          )}
          {answer?.notes.map((note) => (
            <p key={note} class="note">
              {note}
            </p>
          ))}
        </div>
        {answer?.picture !== undefined && <Drawn picture={answer.picture} />}
        {made === undefined && <p class="faint">Making the message …</p>}
      </section>
      {answer !== undefined && answer.requests.length > 0 && <Requests requests={answer.requests} />}
    </>
  );
}

/** A text of the product as a sentence. */
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;

function Drawn({ picture }: { readonly picture: Picture }) {
  if (picture.chat === undefined)
    return (
      <pre class="rendered" tabIndex={0} aria-label={picture.label}>
        {picture.text}
      </pre>
    );
  return <ChatPicture chat={picture.chat} html={picture.html} />;
}

function Requests({ requests }: { readonly requests: readonly ShownRequest[] }) {
  const [asSent, setAsSent] = useState(false);
  return (
    <section class="requests" aria-label="Requests">
      <div class="head">
        <h2>{requests.length === 1 ? 'Request' : `${requests.length} requests`}</h2>
        <Check label="body as it is sent" checked={asSent} onChange={setAsSent} />
      </div>
      {requests.map((request, at) => (
        <Request
          key={at}
          label={`Request ${at + 1} of ${requests.length}`}
          request={request}
          asSent={asSent}
        />
      ))}
    </section>
  );
}

interface RequestProps {
  readonly label: string;
  readonly request: ShownRequest;
  readonly asSent: boolean;
}

function Request({ label, request, asSent }: RequestProps) {
  const { method, url, headers, body } = request;
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const text = asSent || typeof body === 'string' ? sent : JSON.stringify(body, null, 2);
  return (
    <pre tabIndex={0} role="region" aria-label={label}>
      <span class="faint">{`${lines.join('\n')}\n\n`}</span>
      {text}
    </pre>
  );
}
