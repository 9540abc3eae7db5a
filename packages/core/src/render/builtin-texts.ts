import { readFileSync } from 'node:fs';

const read = (path: string): string => readFileSync(new URL(`./templates/${path}`, import.meta.url), 'utf8');

/**
 * The texts of the built-in templates. Their folder is next to this file, and next to the bundle. They are read at the start, which fails
 * without them. The page has this module as data (`scripts/ui-files.ts`).
 */
export const BUILTIN_TEXTS = {
  teamchat: read('teamchat/message.gotpl'),
  botchatHtml: read('botchat/message-html.gotpl'),
  botchatMarkdown: read('botchat/message-markdown.gotpl'),
  msteams: read('msteams/message.gotpl'),
  webhook: read('webhook/message.gotpl'),
} as const;
