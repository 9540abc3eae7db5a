import { addFound, arrange } from './text/arrange.ts';
import { clean, isInvisible, trim, withoutBlanks } from './text/clean.ts';
import { natureOf, type Entity, type Formatted } from './text/entity.ts';
import { findEntities } from './text/find.ts';
import { parseHtml } from './text/html.ts';
import { parseMarkdownV2 } from './text/markdown.ts';
import { MarkupError } from './text/markup.ts';

/** The text of a message from a sender. */
export interface BotchatText {
  readonly text: string;
  /** `HTML` or `MarkdownV2` in any case; absent, `''` or `none`: plain text. */
  readonly parse_mode?: string | undefined;
}

export type BotchatCheck =
  | ({ readonly ok: true } & Formatted)
  /** The reason without `Bad Request: `. */
  | { readonly ok: false; readonly description: string };

/** UTF-16 units of a text without its markup (core.telegram.org/bots/api#sendmessage). */
const TEXT_LENGTH = 4096;
/** The most bytes of a text with its markup. A longer text is not parsed. */
const SOURCE_BYTES = 32_768;
/** The most entities of a message. Further ones are dropped silently. Custom emoji do not count. */
export const ENTITIES = 100;

/** Telegram's result for a text: what its readers see, or why it is refused. Pure, for fuzzing without HTTP. */
export function checkBotchatMessage(message: BotchatText): BotchatCheck {
  const parsed = parseText(message);
  return parsed.ok ? finishText(parsed) : parsed;
}

/** The first half, before the chat is looked up: parses the markup. */
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

/** The second half, when the chat is known: cleans and measures the text, and searches it for more entities. */
export function finishText(parsed: Formatted): BotchatCheck {
  const cleaned = clean({ text: parsed.text, entities: arrange(parsed.entities) });
  const { text, entities } = trim({ text: cleaned.text, entities: arrange(cleaned.entities) });
  if (isInvisible(text)) return refuse('text must be non-empty');
  if (text.length > TEXT_LENGTH) return refuse('message is too long');
  const all = addFound(firstOf(arrange(entities)), findEntities(text));
  return { ok: true, text, entities: withoutBlanks(text, all) };
}

/** Which of a sender's entities are kept: quotes, links and code before styles. */
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
