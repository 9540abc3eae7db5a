import type { Node, Shape } from './node.ts';
import { Tree } from './tree.ts';

/** Text up to the next special character, outside and inside code. */
const PLAIN = /[^\\_*[\]()~`>#+\-=|{}.!\n]+/y;
const PLAIN_CODE = /[^\\`]+/y;
const ADDRESS = /[^\\)]+/y;
/** A language ends at white space as Telegram's parser defines it, with NUL. A backtick before that: there is no language. */
const LANGUAGE = /[^ \t\r\n\v\0`]+(?=[ \t\r\n\v\0])/y;
/** The line break after the opening of a block is not part of it. */
const BREAK = /\r\n|\n\r|\n|\r/y;

/**
 * Parses MarkdownV2 (https://core.telegram.org/bots/api#markdownv2-style). Undefined if Telegram would refuse it: special characters
 * without an escape, entities without an end. Parses to the end, or to `upTo` and closes open elements. Runs in linear time.
 */
export const parseMarkdown = (text: string, upTo = Infinity): Node[] | undefined =>
  new Reader(text).read(upTo);

/** The markup that ends an element, if it has one. */
const ENDS: Partial<Record<Shape['kind'], string>> = {
  bold: '*',
  underline: '__',
  strike: '~',
  spoiler: '||',
  code: '`',
  pre: '```',
  link: ']',
  emoji: ']',
};

class Reader {
  readonly #text: string;
  readonly #tree = new Tree();
  #at = 0;
  /** Whether a `>` here continues or begins a quote. */
  #lineStart = true;
  #inQuote = false;
  /** The start of the last spoiler. Immediately before the end of a quote it marks an expandable one. */
  #spoilerAt = -1;

  constructor(text: string) {
    this.#text = text;
  }

  read(upTo: number): Node[] | undefined {
    while (this.#at < this.#text.length) {
      if (this.#at >= upTo) return this.#tree.closeAll();
      if (!this.#step()) return undefined;
    }
    if (this.#text.length > upTo) return this.#tree.closeAll();
    if (this.#inQuote && !this.#endQuote()) return undefined;
    return this.#tree.depth === 0 ? this.#tree.finish() : undefined;
  }

  /** Parses the next piece. False: Telegram would refuse it. */
  #step(): boolean {
    const { top } = this.#tree;
    const inCode = top?.kind === 'code' || top?.kind === 'pre';
    const run = this.#match(inCode ? PLAIN_CODE : PLAIN);
    if (run !== '') {
      this.#tree.text(run);
      if (run !== '\r') this.#lineStart = false;
      return true;
    }
    if (this.#takes('\\')) {
      const next = this.#escaped();
      this.#tree.text(next === '' ? '\\' : next);
      if (next !== '\r') this.#lineStart = next === '\n';
      return true;
    }
    if (this.#is('\n')) return this.#newline();
    return top !== undefined && this.#ends(top) ? this.#end(top) : this.#begin();
  }

  #is(mark: string): boolean {
    return this.#text.startsWith(mark, this.#at);
  }

  #takes(mark: string): boolean {
    const is = this.#is(mark);
    if (is) this.#at += mark.length;
    return is;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  /** The escaped character after a backslash (code 1 to 126); `''`: the backslash is text. */
  #escaped(): string {
    const code = this.#text.charCodeAt(this.#at);
    return code >= 1 && code <= 126 ? (this.#text[this.#at++] ?? '') : '';
  }

  #newline(): boolean {
    const goesOn = this.#text[this.#at + 1] === '>';
    if (this.#inQuote && !goesOn && !this.#endQuote()) return false;
    if (this.#takes('\n')) this.#tree.text('\n');
    this.#lineStart = true;
    return true;
  }

  /** Called before the line break that ends a quote, which is part of it, or at the end of the text. */
  #endQuote(): boolean {
    const marked = this.#tree.top?.kind === 'spoiler' && /^\|\|\r?$/.test(this.#since(this.#spoilerAt));
    if (marked) this.#tree.discard();
    if (this.#tree.top?.kind !== 'quote') return false;
    if (marked) this.#tree.reshape({ kind: 'quote', expandable: true });
    if (this.#takes('\n')) this.#tree.text('\n');
    this.#tree.close();
    this.#inQuote = false;
    return true;
  }

  /** The text read since `from`, up to a short limit. */
  #since(from: number): string {
    return this.#text.slice(Math.max(from, this.#at - 4), this.#at);
  }

  #ends({ kind }: Shape): boolean {
    if (kind === 'italic') return this.#is('_') && !this.#is('__');
    const mark = ENDS[kind];
    return mark !== undefined && this.#is(mark);
  }

  #end(top: Shape): boolean {
    this.#at += top.kind === 'italic' ? 1 : (ENDS[top.kind] ?? '').length;
    if ((top.kind === 'link' || top.kind === 'emoji') && this.#takes('(')) return this.#endAt(this.#url());
    this.#tree.close();
    // An emoji needs a URL.
    return top.kind !== 'emoji';
  }

  /** The end of a link or an emoji with a known URL. */
  #endAt(url: string | undefined): boolean {
    const isLink = this.#tree.top?.kind === 'link';
    if (isLink && url === '') {
      this.#tree.discard();
      return true;
    }
    if (url === undefined) return false;
    const shape: Shape | undefined = isLink ? { kind: 'link', url } : momentOrEmoji(url);
    if (shape !== undefined) this.#tree.reshape(shape);
    this.#tree.close();
    return shape !== undefined;
  }

  /** The URL up to its closing parenthesis; undefined without one. */
  #url(): string | undefined {
    let url = '';
    for (;;) {
      url += this.#match(ADDRESS);
      if (this.#takes(')')) return url;
      if (!this.#takes('\\')) return undefined;
      url += this.#escaped() || '\\';
    }
  }

  #begin(): boolean {
    if (this.#takes('>')) {
      if (!this.#lineStart || this.#inQuote) return this.#lineStart;
      this.#inQuote = true;
      return this.#tree.open({ kind: 'quote', expandable: false });
    }
    const shape = this.#opening();
    return shape !== undefined && this.#tree.open(shape);
  }

  #opening(): Shape | undefined {
    if (this.#takes('```')) {
      const language = this.#match(LANGUAGE);
      this.#match(BREAK);
      return { kind: 'pre', language };
    }
    if (this.#takes('`')) return { kind: 'code' };
    if (this.#takes('*')) return { kind: 'bold' };
    if (this.#takes('__')) return { kind: 'underline' };
    if (this.#takes('_')) return { kind: 'italic' };
    if (this.#takes('~')) return { kind: 'strike' };
    if (this.#takes('[')) return { kind: 'link', url: '' };
    if (this.#takes('![')) return { kind: 'emoji', id: '' };
    if (!this.#is('||')) return undefined;
    this.#spoilerAt = this.#at;
    this.#at += 2;
    return { kind: 'spoiler' };
  }
}

/** The meaning of `![…](url)`; undefined for a URL that Telegram refuses there. */
function momentOrEmoji(url: string): Shape | undefined {
  const id = /^tg:\/\/emoji\?id=(\d+)$/i.exec(url)?.[1];
  if (id !== undefined) return { kind: 'emoji', id };
  const [, unix, format = ''] = /^tg:\/\/time\?unix=(-?\d+)(?:&format=([A-Za-z]*))?$/i.exec(url) ?? [];
  return unix === undefined ? undefined : { kind: 'time', unix, format };
}
