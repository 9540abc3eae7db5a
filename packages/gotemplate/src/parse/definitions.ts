import { quote } from '../strconv/quote.ts';
import type { ListNode, Tree } from './ast.ts';
import type { Tokens } from './tokens.ts';

/** The definitions of a text. */
export class Definitions {
  readonly trees = new Map<string, Tree>();

  /** The names of definitions that are not empty. */
  readonly #filled = new Set<string>();

  /** Adds a definition. A second one with the same name is an error, unless one is empty: then the other wins. */
  add(tree: Tree, tokens: Tokens): void {
    const isFilled = !isEmpty(tree.root);
    if (!this.#filled.has(tree.name)) {
      this.trees.set(tree.name, tree);
      if (isFilled) this.#filled.add(tree.name);
    } else if (isFilled) tokens.fail(`template: multiple definition of template ${quote(tree.name)}`);
  }
}

/** Go's white space. JavaScript's lacks U+0085 and has U+FEFF. */
const SPACE = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;

/** Whether a list contains only space and comments. */
export function isEmpty(list: ListNode): boolean {
  return list.nodes.every(
    (node) => node.kind === 'comment' || (node.kind === 'text' && SPACE.test(node.text)),
  );
}
