import { decodeEntities } from './entity.ts';
import type { Node, Shape, SpanKind } from './node.ts';
import { Tree } from './tree.ts';

const SPAN_TAGS: Readonly<Record<string, SpanKind>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strike',
  strike: 'strike',
  del: 'strike',
  'tg-spoiler': 'spoiler',
};

const NAME = /<([^\s>/"'=]+)/y;
const END_TAG = /<\/([^\s>]*)\s*>/y;
const ATTRIBUTE = /([^\s=>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']*)))?/g;

/**
 * Parses Telegram's HTML (https://core.telegram.org/bots/api#html-style). Undefined if Telegram would refuse it: unknown tags, tags that
 * are not closed or closed in another order. Parses to the end, or to `upTo` and closes open elements. Runs in linear time.
 */
export function parseHtml(text: string, upTo = Infinity): Node[] | undefined {
  const tree = new Tree();
  const tags: string[] = [];
  let at = 0;
  for (;;) {
    if (at >= upTo) return tree.closeAll();
    const tag = text.indexOf('<', at);
    const plain = decodeEntities(text.slice(at, tag < 0 ? text.length : tag));
    // Halves of surrogate pairs can be written as entities.
    if (!plain.isWellFormed()) return undefined;
    tree.text(plain);
    if (tag < 0) break;
    if (text[tag + 1] === '/') {
      END_TAG.lastIndex = tag;
      const name = END_TAG.exec(text)?.[1]?.toLowerCase();
      const open = tags.pop();
      if (name === undefined || open === undefined || (name !== '' && name !== open)) return undefined;
      tree.close();
      at = END_TAG.lastIndex;
    } else {
      NAME.lastIndex = tag;
      const name = NAME.exec(text)?.[1]?.toLowerCase();
      const end = tagEnd(text, NAME.lastIndex);
      if (name === undefined || end === undefined) return undefined;
      const attributes = attributesOf(text.slice(NAME.lastIndex, end));
      const shape = shapeOf(name, attributes);
      if (shape === undefined) return undefined;
      nameLanguage(tree, shape, attributes);
      if (!tree.open(shape)) return undefined;
      tags.push(name);
      at = end + 1;
    }
  }
  return tags.length === 0 || text.length > upTo ? tree.closeAll() : undefined;
}

/** The index of the `>` that ends the tag, outside of quotes. */
function tagEnd(text: string, from: number): number | undefined {
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '>') return at;
    else if (character === '"' || character === "'") quote = character;
  }
  return undefined;
}

/** `<pre><code class="language-x">` is one element. */
function nameLanguage(tree: Tree, shape: Shape, attributes: ReadonlyMap<string, string>): void {
  const { top } = tree;
  if (shape.kind !== 'code' || top?.kind !== 'pre' || tree.seen !== '') return;
  tree.reshape({ ...top, language: languageOf(attributes) });
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE))
    attributes.set(name.toLowerCase(), decodeEntities(double ?? single ?? bare ?? ''));
  return attributes;
}

function languageOf(attributes: ReadonlyMap<string, string>): string {
  return /^language-([^\s`\\]+)$/.exec(attributes.get('class') ?? '')?.[1] ?? '';
}

function shapeOf(tag: string, attributes: ReadonlyMap<string, string>): Shape | undefined {
  const kind = Object.hasOwn(SPAN_TAGS, tag) ? SPAN_TAGS[tag] : undefined;
  if (kind !== undefined) return { kind };
  switch (tag) {
    case 'span':
      return attributes.get('class') === 'tg-spoiler' ? { kind: 'spoiler' } : undefined;
    case 'a':
      return { kind: 'link', url: attributes.get('href') ?? '' };
    case 'code':
      return { kind: 'code' };
    case 'pre':
      return { kind: 'pre', language: '' };
    case 'blockquote':
      return { kind: 'quote', expandable: attributes.has('expandable') };
    case 'tg-emoji': {
      const id = attributes.get('emoji-id') ?? '';
      return /^\d+$/.test(id) ? { kind: 'emoji', id } : undefined;
    }
    case 'tg-time': {
      const unix = attributes.get('unix') ?? '';
      return /^-?\d+$/.test(unix)
        ? { kind: 'time', unix, format: attributes.get('format') ?? '' }
        : undefined;
    }
    default:
      return undefined;
  }
}
