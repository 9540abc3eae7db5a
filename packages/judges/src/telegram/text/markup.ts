import { sorted, type Entity, type Formatted } from './entity.ts';

/** A text with invalid markup. The message is Telegram's own, after `can't parse entities: `. */
export class MarkupError extends Error {
  override readonly name = 'MarkupError';
  /** Where the fault begins in the source, in UTF-16 units. */
  readonly at: number;
  /** What to write instead. */
  readonly remedy: string;

  constructor(message: string, at: number, remedy: string) {
    super(message);
    this.at = at;
    this.remedy = remedy;
  }
}

/** The text and the entities that a parser has made so far. */
export class Output {
  #text = '';
  readonly entities: Entity[] = [];

  /** The position of the next text, in UTF-16 units. */
  get offset(): number {
    return this.#text.length;
  }

  write(text: string): void {
    this.#text += text;
  }

  /** The text from an offset on. */
  since(offset: number): string {
    return this.#text.slice(offset);
  }

  endsWith(text: string): boolean {
    return this.#text.endsWith(text);
  }

  formatted(): Formatted {
    return { text: this.#text, entities: sorted(this.entities) };
  }
}

/** The bytes of a text in UTF-8. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** A position in a source as Telegram's messages write it: in bytes of UTF-8. */
export const atByte = (source: string, index: number): string =>
  `at byte offset ${bytesOf(source.slice(0, index))}`;

/** A blank by the rules of Telegram's parsers. The end of the text is one. */
export function isBlank(character: string): boolean {
  return BLANKS.has(character);
}

const BLANKS = new Set(['', ' ', '\t', '\r', '\n', '\v', '\0']);

/** The end of the text. A NUL ends it, too. */
export function isEnd(character: string): boolean {
  return character === '' || character === '\0';
}
