/** How messages look in their apps. Nothing here needs Node: the page and the pictures use one drawing. */
export { CHATS, htmlOf, type Chat, type ChatMessage } from './chats.ts';
export { emojiOf, withEmoji } from './emoji.ts';
export type { Body } from './bodies.ts';
export type { Clock as ViewClock } from './clock.ts';
export type { TeamchatMessage } from '../teamchat/message.ts';
export type { BotchatMessage } from '../botchat/message.ts';
export type { MsteamsMessage } from '../msteams/message.ts';
