import { htmlOf, type ChatMessage } from '@hnotif/receivers/view';
import { useMemo } from 'preact/hooks';
import { ChatPicture } from '../common/chat-picture.tsx';

/** A message as its chat shows it, by the reader's own clock. */
export function ChatDrawing({ drawing }: { readonly drawing: ChatMessage }) {
  const html = useMemo(
    () => htmlOf(drawing, { now: Date.now(), timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
    [drawing],
  );
  return <ChatPicture chat={drawing.chat} html={html} />;
}
