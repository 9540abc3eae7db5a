import type { BotchatMessage } from '../botchat/message.ts';
import type { MsteamsMessage } from '../msteams/message.ts';
import type { TeamchatMessage } from '../teamchat/message.ts';
import { botchatMessages, msteamsMessages, teamchatMessages, type Body } from './bodies.ts';
import { BOTCHAT_STYLE } from './botchat-style.ts';
import { botchatHtml } from './botchat.ts';
import type { Clock } from './clock.ts';
import { MSTEAMS_STYLE } from './msteams-style.ts';
import { msteamsHtml } from './msteams.ts';
import { botchatPage, msteamsPage, teamchatPage, type PageSettings } from './page.ts';
import { TEAMCHAT_STYLE } from './teamchat-style.ts';
import { attachmentColours, teamchatHtml } from './teamchat.ts';

/** The messages of each chat that is drawn, as its simulator has them. */
export interface ChatMessages {
  readonly teamchat: TeamchatMessage;
  readonly botchat: BotchatMessage;
  readonly msteams: MsteamsMessage;
}

export type Chat = keyof ChatMessages;

/** A message of a chat. */
export type ChatMessage<C extends Chat = Chat> = {
  readonly [K in C]: { readonly chat: K; readonly message: ChatMessages[K] };
}[C];

/** How a chat looks. */
interface Look<Message> {
  /** What the chat shows after these requests. */
  readonly messages: (bodies: readonly Body[], now: number) => readonly Message[];
  readonly html: (message: Message, clock: Clock) => string;
  readonly messagesPage: (messages: readonly Message[], settings: PageSettings) => string;
  /** The style of a page with this HTML. */
  readonly style: (html: string) => string;
  /** Of a picture, in CSS pixels. */
  readonly width: number;
}

/** The same without the type of its messages. */
const erased = <Message>(look: Look<Message>) => ({
  ...look,
  /** The messages of some requests as HTML; empty: there are none. */
  draw: (bodies: readonly Body[], clock: Clock): string =>
    look
      .messages(bodies, clock.now)
      .map((message) => look.html(message, clock))
      .join(''),
  /** The messages of some requests as a page. */
  page: (bodies: readonly Body[], settings: PageSettings): string =>
    look.messagesPage(look.messages(bodies, settings.now), settings),
});

/** All chats that are drawn. */
export const CHATS: { readonly [C in Chat]: ReturnType<typeof erased<ChatMessages[C]>> } = {
  teamchat: erased<TeamchatMessage>({
    messages: teamchatMessages,
    html: teamchatHtml,
    messagesPage: teamchatPage,
    style: (html) => TEAMCHAT_STYLE + attachmentColours(html),
    width: 720,
  }),
  botchat: erased<BotchatMessage>({
    messages: botchatMessages,
    html: botchatHtml,
    messagesPage: botchatPage,
    style: () => BOTCHAT_STYLE,
    width: 560,
  }),
  msteams: erased<MsteamsMessage>({
    messages: msteamsMessages,
    html: msteamsHtml,
    messagesPage: msteamsPage,
    style: () => MSTEAMS_STYLE,
    width: 640,
  }),
};

/** One message as its chat draws it. */
export const htmlOf = <C extends Chat>({ chat, message }: ChatMessage<C>, clock: Clock): string =>
  CHATS[chat].html(message, clock);
