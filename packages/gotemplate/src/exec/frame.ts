import type { Context } from '../context.ts';
import type { Node } from '../parse/ast.ts';
import type { Value } from '../value/value.ts';
import type { Definition } from './definition.ts';
import type { Loop } from './loop.ts';
import type { Op } from './op.ts';

/** What the frames of an execution share. */
export class Execution {
  readonly context: Context;
  /** How deep `template` may nest. */
  readonly depth: number;
  /** The node that was evaluated last, kept only where the compiler cannot know it: see {@link Expression}. */
  place: Node;

  constructor(context: Context, depth: number, root: Node) {
    this.context = context;
    this.depth = depth;
    this.place = root;
  }
}

/** Slots that every call has for nothing. */
const FREE_SLOTS = 8;

/** A definition that is executing: its dot, its variables, and where to go on when it ends. */
export class Frame {
  dot: Value;
  /** By slot; the first is `$`. */
  readonly vars: Value[];
  readonly loops: Loop[];
  readonly execution: Execution;
  readonly context: Context;
  readonly definition: Definition;
  readonly caller: Frame | undefined;
  /** What comes after the call, in the caller. */
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

/** Frames add up in a recursion. */
export function payForFrame({ budget }: Context, { code }: Definition): void {
  if (code.slots > FREE_SLOTS) budget.grow(code.slots * 8);
}
