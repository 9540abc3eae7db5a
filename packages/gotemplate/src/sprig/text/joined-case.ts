import { runeToLower } from '../../unicode/case.ts';
import { isUpper } from '../../unicode/category.ts';
import { type Word, type WordKind, words } from './words.ts';

/** `FirstName` becomes `first_name` or `first-name`. Digits belong to the letters after them: `http_2xx`. */
export function joinedCase(text: string, connector: '_' | '-'): string {
  return new Joiner(words(text), connector).join();
}

class Joiner {
  readonly #words: readonly Word[];
  readonly #connector: string;
  #at = 0;
  #text = '';

  constructor(words: readonly Word[], connector: string) {
    this.#words = words;
    this.#connector = connector;
  }

  join(): string {
    const last = this.#words.length - 1;
    while (this.#at < last) {
      const kind = this.#kind();
      this.#write();
      if (kind === 'number') {
        this.#writeLettersAndNumbers();
        this.#connect();
      } else if (kind !== 'connector' && kind !== 'punctuation') this.#afterLetters();
    }
    if (this.#at === last) this.#write();
    return this.#text;
  }

  #kind(): WordKind | undefined {
    return this.#words[this.#at]?.kind;
  }

  #write(): void {
    const word = this.#words[this.#at++];
    if (word !== undefined) this.#text += lowered(word, this.#connector);
  }

  /** Writes a connector, unless the next word is a separator or there is none. */
  #connect(): void {
    const kind = this.#kind();
    if (kind !== undefined && kind !== 'broken' && kind !== 'connector' && kind !== 'punctuation')
      this.#text += this.#connector;
  }

  #writeLettersAndNumbers(): void {
    while (this.#kind() === 'letters' || this.#kind() === 'number') this.#write();
  }

  /** A number belongs to the word before it, or to the one after it if that is in lower case. */
  #afterLetters(): void {
    if (this.#kind() === 'number') {
      const leads = this.#words[this.#at + 1]?.kind === 'letters';
      if (leads) this.#text += this.#connector;
      this.#write();
      if (leads) this.#writeLettersAndNumbers();
    }
    this.#connect();
  }
}

function lowered({ kind, text }: Word, connector: string): string {
  if (kind === 'connector') return text.toWellFormed().replace(CONNECTOR, connector);
  if (kind !== 'capital') return text;
  return text.toWellFormed().replace(/[A-Z]+|[^\0-\x7f]/gu, (letters) => {
    if (letters < '[') return letters.toLowerCase();
    const rune = letters.codePointAt(0) ?? 0;
    return isUpper(rune) ? String.fromCodePoint(runeToLower(rune)) : letters;
  });
}

/** All characters except U+FFFD. */
const CONNECTOR = /[^\ufffd]/g;
