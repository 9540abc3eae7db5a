import type { Fault } from '../verdict.ts';
import { addFound, arrange } from './text/arrange.ts';
import { clean, isInvisible, trim, withoutBlanks } from './text/clean.ts';
import { natureOf, type Entity, type Formatted } from './text/entity.ts';
import { findEntities } from './text/find.ts';
import { parseHtml } from './text/html.ts';
import { parseMarkdownV2 } from './text/markdown.ts';
import { bytesOf, MarkupError } from './text/markup.ts';

/** The text of a message from a sender. */
export interface TelegramText {
  readonly text: string;
  /** `HTML` or `MarkdownV2` in any case; absent, `''` or `none`: plain text. */
  readonly parse_mode?: string | undefined;
}

export type Reading = ({ readonly ok: true } & Formatted) | { readonly ok: false; readonly fault: Fault };

/** The limits of sendMessage (core.telegram.org/bots/api#sendmessage). */
export const LIMITS = {
  /** UTF-16 units of a text without its markup. */
  units: 4096,
  /** The most bytes of a text with its markup, in UTF-8. A longer text is not parsed. */
  bytes: 32_768,
  /** The most entities of a message. Further ones are dropped silently. Custom emoji do not count. */
  entities: 100,
} as const;

/** Telegram's result for a text: what its readers see, or why it is refused. */
export function readText(message: TelegramText): Reading {
  const parsed = parseText(message);
  return parsed.ok ? finishText(parsed) : parsed;
}

/** The first half, before the chat is looked up: parses the markup. */
export function parseText(message: TelegramText): Reading {
  const { text } = message;
  if (text === '') return refuse('message text is empty', 'is empty', 'write a text');
  if (!text.isWellFormed())
    return refuse('strings must be encoded in UTF-8', 'has half a character', 'write whole characters');
  const bytes = text.length > LIMITS.bytes / 3 ? bytesOf(text) : 0;
  return bytes > LIMITS.bytes
    ? refuse('text is too long', `has ${bytes} bytes; ${LIMITS.bytes} are allowed`, SHORTEN)
    : parseMarkup(message);
}

/**
 * Parses the markup of a text of any length. From the index `upTo` on nothing more is read, and what is open ends there.
 * The legacy mode `Markdown` is not known here: its marks stay text.
 */
export function parseMarkup({ text, parse_mode: mode = '' }: TelegramText, upTo = Infinity): Reading {
  try {
    switch (mode.toLowerCase()) {
      case '':
      case 'none':
      case LEGACY:
        return { ok: true, text, entities: [] };
      case 'html':
        return { ok: true, ...parseHtml(text, upTo) };
      case 'markdownv2':
        return { ok: true, ...parseMarkdownV2(text, upTo) };
      default: {
        const place = { pointer: '/parse_mode' };
        const rule = 'is neither HTML nor MarkdownV2';
        const remedy = 'write one of them';
        return { ok: false, fault: { place, rule, error: 'unsupported parse_mode', remedy } };
      }
    }
  } catch (error) {
    if (!(error instanceof MarkupError)) throw error;
    const { message, at, remedy } = error;
    const lines = text.slice(0, at).split('\n');
    const place = { pointer: '/text', line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
    const rule = message.replace(/ at byte offset \d+/, '');
    const fault = { place, rule, error: "can't parse entities", explanation: message, remedy };
    return { ok: false, fault };
  }
}

/** The older Markdown (core.telegram.org/bots/api#markdown-style). */
export const LEGACY = 'markdown';

/** A parsed text as Telegram stores it, before its ends are trimmed: no entity crosses another. */
export function tidyText(parsed: Formatted): Formatted {
  const { text, entities } = clean({ text: parsed.text, entities: arrange(parsed.entities) });
  return { text, entities: arrange(entities) };
}

/** The second half, when the chat is known: cleans and measures the text, and searches it for more entities. */
export function finishText(parsed: Formatted): Reading {
  const { text, entities } = trim(tidyText(parsed));
  if (isInvisible(text)) return refuse('text must be non-empty', 'has no visible character', 'write a text');
  if (text.length > LIMITS.units) {
    const rule = `has ${text.length} characters without its markup; ${LIMITS.units} are allowed`;
    return refuse('message is too long', rule, SHORTEN);
  }
  const all = addFound(firstOf(arrange(entities)), findEntities(text));
  return { ok: true, text, entities: withoutBlanks(text, all) };
}

/** Which of a sender's entities are kept: quotes, links and code before styles. */
function firstOf(entities: Entity[]): Entity[] {
  if (entities.length <= LIMITS.entities) return entities;
  const emoji = entities.filter(({ type }) => type === 'custom_emoji');
  const counted = entities.filter(({ type }) => type !== 'custom_emoji');
  const styles = counted.filter((entity) => natureOf(entity) === 'style');
  const others = counted.filter((entity) => natureOf(entity) !== 'style');
  return arrange([...emoji, ...[...others, ...arrange(styles)].slice(0, LIMITS.entities)]);
}

const SHORTEN = 'shorten it';

/** A fault of the whole text. */
function refuse(error: string, rule: string, remedy: string): Reading {
  return { ok: false, fault: { place: { pointer: '/text' }, rule, error, remedy } };
}
