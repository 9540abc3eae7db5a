/** `.A.B`, `$x.A.B` and `(pipeline).A.B`. */
import type { Value } from '../value/value.ts';
import { Expression, unwrap } from './expression.ts';
import { type Site, Step, declares } from './field.ts';
import type { Frame } from './frame.ts';
import type { Eval } from './op.ts';
import type { Operand } from './operand.ts';

/** A chain of one or more names, without arguments. `head` is the value before the names; undefined is dot. */
export function chain(site: Site, head: Eval | undefined, names: readonly string[]): Expression {
  const steps = names.map((name) => new Step(site, name));
  const [first, second] = steps as [Step, ...Step[]];
  return {
    eval: second === undefined ? one(head, first) : several(head ?? dot, first, second, steps),
    last: site.last,
  };
}

/** The same, but a value that is seen through an interface becomes null. */
export function chainSeen(site: Site, head: Eval | undefined, names: readonly string[]): Eval {
  const steps = names.map((name) => new Step(site, name));
  return (frame) => {
    let container: Value;
    const value = descend((head ?? dot)(frame), steps, (step, value, before, of) => {
      container = value;
      return step.get(frame, value, before, of);
    });
    return value !== undefined && declares(container, names.at(-1) ?? '') ? null : value;
  };
}

function dot(frame: Frame): Value {
  return frame.dot;
}

function one(head: Eval | undefined, step: Step): Eval {
  return head === undefined ? (frame) => step.get(frame, frame.dot) : (frame) => step.get(frame, head(frame));
}

function several(head: Eval, first: Step, second: Step, steps: readonly Step[]): Eval {
  if (steps.length > 2)
    return (frame) =>
      descend(head(frame), steps, (step, value, before, of) => step.get(frame, value, before, of));
  return (frame) => {
    const value = head(frame);
    return second.get(frame, first.get(frame, value), first, value);
  };
}

type Ask = (step: Step, value: Value, before: Step | undefined, of: Value) => Value;

function descend(start: Value, steps: readonly Step[], ask: Ask): Value {
  let value = start;
  let of: Value;
  let before: Step | undefined;
  for (const step of steps) {
    const next = ask(step, value, before, of);
    of = value;
    before = step;
    value = next;
  }
  return value;
}

/** A chain whose last name has arguments or the value of the pipeline, so it must be a method. */
export function chainCall(
  site: Site,
  head: Eval | undefined,
  names: readonly string[],
  operands: readonly Operand[],
  final: Expression | undefined,
): Expression {
  const steps = names.map((name) => new Step(site, name));
  const called = steps.at(-1);
  return new Expression((frame) => {
    const given = { operands, final: final && { value: unwrap(final.eval(frame)) } };
    const value = (head ?? dot)(frame);
    // Without a receiver no argument is visited, so the last visited node is known only at run time.
    if (site.last !== undefined) frame.execution.place = site.last;
    return descend(value, steps, (step, value, before, of) =>
      step === called ? step.find(frame, value, given, before, of) : step.get(frame, value, before, of),
    );
  }, undefined);
}
