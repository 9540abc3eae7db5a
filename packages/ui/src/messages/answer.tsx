import type { MessageItem } from '../../../hnotif/src/cli/ui/messages.ts';

export function Answer({ item: { accepted, answer, attempt } }: { readonly item: MessageItem }) {
  return (
    <span class={accepted ? 'answer' : 'answer wrong'}>
      {accepted ? '' : '✕ '}
      {answer}
      {attempt > 1 && `, attempt ${attempt}`}
    </span>
  );
}
