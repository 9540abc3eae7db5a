/** What the parser has begun and not yet ended. */
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
  /** The definition around it. */
  readonly outer: Body | undefined;
  /** What stands in the place of a block. */
  readonly call: TemplateNode | undefined;
  /** Where its clause ends. */
  readonly clauseEnd: number;
  /** How many `range` are around the current place: `break` and `continue` need one. */
  ranges: number;
}

export interface Branch {
  readonly kind: 'if' | 'range' | 'with';
  readonly pipe: PipeNode;
  /** The list that is being filled. */
  list: OpenList;
  /** The finished first list, once there was an `else`. */
  then: ListNode | undefined;
  /** The variables in scope before it, see {@link Variables.enter}. */
  readonly mark: number;
  /** The branch whose `else if` or `else with` it is: the two end together. */
  readonly elseOf: Branch | undefined;
}

export type Open = Body | Branch;

export function newList(pos: number): OpenList {
  return { kind: 'list', pos, nodes: [] };
}

export function isBranch(open: Open): open is Branch {
  return open.kind === 'if' || open.kind === 'range' || open.kind === 'with';
}
