/** A text with markup as a tree. Telegram's HTML and MarkdownV2 are two notations of it. */

export type SpanKind = 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler';

/**
 * Trees are normalized: no empty text, no adjacent texts, no empty element, no span or quote within one of its own kind, only text inside
 * code and pre.
 */
export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  /** `language` is `''` if there is none. */
  | { readonly kind: 'pre'; readonly language: string; readonly text: string }
  | { readonly kind: SpanKind; readonly children: readonly Node[] }
  | { readonly kind: 'link'; readonly url: string; readonly children: readonly Node[] }
  | { readonly kind: 'quote'; readonly expandable: boolean; readonly children: readonly Node[] }
  /** A custom emoji. The children are the fallback. */
  | { readonly kind: 'emoji'; readonly id: string; readonly children: readonly Node[] }
  /** A date in the reader's own time zone. The children are the fallback. */
  | {
      readonly kind: 'time';
      readonly unix: string;
      readonly format: string;
      readonly children: readonly Node[];
    };

export type Leaf = Extract<Node, { readonly text: string }>;
export type Branch = Exclude<Node, Leaf>;

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** An element without its children. */
export type Shape = Without<Exclude<Node, { readonly kind: 'text' }>, 'children' | 'text'>;

export const isLeaf = (node: Node): node is Leaf =>
  node.kind === 'text' || node.kind === 'code' || node.kind === 'pre';

/** UTF-16 units of the visible text, as Telegram counts. */
export function lengthOf(nodes: readonly Node[]): number {
  let length = 0;
  for (const node of nodes) length += isLeaf(node) ? node.text.length : lengthOf(node.children);
  return length;
}

/** The visible text. */
export function textOf(nodes: readonly Node[]): string {
  let text = '';
  for (const node of nodes) text += isLeaf(node) ? node.text : textOf(node.children);
  return text;
}
