import { Chunks, MAX_BYTES } from './chunks.ts';
import { KubeError } from './error.ts';

const [TAB, RETURN, SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [0x09, 0x0d, 0x20, 0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** The depth of the answer's fields, and of the items in its list. */
const [FIELDS, ITEMS] = [1, 2];

/**
 * Parses the items of a list one by one while its JSON comes: a whole page would take many times more memory than what is kept of it. The
 * rest is parsed at the end, with a 0 for each item, so that errors between the items are found. Chunks may end anywhere. Throws a
 * `KubeError` for invalid JSON, and for an item or a rest that is larger than `maxBytes`.
 */
export class ListItems {
  readonly #maxBytes: number;
  /** Everything but the items, one character for each byte. */
  #rest = '';
  readonly #present: Chunks;
  /** The kind of the present item. A word (a number, `true`, …) ends with the byte after it. */
  #item: 'none' | 'word' | 'other' = 'none';
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** Where in the rest the last text at the depth of fields begins. It is a name if a colon follows. */
  #nameAt = 0;
  /** Whether the last name was `items`. */
  #ofItems = false;
  #inItems = false;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
    this.#present = new Chunks('an item of the list', maxBytes);
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
      if (this.#inText) at = this.#endOfText(chunk, at);
      if (at >= chunk.length) break;
      const byte = chunk[at] ?? 0;
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
    else this.#present.add(cut(chunk.length));
  }

  /** The list without its items, after the last chunk. */
  end(): unknown {
    return parse(Buffer.from(this.#rest, 'latin1').toString('utf8'));
  }

  /** Where a text ends: the place of its quote, or the end of the chunk. Most bytes of a list are those of texts. */
  #endOfText(chunk: Uint8Array, from: number): number {
    let at = this.#escaped ? from + 1 : from;
    while (at < chunk.length && chunk[at] !== QUOTE) at += chunk[at] === BACKSLASH ? 2 : 1;
    this.#escaped = at > chunk.length;
    return at;
  }

  /** Updates depth and state for a byte. */
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

  #complete(last: Uint8Array): unknown {
    this.#present.add(last);
    this.#item = 'none';
    this.#rest += '0';
    return parse(this.#present.take());
  }
}

const isSpace = (byte: number): boolean => byte === SPACE || (byte >= TAB && byte <= RETURN);
const isFirst = (byte: number): boolean =>
  !isSpace(byte) && byte !== COMMA && byte !== COLON && byte !== CLOSE_LIST && byte !== CLOSE_OBJECT;
/** A byte of a number, `true`, `false` or `null`, or of invalid JSON. */
const isOfWord = (byte: number): boolean =>
  isFirst(byte) && byte !== QUOTE && byte !== OPEN_LIST && byte !== OPEN_OBJECT;

/** `name`: with its quotes, and the bytes up to the colon. */
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
