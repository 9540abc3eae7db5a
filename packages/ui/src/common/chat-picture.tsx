import { CHATS, type Chat } from '@hnotif/receivers/view';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Links of Telegram have the contrast that WCAG asks for. */
const HERE: Readonly<Partial<Record<Chat, string>>> = {
  botchat: 'a, .link, .name, .language { color: light-dark(#1c6cb5, #6ab2f2); }\n',
};

/** Messages as their chat shows them: HTML that the receivers' view made. In a shadow tree, so that the styles of chat and page do not mix. */
export function ChatPicture({ chat, html }: { readonly chat: Chat; readonly html: string }) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(CHATS[chat].style(html) + (HERE[chat] ?? ''));
    root.adoptedStyleSheets = [sheet];
    root.innerHTML = html;
  }, [chat, html]);
  return <div ref={host} class={`chat ${chat}`} />;
}
