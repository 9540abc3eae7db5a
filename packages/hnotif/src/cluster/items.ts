import { KubeError } from './error.ts';
import { MAX_BYTES } from './lines.ts';

const [TAB, RETURN, SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [0x09, 0x0d, 0x20, 0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Where the fields of the answer's object stand, and the items of its list. */
const [FIELDS, ITEMS] = [1, 2];

/**
 * Takes the items out of a list's JSON while it comes: a page is many times larger than what is kept of it, and is never
 * there whole. What is not of an item is parsed at the end, with a 0 in the place of each, so that a fault between the
 * items is found as well. Chunks may end anywhere. Throws a `KubeError` for what is not JSON, and for an item or a rest
 * that is larger than `maxBytes`.
 */
export class ListItems {
  readonly #maxBytes: number;
  /** What is not of an item, a character for each byte. */
  #rest = '';
  /** What has come of an item. */
  #parts: Uint8Array[] = [];
  #size = 0;
  /** Within an item. A number or another word has no end of its own: what follows ends it. */
  #item: 'none' | 'word' | 'other' = 'none';
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** Where in the rest the last text among the fields begins: the name of one, where a colon follows. */
  #nameAt = 0;
  /** The last name among the fields was `items`. */
  #ofItems = false;
  #inItems = false;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The items that are complete with this chunk. */
  *push(chunk: Uint8Array): Generator<unknown> {
    let start = 0;
    const cut = (end: number): Uint8Array => {
      const part = chunk.subarray(start, end);
      start = end;
      return part;
    };
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#inText && !this.#endsText(byte)) continue;
      if (this.#item === 'word') {
        if (isOfWord(byte)) continue;
        yield this.#complete(cut(at));
      }
      if (this.#item === 'none' && this.#inItems && this.#depth === ITEMS && isFirst(byte)) {
        this.#keepRest(cut(at));
        this.#item = isOfWord(byte) ? 'word' : 'other';
      }
      if (this.#depth === FIELDS && (byte === QUOTE || byte === COLON)) this.#keepRest(cut(at));
      this.#follow(byte);
      if (this.#item === 'other' && this.#depth === ITEMS && !this.#inText) yield this.#complete(cut(at + 1));
    }
    if (this.#item === 'none') this.#keepRest(cut(chunk.length));
    else this.#keep(cut(chunk.length));
  }

  /** The list without its items, when all has come: what stands for them says nothing. */
  end(): unknown {
    return parse(Buffer.from(this.#rest, 'latin1').toString('utf8'));
  }

  #endsText(byte: number): boolean {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else return byte === QUOTE;
    return false;
  }

  /** How deep we are after this byte, and in what. */
  #follow(byte: number): void {
    switch (byte) {
      case QUOTE:
        if (!this.#inText && this.#depth === FIELDS) this.#nameAt = this.#rest.length;
        this.#inText = !this.#inText;
        return;
      case COLON:
        if (this.#depth === FIELDS) this.#ofItems = isItems(this.#rest.slice(this.#nameAt));
        return;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (this.#depth === FIELDS) this.#inItems = this.#ofItems && byte === OPEN_LIST;
        this.#depth++;
        return;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        this.#depth--;
    }
  }

  #keepRest(part: Uint8Array): void {
    this.#rest += Buffer.from(part.buffer, part.byteOffset, part.length).toString('latin1');
    if (this.#rest.length > this.#maxBytes)
      throw new KubeError(0, 'TooLarge', `the list is larger than ${this.#maxBytes} bytes besides its items`);
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes)
      throw new KubeError(0, 'TooLarge', `an item of the list is larger than ${this.#maxBytes} bytes`);
    if (part.length > 0) this.#parts.push(part);
  }

  #complete(last: Uint8Array): unknown {
    this.#keep(last);
    const [first] = this.#parts;
    const bytes = first !== undefined && this.#parts.length === 1 ? first : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    this.#item = 'none';
    this.#rest += '0';
    return parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  }
}

const isSpace = (byte: number): boolean => byte === SPACE || (byte >= TAB && byte <= RETURN);
const isFirst = (byte: number): boolean =>
  !isSpace(byte) && byte !== COMMA && byte !== COLON && byte !== CLOSE_LIST && byte !== CLOSE_OBJECT;
/** Of a number, `true`, `false` or `null`; or of what is not JSON. */
const isOfWord = (byte: number): boolean =>
  isFirst(byte) && byte !== QUOTE && byte !== OPEN_LIST && byte !== OPEN_OBJECT;

/** With its quotes, and what was found before the colon. */
function isItems(name: string): boolean {
  try {
    return JSON.parse(name) === 'items';
  } catch {
    return false;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KubeError(200, 'NotJson', 'the list is not JSON, or broke off');
  }
}
