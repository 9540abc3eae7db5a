import type { Finding } from '@hnotif/core/page';
import type { ComponentChildren } from 'preact';
import { localTimes } from '../common/time.ts';

/** What a finding is about: `notification`, or `notification/sink`. */
export const sinkOf = ({ notification, sink }: Pick<Finding, 'notification' | 'sink'>): string =>
  sink === '' ? notification : `${notification}/${sink}`;

/** A finding in a list. `children`: what it is about. */
export const FindingItem = ({
  finding: { message, reason, severity },
  now,
  children,
}: {
  readonly finding: Finding;
  readonly now: number;
  readonly children: ComponentChildren;
}) => (
  <li class={severity}>
    <b>{severity}</b> {children} {localTimes(message, now)} <span class="faint">({reason})</span>
  </li>
);

/** What the user may not read. */
export const Unread = ({ sentences }: { readonly sentences: readonly string[] }) => (
  <>
    {sentences.map((sentence) => (
      <p key={sentence} class="faint">
        Not shown: {sentence}
      </p>
    ))}
  </>
);
