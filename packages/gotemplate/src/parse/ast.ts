/**
 * The syntax tree of a template. Positions are offsets into the source in UTF-16 units, as JavaScript counts; the lines and
 * the byte columns that Go's messages want are computed when one is made. Field and variable names keep no dot:
 * `$x.A.B` is `['$x', 'A', 'B']`.
 */

interface At {
  /** Where Go places the node: the offset that its error messages point to. */
  readonly pos: number;
}

interface TextNode extends At {
  readonly kind: 'text';
  readonly text: string;
}

/** Kept only when asked for. `text` has its `/*` and its end. */
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

/** `{{template "name" pipeline}}`; a `block` is one, too, beside its definition. */
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

/** What a list may hold. */
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
  /** `=` rather than `:=`. */
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

/** `(pipeline).A.B`, and whatever else fields are asked of. */
export interface ChainNode extends At {
  readonly kind: 'chain';
  readonly node: Operand;
  readonly fields: readonly string[];
}

export interface BoolNode extends At {
  readonly kind: 'bool';
  readonly value: boolean;
}

/** A number, as everything that it can be without loss. */
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
