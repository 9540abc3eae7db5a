/** What Telegram takes: its exact parsers of HTML and MarkdownV2, and their verdicts. Pure; runs in Node and in browsers. */
export { descriptionOf, judgeText } from './judge.ts';
export { finishText, LEGACY, LIMITS, parseMarkup, parseText, readText, tidyText } from './read.ts';
export type { Reading, TelegramText } from './read.ts';
export { endOf, natureOf, type Entity, type EntityKind, type Formatted } from './text/entity.ts';
