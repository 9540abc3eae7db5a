/** Reads the tokens of JSON. Its errors are Go's. */
import { GoError } from '../errors.ts';
import { quote } from '../strconv/quote.ts';
import { toBytes } from '../value/text.ts';

const PLAIN = /[^"\\\0-\x1f]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const HEX = /[\da-fA-F]/;

export class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next character that is not a space; '' at the end of the text. */
  peek(): string {
    let found = this.#text.charAt(this.#at);
    while (found === ' ' || found === '\n' || found === '\r' || found === '\t')
      found = this.#text.charAt(++this.#at);
    return found;
  }

  /** Skips the character that `peek` returned. */
  skip(): void {
    this.#at++;
  }

  /** Throws: the character that `peek` returned is not allowed here. */
  fail(where: string): never {
    if (this.#at >= this.#text.length) throw new GoError('unexpected end of JSON input');
    this.#failWithin(where);
  }

  /** Throws for a character within a token. At the end of the text Go names a space. */
  #failWithin(where: string): never {
    throw new GoError(`invalid character ${this.#quoted()} ${where}`);
  }

  #quoted(): string {
    const character = this.#text.slice(this.#at, this.#at + 2) || ' ';
    const byte = toBytes(character)[0] ?? 0;
    if (byte === 0x27) return `'\\''`;
    if (byte === 0x22) return `'"'`;
    return `'${quote(String.fromCharCode(byte)).slice(1, -1)}'`;
  }

  /** Reads the word for a value. */
  literal<T>(word: 'true' | 'false' | 'null', value: T): T {
    for (const letter of word) {
      if (this.#text.charAt(this.#at) !== letter)
        this.#failWithin(`in literal ${word} (expecting '${letter}')`);
      this.#at++;
    }
    return value;
  }

  /** A number as it is written. */
  number(): string {
    const start = this.#at;
    NUMBER.lastIndex = start;
    if (!NUMBER.test(this.#text)) {
      // There was a minus.
      this.#at++;
      this.#failWithin('in numeric literal');
    }
    this.#at = NUMBER.lastIndex;
    const text = this.#text.slice(start, this.#at);
    this.#checkEnd(text);
    return text;
  }

  /** The pattern ignores a fraction or an exponent without digits. Go begins to read it, then fails. */
  #checkEnd(number: string): void {
    const next = this.#text.charAt(this.#at);
    const hasExponent = /e/i.test(number);
    if (next === '.' && !hasExponent && !number.includes('.')) {
      this.#at++;
      this.#failWithin('after decimal point in numeric literal');
    }
    if ((next !== 'e' && next !== 'E') || hasExponent) return;
    this.#at++;
    if ('+-'.includes(this.#text.charAt(this.#at) || ' ')) this.#at++;
    this.#failWithin('in exponent of numeric literal');
  }

  /** Reads a string that begins at its quote. Escapes and bytes that are not a character become U+FFFD. */
  string(): string {
    const start = this.#at;
    let escaped = false;
    for (this.#at++; ;) {
      PLAIN.lastIndex = this.#at;
      PLAIN.test(this.#text);
      this.#at = PLAIN.lastIndex;
      const next = this.#text.charAt(this.#at);
      if (next === '"') break;
      if (next !== '\\') this.fail('in string literal');
      escaped = true;
      this.#escape();
    }
    this.#at++;
    // Before escapes are resolved: an escape and a byte could form a surrogate pair.
    const quoted = this.#text.slice(start, this.#at).toWellFormed();
    return escaped ? (JSON.parse(quoted) as string).toWellFormed() : quoted.slice(1, -1);
  }

  #escape(): void {
    this.#at++;
    const letter = this.#text.charAt(this.#at);
    if (letter === '' || !'bfnrtu\\/"'.includes(letter)) this.#failWithin('in string escape code');
    this.#at++;
    if (letter !== 'u') return;
    for (let i = 0; i < 4; i++, this.#at++)
      if (!HEX.test(this.#text.charAt(this.#at))) this.#failWithin('in \\u hexadecimal character escape');
  }
}
