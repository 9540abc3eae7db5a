/** Arguments of calls. */
import { BOOL, ANY, FLOAT64, INT, REFLECT_VALUE, STRING, type Type } from '../value/type.ts';
import { type Value, zero } from '../value/value.ts';
import { type Constant, convert } from './constant.ts';
import { type Expression, unwrap } from './expression.ts';
import { failure } from './failure.ts';
import type { Frame } from './frame.ts';
import type { Eval } from './op.ts';
import { validate } from './validate.ts';

/** An argument whose parameter is not yet known. */
export type Operand =
  | { readonly constant: Constant; readonly last: Constant }
  /** `piped`: the operand is a pipeline in parentheses. Its value is never a nil interface. */
  | (Expression & { readonly constant?: undefined; readonly piped: boolean });

/** Compiles the operand for a parameter of the type. */
export function argument(operand: Operand, type: Type): Eval {
  if (operand.constant !== undefined) return constantArgument(operand.constant, type);
  const { last, piped } = operand;
  const evaluate = piped && type !== ANY ? unwrapped(operand.eval) : operand.eval;
  switch (type) {
    case REFLECT_VALUE:
      return evaluate;
    case ANY:
      return (frame) => {
        const value = evaluate(frame);
        return value === undefined ? null : value;
      };
    case STRING:
      return (frame) => {
        const value = evaluate(frame);
        return typeof value === 'string' ? value : validate(frame, value, type, last);
      };
    case INT:
    case FLOAT64:
    case BOOL: {
      const primitive = type === INT ? 'bigint' : type === BOOL ? 'boolean' : 'number';
      return (frame) => {
        const value = evaluate(frame);
        return typeof value === primitive ? value : validate(frame, value, type, last);
      };
    }
    default:
      return (frame) => validate(frame, evaluate(frame), type, last);
  }
}

function unwrapped(evaluate: Eval): Eval {
  return (frame) => unwrap(evaluate(frame));
}

function constantArgument(node: Constant, type: Type): Eval {
  const converted = convert(node, type);
  if ('error' in converted)
    return (frame) => {
      throw failure(frame, node, converted.error);
    };
  const { value } = converted;
  // Each call gets its own map: functions may write to it.
  return typeof value === 'object' && node.kind === 'nil' && value !== null ? () => zero(type) : () => value;
}

/** Evaluates the operand for a parameter whose type is known only at run time, as with methods. */
export function argumentNow(frame: Frame, operand: Operand, type: Type): Value {
  if (operand.constant !== undefined) return constantArgument(operand.constant, type)(frame);
  const value = operand.eval(frame);
  return validate(frame, operand.piped ? unwrap(value) : value, type, operand.last);
}
