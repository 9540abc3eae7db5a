/** len. */
import type { Context } from '../../context.ts';
import { GoError } from '../../errors.ts';
import { type FuncMap, contextual } from '../../value/func.ts';
import { byteLength } from '../../value/text.ts';
import { type Value, GoMap, Slice, bare, typeOf } from '../../value/value.ts';
import { indirect } from './indirect.ts';

export const length: FuncMap = {
  len: contextual('func(reflect.Value) (int, error)', (context, value: Value) => {
    const item = indirect(value);
    if (item === null) throw new GoError('len of nil pointer');
    if (item === undefined) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
    const size = lengthOf(context, item);
    if (size === undefined) throw new GoError(`len of type ${typeOf(item)?.name}`);
    return BigInt(size);
  }),
};

/** The length; for a string, in bytes. Undefined if the value has no length. */
function lengthOf({ budget }: Context, value: Value): number | undefined {
  if (value instanceof Slice) return value.items.length;
  if (value instanceof GoMap) return value.entries.size;
  const text = bare(value);
  if (typeof text !== 'string') return undefined;
  budget.spend(text.length >> 6);
  return byteLength(text);
}
