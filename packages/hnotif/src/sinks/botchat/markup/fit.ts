import { cutAtGrapheme } from '../../../render/cut.ts';
import { isLeaf, lengthOf, textOf, type Node } from './node.ts';

/**
 * Fits a tree into `limit` UTF-16 units, at least 40. Returns the same tree, or a cut one. `beginning`: the tree is the beginning of a
 * longer text, and is always cut.
 */
export function fitNodes(nodes: readonly Node[], limit: number, beginning = false): readonly Node[] {
  const length = lengthOf(nodes);
  if (length <= limit && !beginning) return nodes;
  // A quote that is cut needs an additional line break.
  return cutter(nodes, limit, beginning)(limit - `\n${beginning ? MORE : mark(length)}`.length);
}

/**
 * Cuts a tree to its first `units` (at most `most`), closes open elements, and appends how much is missing: `… (120 more characters)`, or
 * a mark without a number if the tree is only the beginning. Never splits a grapheme, a custom emoji or a date. Each cut reads only the
 * units that it may keep.
 */
export function cutter(
  nodes: readonly Node[],
  most: number,
  beginning = false,
): (units: number) => readonly Node[] {
  const length = lengthOf(nodes);
  // The next characters decide whether a grapheme ends here.
  const head = new Taking(most + 100).from(nodes);
  const text = textOf(head);
  return (units) => {
    const taken = new Taking(cutAtGrapheme(text, units).length);
    const kept = taken.from(head);
    return withText(kept, beginning ? MORE : mark(length - taken.units));
  };
}

const mark = (left: number): string => `… (${left} more characters)`;
const MORE = '… (more was cut off)';

/** Takes a number of units from the beginning of a tree. */
class Taking {
  #room: number;
  /** How many units of the tree were taken. */
  units = 0;

  constructor(room: number) {
    this.#room = room;
  }

  /** The same nodes if all of them are taken. */
  from(nodes: readonly Node[]): readonly Node[] {
    const kept: Node[] = [];
    let whole = true;
    for (const node of nodes) {
      const part = this.#room > 0 ? this.#part(node) : undefined;
      whole &&= part === node;
      if (part !== undefined) kept.push(part);
      else if (this.#room <= 0) break;
    }
    return whole ? nodes : kept;
  }

  #part(node: Node): Node | undefined {
    if (isLeaf(node)) {
      const text = node.text.slice(0, this.#room);
      this.#take(text.length);
      return text.length === node.text.length ? node : { ...node, text };
    }
    if (node.kind === 'emoji' || node.kind === 'time') return this.#whole(node);
    const children = this.from(node.children);
    if (children === node.children) return node;
    if (children.length === 0) return undefined;
    if (node.kind !== 'quote' || this.#room > 0 || lengthOf(node.children) === lengthOf(children))
      return { ...node, children };
    return { ...node, children: endLine(children) };
  }

  #whole(node: Node): Node | undefined {
    const length = lengthOf([node]);
    const fits = length <= this.#room;
    if (fits) this.#take(length);
    else this.#room = 0;
    return fits ? node : undefined;
  }

  #take(units: number): void {
    this.#room -= units;
    this.units += units;
  }
}

/** In MarkdownV2 a quote ends with a line break. */
function endLine(children: readonly Node[]): readonly Node[] {
  const last = children.at(-1);
  return last?.kind === 'text' && last.text.endsWith('\n') ? children : withText(children, '\n');
}

/** The nodes and a text after them. */
function withText(nodes: readonly Node[], text: string): Node[] {
  const last = nodes.at(-1);
  return last?.kind === 'text'
    ? [...nodes.slice(0, -1), { kind: 'text', text: last.text + text }]
    : [...nodes, { kind: 'text', text }];
}
