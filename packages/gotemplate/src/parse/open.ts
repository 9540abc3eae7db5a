/** The blocks and definitions that the parser has not ended yet. */
import type { ListNode, PipeNode, Statement, TemplateNode } from './ast.ts';
import type { Variables } from './variables.ts';

interface OpenList extends ListNode {
  readonly nodes: Statement[];
}

/** A definition. */
export interface Body {
  readonly kind: 'root' | 'define' | 'block';
  readonly name: string;
  readonly list: OpenList;
  readonly variables: Variables;
  /** The enclosing definition. */
  readonly outer: Body | undefined;
  /** The `template` node that replaces a block. */
  readonly call: TemplateNode | undefined;
  /** The end of its clause. */
  readonly clauseEnd: number;
  /** The number of enclosing `range`: `break` and `continue` need one. */
  ranges: number;
}

export interface Branch {
  readonly kind: 'if' | 'range' | 'with';
  readonly pipe: PipeNode;
  /** The list that is being filled. */
  list: OpenList;
  /** The finished first list, after an `else`. */
  then: ListNode | undefined;
  /** The variables in scope before it, see {@link Variables.enter}. */
  readonly mark: number;
  /** If this is an `else if` or `else with`: the branch that it belongs to. Both end together. */
  readonly elseOf: Branch | undefined;
}

export type Open = Body | Branch;

export function newList(pos: number): OpenList {
  return { kind: 'list', pos, nodes: [] };
}

export function isBranch(open: Open): open is Branch {
  return open.kind === 'if' || open.kind === 'range' || open.kind === 'with';
}
