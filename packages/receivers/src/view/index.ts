/** How messages look in their apps. Nothing here needs Node: the page and the pictures use one drawing. */
export { attachmentColours, teamchatHtml } from './teamchat.ts';
export { emojiOf, withEmoji } from './emoji.ts';
export { botchatHtml } from './botchat.ts';
export { botchatMessages, teamchatMessages, type Body } from './bodies.ts';
export { pageHtml, type PageOptions } from './page.ts';
export { TEAMCHAT_STYLE } from './teamchat-style.ts';
export { BOTCHAT_STYLE } from './botchat-style.ts';
export type { Clock as ViewClock } from './clock.ts';
export type { TeamchatMessage } from '../teamchat/message.ts';
export type { BotchatMessage } from '../botchat/message.ts';
