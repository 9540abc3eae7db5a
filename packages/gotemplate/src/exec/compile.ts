/** Compiles a definition. */
import type {
  ActionNode,
  IfNode,
  ListNode,
  Node,
  PipeNode,
  RangeNode,
  Statement,
  TemplateNode,
  WithNode,
} from '../parse/ast.ts';
import { Assembly } from './assembly.ts';
import type { Program } from './program.ts';
import { type Expression, Unit } from './expression.ts';
import { type Code, Kind, Op } from './op.ts';
import { pipeline } from './pipeline.ts';
import type { Binding } from './scope.ts';

export function compile(program: Program, root: ListNode): Code {
  return new Compiler(program, root).compile(root);
}

/** An enclosing loop. */
interface Around {
  readonly again: Op;
  continued: boolean;
}

/** The target of `break`: a step that restores dot from the slot, and the step after it. */
interface Exit {
  readonly kind: Kind;
  readonly slot: number;
  readonly target: Op;
}

class Compiler {
  readonly #unit: Unit;
  readonly #assembly: Assembly;
  /** Pending tasks, the next one last. Recursion would overflow the stack in long chains of `else if`. */
  readonly #tasks: (() => void)[] = [];
  readonly #around: Around[] = [];
  readonly #exits: Exit[] = [];
  #loops = 0;

  constructor(program: Program, root: ListNode) {
    this.#unit = new Unit(program);
    this.#assembly = new Assembly(root);
  }

  compile(root: ListNode): Code {
    this.#list(root);
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) task();
    this.#add(Kind.end, root);
    return this.#assembly.finish(this.#unit.scope.slots, this.#loops);
  }

  /** Schedules tasks to run next, in this order. */
  #later(...tasks: (() => void)[]): void {
    this.#tasks.push(...tasks.reverse());
  }

  #add(kind: Kind, node: Node, value?: Expression): Op {
    const op = new Op(kind, node);
    op.cost += this.#unit.takeWork();
    if (value !== undefined) {
      op.eval = value.eval;
      op.last = value.last;
    }
    return this.#assembly.add(op);
  }

  #list({ nodes }: ListNode): void {
    for (const node of nodes.toReversed()) this.#tasks.push(() => this.#statement(node));
  }

  #statement(node: Statement): void {
    switch (node.kind) {
      case 'text':
        this.#assembly.write(node.text);
        break;
      case 'comment':
        break;
      case 'action':
        this.#action(node);
        break;
      case 'if':
      case 'with':
        this.#branch(node);
        break;
      case 'range':
        this.#range(node);
        break;
      case 'template':
        this.#call(node);
        break;
      case 'break':
        this.#break(node);
        break;
      case 'continue':
        this.#continue();
        break;
    }
  }

  #action(node: ActionNode): void {
    const text = constantText(node.pipe);
    if (text !== undefined) this.#assembly.write(text);
    else {
      const kind = node.pipe.decl.length === 0 ? Kind.write : Kind.evaluate;
      this.#add(kind, node, pipeline(this.#unit, node.pipe));
    }
  }

  #branch(node: IfNode | WithNode): void {
    const unit = this.#unit;
    const mark = unit.scope.enter();
    const test = this.#add(node.kind === 'if' ? Kind.test : Kind.with, node, pipeline(unit, node.pipe));
    test.target = new Op(Kind.text, node);
    const { dotLoop } = unit;
    if (node.kind === 'with') {
      test.slot = unit.scope.slot();
      unit.dotLoop = undefined;
    }
    const inner = unit.scope.enter();
    this.#later(
      () => this.#list(node.list),
      () => {
        if (node.kind === 'with') this.#add(Kind.endWith, node).slot = test.slot;
        unit.dotLoop = dotLoop;
        unit.scope.leave(inner);
      },
      ...this.#otherwise(test.target, node.elseList),
      () => unit.scope.leave(mark),
    );
  }

  /** The tasks after a list: at `start`, compile the `else` list, if there is one. */
  #otherwise(
    start: Op,
    list: ListNode | undefined,
    around?: { readonly enter: () => void; readonly leave: () => void },
  ): (() => void)[] {
    const assembly = this.#assembly;
    if (list === undefined) return [() => assembly.label(start)];
    const end = new Op(Kind.text, start.node);
    return [
      () => {
        assembly.jump(end);
        assembly.label(start);
        around?.enter();
        this.#list(list);
      },
      () => {
        around?.leave();
        assembly.label(end);
      },
    ];
  }

  #range(node: RangeNode): void {
    const unit = this.#unit;
    const assembly = this.#assembly;
    const mark = unit.scope.enter();
    const range = this.#add(Kind.range, node, pipeline(unit, node.pipe));
    const again = new Op(Kind.again, node);
    const slot = this.#loops++;
    const around = { again, continued: false };
    const exit = new Op(Kind.text, node);
    range.slot = again.slot = slot;
    range.target = new Op(Kind.text, node);
    again.target = new Op(Kind.text, node);
    const [index, element] = this.#loopVariables(node.pipe, mark);
    range.index = again.index = index;
    range.element = again.element = element;
    assembly.label(again.target);
    const { dotLoop } = unit;
    unit.dotLoop = slot;
    const inner = unit.scope.enter();
    this.#around.push(around);
    this.#exits.push({ kind: Kind.leave, slot, target: exit });
    this.#later(
      () => this.#list(node.list),
      () => {
        if (around.continued) assembly.flush(node);
        assembly.add(again);
        this.#around.pop();
        this.#exits.pop();
        unit.dotLoop = dotLoop;
        unit.scope.leave(inner);
      },
      ...this.#otherwise(range.target, node.elseList, {
        enter: () => this.#enterElse(node, exit),
        leave: () => this.#exits.pop(),
      }),
      () => {
        assembly.label(exit);
        unit.scope.leave(mark);
      },
    );
  }

  /** A `break` in the `else` of a loop leaves the `else`. A `continue` there belongs to the outer loop. */
  #enterElse(node: Node, exit: Op): void {
    const slot = this.#unit.scope.slot();
    this.#add(Kind.keep, node).slot = slot;
    this.#exits.push({ kind: Kind.endWith, slot, target: exit });
  }

  /** The variables for the index and the element. A single variable is for the element. */
  #loopVariables({ decl, assign }: PipeNode, mark: number): [Binding | undefined, Binding | undefined] {
    if (decl.length === 0) return [undefined, undefined];
    const { scope } = this.#unit;
    const bindings = assign
      ? decl.map(({ idents: [name = ''] }) => scope.find(name))
      : scope.since(mark).slice(-decl.length);
    for (const binding of bindings) if (binding !== undefined) scope.watch(binding);
    return decl.length === 2 ? [bindings[0], bindings[1]] : [undefined, bindings[0]];
  }

  #break(node: Node): void {
    const exit = this.#exits.at(-1);
    // The parser accepts `break` and `continue` only in loops.
    if (exit === undefined) return;
    this.#add(exit.kind, node).slot = exit.slot;
    this.#assembly.jump(exit.target);
  }

  #continue(): void {
    const around = this.#around.at(-1);
    if (around === undefined) return;
    around.continued = true;
    this.#assembly.jump(around.again);
  }

  #call(node: TemplateNode): void {
    const op = this.#add(Kind.call, node, node.pipe && pipeline(this.#unit, node.pipe));
    op.callee = this.#unit.program.definitions.get(node.name);
  }
}

/** The text of an action that is only a string constant. */
function constantText({ cmds, decl }: PipeNode): string | undefined {
  const [cmd] = cmds;
  const [operand] = cmd?.args ?? [];
  if (decl.length > 0 || cmds.length > 1 || cmd?.args.length !== 1 || operand?.kind !== 'string')
    return undefined;
  return operand.text;
}
