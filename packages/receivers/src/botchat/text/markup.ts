import { sorted, type Entity, type Formatted } from './entity.ts';

/** A text whose markup cannot be read; the message is Telegram's own, as it follows `can't parse entities: `. */
export class MarkupError extends Error {
  override readonly name = 'MarkupError';
}

/** The text and the entities that a parser has made so far. */
export class Output {
  #text = '';
  readonly entities: Entity[] = [];

  /** Where the next text goes, UTF-16 units. */
  get offset(): number {
    return this.#text.length;
  }

  write(text: string): void {
    this.#text += text;
  }

  /** What has been written from an offset on. */
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

/** The place in a source as Telegram's messages tell it: in bytes of UTF-8. */
export function byteOffset(source: string, index: number): number {
  return Buffer.byteLength(source.slice(0, index));
}

/** What Telegram's parsers take for a blank; the end of the text is one. */
export function isBlank(character: string): boolean {
  return BLANKS.has(character);
}

const BLANKS = new Set(['', ' ', '\t', '\r', '\n', '\v', '\0']);

/** The end of the text. A NUL ends it, too. */
export function isEnd(character: string): boolean {
  return character === '' || character === '\0';
}
