import type { Asked } from './use-answer.ts';

/** In place of an answer that is not there. `missing`: why there may be none. */
export function Unanswered({
  asked,
  what,
  missing,
}: {
  readonly asked: Exclude<Asked<unknown>, { readonly state: 'found' }>;
  readonly what: string;
  readonly missing?: string;
}) {
  if (asked.state === 'asking') return <p class="empty">Reading …</p>;
  return (
    <p class="empty">
      {asked.isMissing
        ? `${what} is not known${missing === undefined ? '' : `: ${missing}`}.`
        : `${what} could not be read: ${asked.why}.`}
    </p>
  );
}
