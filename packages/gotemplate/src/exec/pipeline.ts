/** Compiles pipelines, commands and operands. */
import type {
  ChainNode,
  CommandNode,
  FieldNode,
  IdentifierNode,
  Node,
  Operand as OperandNode,
  PipeNode,
  VariableNode,
} from '../parse/ast.ts';
import { print } from '../parse/print.ts';
import { call } from './call.ts';
import { chain, chainCall, chainSeen } from './chain.ts';
import { type Constant, ideal } from './constant.ts';
import { Expression, type Unit, fails, unwrap } from './expression.ts';
import type { Site } from './field.ts';
import type { Frame } from './frame.ts';
import { signatureOf } from './signature.ts';
import { wrongCount } from './method.ts';
import type { Eval } from './op.ts';
import type { Operand } from './operand.ts';
import { isSeen } from './scope.ts';
import { callValue, shortCircuit } from './short-circuit.ts';
import { assignTo, conditionally, read } from './variable.ts';

/** Compiles a pipeline. Its value may be null, which means no value, like undefined. */
export function pipeline(unit: Unit, pipe: PipeNode): Expression {
  const inner = withoutParentheses(pipe);
  let value: Expression | undefined;
  for (const cmd of inner.cmds) value = command(unit, cmd, value === undefined ? inner : value.last, value);
  value ??= fails(inner, 'missing value for command');
  for (const variable of inner.decl) value = assignTo(unit, value, variable, inner.assign);
  return value;
}

/** Removes redundant parentheses, `((…))`. Otherwise many of them would overflow the stack. */
function withoutParentheses(pipe: PipeNode): PipeNode {
  let inner = pipe;
  for (;;) {
    const [cmd] = inner.cmds;
    const operand = cmd?.args[0];
    if (inner.decl.length > 0 || inner.cmds.length > 1 || cmd?.args.length !== 1 || operand?.kind !== 'pipe')
      return inner;
    inner = operand;
  }
}

/** @param place the node visited before; `final` is the value of the pipeline */
function command(
  unit: Unit,
  cmd: CommandNode,
  place: Node | undefined,
  final: Expression | undefined,
): Expression {
  const [first, ...rest] = cmd.args as [OperandNode, ...OperandNode[]];
  if (first.kind === 'identifier') return invoke(unit, first, cmd, rest, final);
  if (rest.length === 0 && final === undefined) return plain(unit, first);
  if (
    first.kind === 'field' ||
    first.kind === 'chain' ||
    (first.kind === 'variable' && first.idents.length > 1)
  )
    return invokeMethod(unit, first, rest, final);
  const refusal = `can't give argument to non-function ${print(first)}`;
  if (first.kind === 'pipe') return fails(place, refusal, final);
  // Go looks up a variable before it checks the arguments.
  return fails(first, refusal, final, first.kind === 'variable' ? plain(unit, first) : undefined);
}

/** Compiles an operand without arguments. */
function plain(unit: Unit, node: OperandNode): Expression {
  unit.count();
  switch (node.kind) {
    case 'dot':
      return new Expression((frame) => frame.dot, node);
    case 'nil':
      return fails(node, 'nil is not a command');
    case 'bool':
    case 'number':
    case 'string': {
      const constant = ideal(node);
      if ('error' in constant) return fails(node, constant.error);
      const { value } = constant;
      return new Expression(() => value, node);
    }
    case 'pipe':
      return pipeline(unit, node);
    case 'identifier':
      return invoke(unit, node, node, [], undefined);
    case 'variable':
    case 'field':
    case 'chain': {
      const { site, head, names } = path(unit, node);
      if (names.length === 0 && head !== undefined) return new Expression(head, node);
      return chain(site, head, names);
    }
  }
}

type Path = VariableNode | FieldNode | ChainNode;

/** The value before the names (undefined is dot), and the names. */
function path(unit: Unit, node: Path): { site: Site; head: Eval | undefined; names: readonly string[] } {
  const { missingKey } = unit.program;
  const site = (last: Node | undefined, seen: Site['seen']): Site => ({ node, last, missingKey, seen });
  if (node.kind === 'field') return { site: site(node, dotSeen(unit)), head: undefined, names: node.idents };
  if (node.kind === 'variable') {
    const [name, ...names] = node.idents as [string, ...string[]];
    const binding = unit.scope.find(name);
    const seen = (frame: Frame) => binding !== undefined && isSeen(frame, binding);
    return { site: site(node, seen), head: read(node, binding), names };
  }
  if (node.node.kind === 'nil') {
    const { eval: head, last } = fails(node, `indirection through explicit nil in ${print(node)}`);
    return { site: site(last, never), head, names: node.fields };
  }
  const { eval: evaluate, last } = plain(unit, node.node);
  const head: Eval = node.node.kind === 'pipe' ? (frame) => unwrap(evaluate(frame)) : evaluate;
  return { site: site(last, givesInterface(unit, node.node) ? always : never), head, names: node.fields };
}

const never = () => false;
const always = () => true;

function dotSeen({ dotLoop }: Unit): Site['seen'] {
  return dotLoop === undefined ? never : (frame) => frame.loops[dotLoop]?.elementSeen === true;
}

function givesInterface(unit: Unit, node: OperandNode): boolean {
  const named = node.kind === 'identifier' ? unit.program.functions.find(node.name) : undefined;
  return named !== undefined && signatureOf(named.func).results[0]?.kind === 'interface';
}

/** Compiles a function call. `node` is the node for the function's errors. */
function invoke(
  unit: Unit,
  identifier: IdentifierNode,
  node: Node,
  written: readonly OperandNode[],
  final: Expression | undefined,
): Expression {
  unit.count();
  const { name } = identifier;
  const named = unit.program.functions.find(name);
  if (named === undefined) return fails(identifier, `"${name}" is not a defined function`, final);
  const { func, builtin } = named;
  const { params, variadic } = signatureOf(func);
  const count = written.length + (final === undefined ? 0 : 1);
  const wrong = wrongCount(name, params.length, variadic, written.length, count);
  if (wrong !== undefined) return fails(identifier, wrong, final);
  if (builtin && (name === 'and' || name === 'or'))
    return sometimes(unit, written, (operands) => shortCircuit(name === 'or', identifier, operands, final));
  const operands = written.map((operand, i) =>
    builtin && name === 'slice' && i > 0 ? toIndex(unit, operand) : toOperand(unit, operand),
  );
  if (builtin && name === 'call') return callValue(node, identifier, written[0], operands, final);
  return call({ name, func, node, identifier }, operands, final);
}

/** Compiles a call of a possible method. Only the receiver, at run time, shows whether it is one. */
function invokeMethod(
  unit: Unit,
  node: Path,
  written: readonly OperandNode[],
  final: Expression | undefined,
): Expression {
  unit.count();
  const { site, head, names } = path(unit, node);
  return sometimes(unit, written, (operands) => chainCall(site, head, names, operands, final));
}

/** An expression that may not evaluate its operands. */
function sometimes(
  unit: Unit,
  written: readonly OperandNode[],
  make: (operands: readonly Operand[]) => Expression,
): Expression {
  const { made, forget } = conditionally(unit, () =>
    make(written.map((operand) => toOperand(unit, operand))),
  );
  if (forget === undefined) return made;
  return new Expression((frame) => {
    forget(frame);
    return made.eval(frame);
  }, made.last);
}

function toOperand(unit: Unit, node: OperandNode): Operand {
  if (isConstant(node)) {
    unit.count();
    return { constant: node, last: node };
  }
  return { ...plain(unit, node), piped: node.kind === 'pipe' };
}

/** An index of the predefined `slice`, which does not look into interfaces: an index of interface type becomes null. */
function toIndex(unit: Unit, node: OperandNode): Operand {
  const operand = toOperand(unit, node);
  if (operand.constant !== undefined || operand.piped) return operand;
  if (node.kind === 'identifier') return givesInterface(unit, node) ? nulled(operand, always) : operand;
  if (node.kind === 'dot') return nulled(operand, dotSeen(unit));
  if (node.kind !== 'variable' && node.kind !== 'field' && node.kind !== 'chain') return operand;
  const { site, head, names } = path(unit, node);
  return names.length === 0 ? nulled(operand, site.seen) : { ...operand, eval: chainSeen(site, head, names) };
}

function nulled<T extends Expression>(operand: T, seen: Site['seen']): T {
  return {
    ...operand,
    eval: (frame: Frame) => {
      const value = operand.eval(frame);
      return value !== undefined && seen(frame) ? null : value;
    },
  };
}

function isConstant(node: OperandNode): node is Constant {
  return node.kind === 'bool' || node.kind === 'number' || node.kind === 'string' || node.kind === 'nil';
}
