/**
 * The AST of a template. Positions are offsets into the source in UTF-16 units, as JavaScript counts. The lines and byte
 * columns of Go's messages are computed when needed. Field and variable names have no dot: `$x.A.B` is `['$x', 'A', 'B']`.
 */

interface At {
  /** Go's position of the node: error messages point to this offset. */
  readonly pos: number;
}

interface TextNode extends At {
  readonly kind: 'text';
  readonly text: string;
}

/** Only with the option `comments`. `text` includes the comment marks. */
interface CommentNode extends At {
  readonly kind: 'comment';
  readonly text: string;
}

/** `{{pipeline}}` */
export interface ActionNode extends At {
  readonly kind: 'action';
  readonly pipe: PipeNode;
}

interface Branch extends At {
  readonly pipe: PipeNode;
  readonly list: ListNode;
  /** `{{else if …}}` is a list of one branch. */
  readonly elseList: ListNode | undefined;
}

export interface IfNode extends Branch {
  readonly kind: 'if';
}

export interface RangeNode extends Branch {
  readonly kind: 'range';
}

export interface WithNode extends Branch {
  readonly kind: 'with';
}

/** `{{template "name" pipeline}}`. A `block` is also one, in addition to its definition. */
export interface TemplateNode extends At {
  readonly kind: 'template';
  readonly name: string;
  readonly pipe: PipeNode | undefined;
}

interface BreakNode extends At {
  readonly kind: 'break';
}

interface ContinueNode extends At {
  readonly kind: 'continue';
}

/** The nodes of a list. */
export type Statement =
  | TextNode
  | CommentNode
  | ActionNode
  | IfNode
  | RangeNode
  | WithNode
  | TemplateNode
  | BreakNode
  | ContinueNode;

export interface ListNode extends At {
  readonly kind: 'list';
  readonly nodes: readonly Statement[];
}

/** `$a, $b := command | command` */
export interface PipeNode extends At {
  readonly kind: 'pipe';
  /** `=` instead of `:=`. */
  readonly assign: boolean;
  readonly decl: readonly VariableNode[];
  readonly cmds: readonly CommandNode[];
}

/** A function, a method or an operand, and its arguments. */
export interface CommandNode extends At {
  readonly kind: 'command';
  /** At least one. */
  readonly args: readonly Operand[];
}

/** A function's name. */
export interface IdentifierNode extends At {
  readonly kind: 'identifier';
  readonly name: string;
}

/** `$x` or `$x.A.B`. */
export interface VariableNode extends At {
  readonly kind: 'variable';
  readonly idents: readonly string[];
}

interface DotNode extends At {
  readonly kind: 'dot';
}

export interface NilNode extends At {
  readonly kind: 'nil';
}

/** `.A.B` */
export interface FieldNode extends At {
  readonly kind: 'field';
  readonly idents: readonly string[];
}

/** Fields of another operand, such as `(pipeline).A.B`. */
export interface ChainNode extends At {
  readonly kind: 'chain';
  readonly node: Operand;
  readonly fields: readonly string[];
}

export interface BoolNode extends At {
  readonly kind: 'bool';
  readonly value: boolean;
}

/** A number, in each form that represents it without loss. */
export interface NumberNode extends At {
  readonly kind: 'number';
  /** As written. */
  readonly text: string;
  readonly int: bigint | undefined;
  readonly uint: bigint | undefined;
  readonly float: number | undefined;
  readonly complex: { readonly re: number; readonly im: number } | undefined;
}

export interface StringNode extends At {
  readonly kind: 'string';
  /** As written, with its quotes. */
  readonly quoted: string;
  readonly text: string;
}

export type Operand =
  | IdentifierNode
  | VariableNode
  | DotNode
  | NilNode
  | FieldNode
  | ChainNode
  | BoolNode
  | NumberNode
  | StringNode
  | PipeNode;

export type Node = Statement | ListNode | CommandNode | Operand;

/** A definition: the template's own text or that of a `define`. */
export interface Tree {
  readonly name: string;
  readonly root: ListNode;
}
