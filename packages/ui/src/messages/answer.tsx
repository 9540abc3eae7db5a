import type { MessageItem } from '@hnotif/core/page';

export function Answer({ item: { accepted, answer, attempt } }: { readonly item: MessageItem }) {
  return (
    <span class={accepted ? 'answer' : 'answer wrong'}>
      {accepted ? '' : '✕ '}
      {answer}
      {attempt > 1 && `, request ${attempt}`}
    </span>
  );
}
