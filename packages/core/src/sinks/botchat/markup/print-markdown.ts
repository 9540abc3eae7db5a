import { endOf, natureOf, type Entity, type Formatted } from '@hnotif/judges/telegram';
import { walk, type Writer } from './walk.ts';

/** Any character may be escaped. These must be (https://core.telegram.org/bots/api#markdownv2-style). */
const escape = (text: string): string => text.replace(/[_*[\]()~`>#+\-=|{}.!\\]/g, '\\$&');
const escapeCode = (text: string): string => text.replace(/[`\\]/g, '\\$&');
const escapeUrl = (url: string): string => url.replace(/[)\\]/g, '\\$&');

/** Prints a text as MarkdownV2. */
export function printMarkdown(formatted: Formatted): string {
  const writer = new MarkdownWriter();
  walk(withFreeBreaks(formatted), writer);
  return writer.out;
}

/** The line break that ends a quote must not be within another entity. */
function withFreeBreaks({ text, entities }: Formatted): Formatted {
  const quotes = entities.filter((entity) => isQuote(entity) && text[endOf(entity) - 1] === '\n');
  const ends = new Set(quotes.map(endOf));
  const free = entities.map((entity) =>
    isQuote(entity) || !ends.has(endOf(entity)) ? entity : { ...entity, length: entity.length - 1 },
  );
  return { text, entities: free.filter(({ length }) => length > 0) };
}

const isQuote = (entity: Entity): boolean => natureOf(entity) === 'quote';

class MarkdownWriter implements Writer {
  out = '';
  #isBold = false;
  #inQuote = false;
  /** What must be separated from the next mark: an underscore, which would become another mark, or a quote, which would continue. */
  #last: '_' | 'quote' | undefined;

  begin(entity: Entity): void {
    if (isQuote(entity)) {
      if (this.#last === 'quote') this.#separate();
      this.#inQuote = true;
    }
    this.#mark(marksOf(entity)[0]);
    this.#isBold ||= entity.type === 'bold';
  }

  text(part: string, isCode: boolean): void {
    const text = isCode ? escapeCode(part) : escape(part);
    // Each line of a quote begins with its mark, except in code.
    this.out += this.#inQuote && !isCode ? text.replaceAll('\n', '\n>') : text;
    this.#last = undefined;
  }

  end(entity: Entity): void {
    const mark = marksOf(entity)[1];
    if (isQuote(entity)) this.#endQuote(mark);
    else this.#mark(mark);
    this.#isBold &&= entity.type !== 'bold';
  }

  #mark(mark: string): void {
    if (this.#last === '_' && mark.startsWith('_')) this.#separate();
    this.out += mark;
    this.#last = mark.startsWith('_') ? '_' : undefined;
  }

  /** An entity without content, which is not visible: bold, as in Telegram's documentation, or code if bold would end something. */
  #separate(): void {
    this.out += this.#isBold ? '``' : '**';
  }

  /** The last line break is the end of the quote, and begins no new line of it. */
  #endQuote(mark: string): void {
    this.#inQuote = false;
    const ended = this.out.endsWith('\n>');
    this.out = ended ? `${this.out.slice(0, -2)}${mark}\n` : `${this.out}${mark}`;
    this.#last = ended ? 'quote' : undefined;
  }
}

/** What stands before and after the text of an entity. What Telegram finds by itself has no marks. */
function marksOf(entity: Entity): readonly [before: string, after: string] {
  switch (entity.type) {
    case 'bold':
      return ['*', '*'];
    case 'italic':
      return ['_', '_'];
    case 'underline':
      return ['__', '__'];
    case 'strikethrough':
      return ['~', '~'];
    case 'spoiler':
      return ['||', '||'];
    case 'code':
      return ['`', '`'];
    case 'pre':
      return [`\`\`\`${entity.language ?? ''}\n`, '```'];
    case 'blockquote':
      return ['>', ''];
    case 'expandable_blockquote':
      return ['>', '||'];
    case 'text_link':
      return ['[', `](${escapeUrl(entity.url)})`];
    case 'text_mention':
      return ['[', `](tg://user?id=${entity.user.id})`];
    case 'custom_emoji':
      return ['![', `](tg://emoji?id=${entity.custom_emoji_id})`];
    case 'date_time':
      return ['![', `](tg://time?unix=${entity.unix_time}&format=${entity.date_time_format})`];
    default:
      return ['', ''];
  }
}
