import type { Formatted, Mark } from './entity.ts';
import { linkMark, specialMark } from './link.ts';
import { BEGINS, ENDS, MARKS, readUrl, type Kind } from './markdown-kind.ts';
import { atByte, isBlank, MarkupError, Output } from './markup.ts';

interface Open {
  readonly kind: Kind;
  /** The index of its marker in the source. */
  readonly at: number;
  /** The start of its content in the text. */
  readonly offset: number;
  /** Of a PreCode. */
  readonly language: string;
}

/**
 * Parses a text with `parse_mode` MarkdownV2 as strictly as Telegram (core.telegram.org/bots/api#markdownv2-style). The messages are
 * those of its server, github.com/tdlib/td. From the index `upTo` on nothing more is read, and what is open ends there. @throws MarkupError
 */
export function parseMarkdownV2(source: string, upTo = Infinity): Formatted {
  return new MarkdownParser(source, upTo).parse();
}

class MarkdownParser {
  readonly #source: string;
  readonly #out = new Output();
  readonly #open: Open[] = [];
  #at = 0;
  #inQuote = false;
  /** Whether nothing has been written since the line began; markers do not count. */
  #lineBegins = true;

  readonly #upTo: number;

  constructor(source: string, upTo: number) {
    this.#source = source;
    this.#upTo = upTo;
  }

  parse(): Formatted {
    const source = this.#source;
    while (this.#at < Math.min(source.length, this.#upTo)) {
      this.#writeOrdinary();
      if (this.#at === source.length) break;
      const character = source.charAt(this.#at);
      if (character === '\\') this.#escape();
      else if (character === '\n' && this.#inQuote && source[this.#at + 1] !== '>') this.#endQuote();
      else if (this.#endsHere()) this.#end();
      else this.#begin(character);
    }
    if (source.length > this.#upTo) return this.#beginning();
    if (this.#inQuote) this.#endQuoteAtEnd();
    const left = this.#open.at(-1);
    if (left !== undefined) throw this.#endless(left);
    return this.#out.formatted();
  }

  /** What was read so far. A link without its address is text. */
  #beginning(): Formatted {
    for (const { kind, offset, language } of this.#open.toReversed()) {
      if (kind === 'PreCode') this.#add({ type: 'pre', language }, offset);
      else if (kind !== 'TextUrl' && kind !== 'CustomEmoji') this.#add({ type: MARKS[kind] }, offset);
    }
    return this.#out.formatted();
  }

  get #innermost(): Open | undefined {
    return this.#open.at(-1);
  }

  #inCode(): boolean {
    const kind = this.#innermost?.kind;
    return kind === 'Code' || kind === 'Pre' || kind === 'PreCode';
  }

  #writeOrdinary(): void {
    const pattern = this.#inCode() ? RESERVED_IN_CODE : RESERVED;
    pattern.lastIndex = this.#at;
    const end = pattern.exec(this.#source)?.index ?? this.#source.length;
    const text = this.#source.slice(this.#at, end);
    if (/[^\r]/.test(text)) this.#lineBegins = false;
    this.#out.write(text);
    this.#at = end;
  }

  /** Any character from 1 to 126 can be escaped. Before others a backslash is text. */
  #escape(): void {
    const next = this.#source.charAt(this.#at + 1);
    const escapes = next >= '\x01' && next <= '~';
    const text = escapes ? next : '\\';
    this.#out.write(text);
    if (text !== '\r') this.#lineBegins = text === '\n';
    this.#at += escapes ? 2 : 1;
  }

  #endsHere(): boolean {
    const kind = this.#innermost?.kind;
    const end = kind && ENDS[kind];
    if (end === undefined || !this.#source.startsWith(end, this.#at)) return false;
    return kind !== 'Italic' || this.#source[this.#at + 1] !== '_';
  }

  #begin(character: string): void {
    const source = this.#source;
    const twice = source[this.#at + 1] === character;
    switch (character) {
      case '\n':
        this.#out.write('\n');
        this.#lineBegins = true;
        this.#at++;
        return;
      case '>':
        if (!this.#lineBegins) throw this.#reserved(character);
        // Every further line of a quote has its own mark.
        if (this.#inQuote) this.#at++;
        else this.#push('BlockQuote', 1);
        this.#inQuote = true;
        return;
      case '`':
        if (source.startsWith('```', this.#at)) this.#beginPre();
        else this.#push('Code', 1);
        return;
      case '_':
        this.#push(twice ? 'Underline' : 'Italic', twice ? 2 : 1);
        return;
      case '*':
        this.#push('Bold', 1);
        return;
      case '~':
        this.#push('Strikethrough', 1);
        return;
      case '[':
        this.#push('TextUrl', 1);
        return;
      case '|':
        if (!twice) throw this.#reserved(character);
        this.#push('Spoiler', 2);
        return;
      case '!':
        if (source[this.#at + 1] !== '[') throw this.#reserved(character);
        this.#push('CustomEmoji', 2);
        return;
      default:
        throw this.#reserved(character);
    }
  }

  #push(kind: Kind, markerLength: number, language = ''): void {
    this.#open.push({ kind, at: this.#at, offset: this.#out.offset, language });
    this.#at += markerLength;
  }

  /** The text after the three backticks up to a blank is the language, unless the block ends there. */
  #beginPre(): void {
    const source = this.#source;
    const from = this.#at + 3;
    let end = from;
    while (!isBlank(source.charAt(end)) && source[end] !== '`') end++;
    const known = end > from && end < source.length && source[end] !== '`';
    const length = known ? end - this.#at : 3;
    this.#push(known ? 'PreCode' : 'Pre', length, known ? source.slice(from, end) : '');
    // One line break after it is not part of the content.
    const first = source.charAt(this.#at);
    if (first !== '\n' && first !== '\r') return;
    const second = source.charAt(this.#at + 1);
    this.#at += (second === '\n' || second === '\r') && second !== first ? 2 : 1;
  }

  #end(): void {
    const open = this.#open.pop();
    if (open === undefined) return;
    this.#at += ENDS[open.kind]?.length ?? 0;
    const mark = this.#markOf(open);
    if (mark !== undefined) this.#add(mark, open.offset);
  }

  #markOf({ kind, at, offset, language }: Open): Mark | undefined {
    switch (kind) {
      case 'PreCode':
        return { type: 'pre', language };
      case 'TextUrl':
        return linkMark(this.#source[this.#at] === '(' ? this.#readUrl() : this.#out.since(offset));
      case 'CustomEmoji': {
        if (this.#source[this.#at] !== '(') {
          const message = 'The entity must contain a tg://emoji or tg://time URL';
          throw new MarkupError(
            message,
            at,
            'write \\!\\[ instead of ![, or its address: ![👍](tg://emoji?id=1)',
          );
        }
        const mark = specialMark(this.#readUrl());
        if (mark !== undefined) return mark;
        const message = 'Invalid tg://emoji or tg://time URL specified';
        throw new MarkupError(message, at, 'write tg://emoji?id= or tg://time?unix= and a number');
      }
      default:
        return { type: MARKS[kind] };
    }
  }

  /** Reads `(url)`. */
  #readUrl(): string {
    const { url, end } = readUrl(this.#source, this.#at + 1);
    this.#at = end + 1;
    return url;
  }

  /** A line break without a following `>` ends the quote, and belongs to it. `||` before it makes the quote expandable. */
  #endQuote(): void {
    const last = this.#open.pop();
    if (last === undefined) return;
    let quote = last;
    if (last.kind === 'Spoiler' && this.#isMarkBefore(last)) quote = this.#open.pop() ?? last;
    if (quote.kind !== 'BlockQuote') throw this.#endless(quote);
    this.#inQuote = false;
    this.#out.write('\n');
    this.#lineBegins = true;
    this.#at++;
    this.#add({ type: quote === last ? 'blockquote' : 'expandable_blockquote' }, quote.offset);
  }

  /** Whether a spoiler's marker is the last thing on the line, except a carriage return. */
  #isMarkBefore({ at }: Open): boolean {
    return at === this.#at - 2 || (at === this.#at - 3 && this.#out.endsWith('\r'));
  }

  #endQuoteAtEnd(): void {
    const last = this.#innermost;
    const expandable = last?.kind === 'Spoiler' && last.at === this.#source.length - 2;
    if (expandable) this.#open.pop();
    const quote = this.#innermost;
    if (quote?.kind !== 'BlockQuote') return;
    this.#open.pop();
    this.#add({ type: expandable ? 'expandable_blockquote' : 'blockquote' }, quote.offset);
  }

  #add(mark: Mark, offset: number): void {
    const length = this.#out.offset - offset;
    if (length > 0) this.#out.entities.push({ ...mark, offset, length });
  }

  #reserved(character: string): MarkupError {
    const message = `Character '${character}' is reserved and must be escaped with the preceding '\\'`;
    return new MarkupError(message, this.#at, `write \\${character} instead of ${character}`);
  }

  #endless({ kind, at }: Open): MarkupError {
    const begin = BEGINS[kind] ?? ENDS[kind] ?? '';
    const escaped = begin.replaceAll(/./g, '\\$&');
    const remedy = `write ${ENDS[kind] ?? 'a line break'} where it ends, or ${escaped} instead of ${begin}`;
    return new MarkupError(`Can't find end of ${kind} entity ${atByte(this.#source, at)}`, at, remedy);
  }
}

const RESERVED = /[\\_*[\]()~`>#+\-=|{}.!\n]/g;
const RESERVED_IN_CODE = /[\\`]/g;
