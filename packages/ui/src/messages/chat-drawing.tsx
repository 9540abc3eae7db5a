import { botchatHtml, teamchatHtml } from '@hnotif/receivers/view';
import { useMemo } from 'preact/hooks';
import type { Drawing } from '../../../hnotif/src/cli/ui/messages.ts';
import { ChatPicture } from '../common/chat-picture.tsx';

/** A message as its chat shows it, by the reader's own clock. */
export function ChatDrawing({ drawing }: { readonly drawing: Drawing }) {
  const html = useMemo(() => {
    const clock = { now: Date.now(), timezone: Intl.DateTimeFormat().resolvedOptions().timeZone };
    return drawing.chat === 'teamchat'
      ? teamchatHtml(drawing.message, clock)
      : botchatHtml(drawing.message, clock);
  }, [drawing]);
  return <ChatPicture chat={drawing.chat} html={html} />;
}
