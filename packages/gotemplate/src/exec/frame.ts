import type { Context } from '../context.ts';
import type { Node } from '../parse/ast.ts';
import type { Value } from '../value/value.ts';
import type { Definition } from './program.ts';
import type { Loop } from './loop.ts';
import type { Op } from './op.ts';

/** The data that all frames of an execution share. */
export class Execution {
  readonly context: Context;
  /** The limit of nested `template` calls. */
  readonly depth: number;
  /** The node that was evaluated last. Set only if the compiler cannot know it: see {@link Expression}. */
  place: Node;

  constructor(context: Context, depth: number, root: Node) {
    this.context = context;
    this.depth = depth;
    this.place = root;
  }
}

/** The number of slots that cost nothing. */
const FREE_SLOTS = 8;

/** A definition that is executing: its dot, its variables, and where execution continues after it. */
export class Frame {
  dot: Value;
  /** Variables by slot; the first is `$`. */
  readonly vars: Value[];
  readonly loops: Loop[];
  readonly execution: Execution;
  readonly context: Context;
  readonly definition: Definition;
  readonly caller: Frame | undefined;
  /** The caller's step after the call. */
  readonly resume: Op | undefined;
  readonly depth: number;

  constructor(execution: Execution, definition: Definition, dot: Value, caller?: Frame, resume?: Op) {
    const { slots, loops } = definition.code;
    this.dot = dot;
    this.vars = slots === 1 ? [dot] : variables(slots, dot);
    this.loops = loops === 0 ? NO_LOOPS : [];
    this.execution = execution;
    this.context = execution.context;
    this.definition = definition;
    this.caller = caller;
    this.resume = resume;
    this.depth = caller === undefined ? 0 : caller.depth + 1;
  }
}

const NO_LOOPS: Loop[] = [];

function variables(slots: number, dot: Value): Value[] {
  const vars = new Array<Value>(slots).fill(undefined);
  vars[0] = dot;
  return vars;
}

/** Large frames cost memory: in a recursion they add up. */
export function payForFrame({ budget }: Context, { code }: Definition): void {
  if (code.slots > FREE_SLOTS) budget.grow(code.slots * 8);
}
