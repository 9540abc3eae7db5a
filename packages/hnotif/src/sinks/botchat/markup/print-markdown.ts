import type { Node, SpanKind } from './node.ts';

const MARKS: Readonly<Record<SpanKind, string>> = {
  bold: '*',
  italic: '_',
  underline: '__',
  strike: '~',
  spoiler: '||',
};

/** Any character may be escaped. These must be (https://core.telegram.org/bots/api#markdownv2-style). */
const escape = (text: string): string => text.replace(/[_*[\]()~`>#+\-=|{}.!\\]/g, '\\$&');
const escapeCode = (text: string): string => text.replace(/[`\\]/g, '\\$&');
const escapeUrl = (url: string): string => url.replace(/[)\\]/g, '\\$&');

/**
 * Prints a tree as MarkdownV2. A quote must begin a line, and end with a line break if text follows. Trees that were parsed from
 * MarkdownV2 are so.
 */
export function printMarkdown(nodes: readonly Node[]): string {
  const writer = new Writer();
  writer.nodes(nodes);
  return writer.written;
}

class Writer {
  #out = '';
  #bold = false;
  #inQuote = false;
  /** What must be separated from the next mark: an underscore, which would become another mark, or a quote, which would continue. */
  #last: '_' | 'quote' | undefined;

  get written(): string {
    return this.#out;
  }

  nodes(nodes: readonly Node[]): void {
    for (const node of nodes) this.#node(node);
  }

  #node(node: Node): void {
    switch (node.kind) {
      case 'text':
        // Each line of a quote begins with its mark.
        this.#text(this.#inQuote ? escape(node.text).replaceAll('\n', '\n>') : escape(node.text));
        return;
      case 'code':
        this.#text(`\`${escapeCode(node.text)}\``);
        return;
      case 'pre':
        this.#text(`\`\`\`${node.language}\n${escapeCode(node.text)}\`\`\``);
        return;
      case 'link':
        this.#within('[', node.children, `](${escapeUrl(node.url)})`);
        return;
      case 'emoji':
        this.#within('![', node.children, `](tg://emoji?id=${node.id})`);
        return;
      case 'time': {
        const format = node.format === '' ? '' : `&format=${node.format}`;
        this.#within('![', node.children, `](tg://time?unix=${node.unix}${format})`);
        return;
      }
      case 'quote':
        this.#quote(node.expandable, node.children);
        return;
      default:
        this.#span(node.kind, node.children);
    }
  }

  #text(text: string): void {
    this.#out += text;
    this.#last = undefined;
  }

  #within(before: string, children: readonly Node[], after: string): void {
    this.#text(before);
    this.nodes(children);
    this.#text(after);
  }

  #span(kind: SpanKind, children: readonly Node[]): void {
    this.#mark(MARKS[kind]);
    const outer = this.#bold;
    this.#bold ||= kind === 'bold';
    this.nodes(children);
    this.#mark(MARKS[kind]);
    this.#bold = outer;
  }

  #mark(mark: string): void {
    if (this.#last === '_' && mark.startsWith('_')) this.#separate();
    this.#out += mark;
    this.#last = mark.startsWith('_') ? '_' : undefined;
  }

  /** An entity without content, which is not visible: bold, as in Telegram's documentation, or code if bold would end something. */
  #separate(): void {
    this.#out += this.#bold ? '``' : '**';
  }

  #quote(expandable: boolean, children: readonly Node[]): void {
    if (this.#last === 'quote') this.#separate();
    this.#text('>');
    this.#inQuote = true;
    this.nodes(children);
    this.#inQuote = false;
    // The last line break is the end of the quote, and begins no new line of it.
    const ended = this.#out.endsWith('\n>');
    if (ended) this.#out = this.#out.slice(0, -2);
    this.#text(`${expandable ? '||' : ''}${ended ? '\n' : ''}`);
    if (ended) this.#last = 'quote';
  }
}
