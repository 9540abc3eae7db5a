import { addFound, arrange } from './text/arrange.ts';
import { clean, isInvisible, trim, withoutBlanks } from './text/clean.ts';
import { natureOf, type Entity, type Formatted } from './text/entity.ts';
import { findEntities } from './text/find.ts';
import { parseHtml } from './text/html.ts';
import { parseMarkdownV2 } from './text/markdown.ts';
import { MarkupError } from './text/markup.ts';

/** The text of a message, as a sender gives it. */
export interface BotchatText {
  readonly text: string;
  /** `HTML` or `MarkdownV2` in any case; none, `''` or `none` for plain text. */
  readonly parse_mode?: string | undefined;
}

export type BotchatCheck =
  | ({ readonly ok: true } & Formatted)
  /** The reason without `Bad Request: `. */
  | { readonly ok: false; readonly description: string };

/** UTF-16 units of a text without its markup (core.telegram.org/bots/api#sendmessage). */
const TEXT_LENGTH = 4096;
/** Bytes of a text with its markup: what is more is not even read. */
const SOURCE_BYTES = 32_768;
/** Entities of a message; what is more is dropped without a word. Custom emoji do not count. */
export const ENTITIES = 100;

/**
 * What Telegram makes of a text: what its readers see, or why it refuses it. Pure, for fuzzing without HTTP.
 */
export function checkBotchatMessage(message: BotchatText): BotchatCheck {
  const parsed = parseText(message);
  return parsed.ok ? finishText(parsed) : parsed;
}

/** The first half, before the chat is looked for: the markup is read. */
export function parseText({ text, parse_mode: mode = '' }: BotchatText): BotchatCheck {
  if (text === '') return refuse('message text is empty');
  if (!text.isWellFormed()) return refuse('strings must be encoded in UTF-8');
  if (text.length > SOURCE_BYTES / 3 && Buffer.byteLength(text) > SOURCE_BYTES)
    return refuse('text is too long');
  try {
    switch (mode.toLowerCase()) {
      case '':
      case 'none':
        return { ok: true, text, entities: [] };
      case 'html':
        return { ok: true, ...parseHtml(text) };
      case 'markdownv2':
        return { ok: true, ...parseMarkdownV2(text) };
      default:
        return refuse('unsupported parse_mode');
    }
  } catch (error) {
    if (error instanceof MarkupError) return refuse(`can't parse entities: ${error.message}`);
    throw error;
  }
}

/** The second half, when the chat is known: the text is tidied and measured, and looked through for more entities. */
export function finishText(parsed: Formatted): BotchatCheck {
  const cleaned = clean({ text: parsed.text, entities: arrange(parsed.entities) });
  const { text, entities } = trim({ text: cleaned.text, entities: arrange(cleaned.entities) });
  if (isInvisible(text)) return refuse('text must be non-empty');
  if (text.length > TEXT_LENGTH) return refuse('message is too long');
  const all = addFound(firstOf(arrange(entities)), findEntities(text));
  return { ok: true, text, entities: withoutBlanks(text, all) };
}

/** What of a sender's entities is kept: quotes, links and code come before styles. */
function firstOf(entities: Entity[]): Entity[] {
  if (entities.length <= ENTITIES) return entities;
  const emoji = entities.filter(({ type }) => type === 'custom_emoji');
  const counted = entities.filter(({ type }) => type !== 'custom_emoji');
  const styles = counted.filter((entity) => natureOf(entity) === 'style');
  const others = counted.filter((entity) => natureOf(entity) !== 'style');
  return arrange([...emoji, ...[...others, ...arrange(styles)].slice(0, ENTITIES)]);
}

function refuse(description: string): BotchatCheck {
  return { ok: false, description };
}
