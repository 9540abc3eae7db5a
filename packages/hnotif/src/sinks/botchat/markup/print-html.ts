import { isLeaf, type Branch, type Node, type SpanKind } from './node.ts';

const TAGS: Readonly<Record<SpanKind, string>> = {
  bold: 'b',
  italic: 'i',
  underline: 'u',
  strike: 's',
  spoiler: 'tg-spoiler',
};

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[<>&"]/g, (character) => ENTITIES[character] ?? '');

/** Prints a tree as Telegram's HTML (https://core.telegram.org/bots/api#html-style). */
export function printHtml(nodes: readonly Node[]): string {
  return nodes.map(printNode).join('');
}

function printNode(node: Node): string {
  if (!isLeaf(node)) {
    const [start, end] = tagsOf(node);
    return `<${start}>${printHtml(node.children)}</${end}>`;
  }
  const text = escape(node.text);
  switch (node.kind) {
    case 'text':
      return text;
    case 'code':
      return `<code>${text}</code>`;
    case 'pre':
      return node.language === ''
        ? `<pre>${text}</pre>`
        : `<pre><code class="language-${escape(node.language)}">${text}</code></pre>`;
  }
}

/** The start tag with its attributes, and the end tag. */
function tagsOf(node: Branch): readonly [start: string, end: string] {
  switch (node.kind) {
    case 'link':
      return [`a href="${escape(node.url)}"`, 'a'];
    case 'quote':
      return [node.expandable ? 'blockquote expandable' : 'blockquote', 'blockquote'];
    case 'emoji':
      return [`tg-emoji emoji-id="${node.id}"`, 'tg-emoji'];
    case 'time':
      return [
        node.format === ''
          ? `tg-time unix="${node.unix}"`
          : `tg-time unix="${node.unix}" format="${escape(node.format)}"`,
        'tg-time',
      ];
    default:
      return [TAGS[node.kind], TAGS[node.kind]];
  }
}
