/** index. */
import type { Context } from '../../context.ts';
import { GoError } from '../../errors.ts';
import { type FuncMap, contextual } from '../../value/func.ts';
import { byteLength, byteSlice, toBytes } from '../../value/text.ts';
import { ANY, STRING, UINT8 } from '../../value/type.ts';
import { type Value, GoMap, Slice, Typed, bare, typeOf, zero } from '../../value/value.ts';
import { placeIn, prepareArgument } from './argument.ts';
import { isComparable } from './identical.ts';
import { indirect } from './indirect.ts';

export const indexing: FuncMap = {
  index: contextual(
    'func(reflect.Value, ...reflect.Value) (reflect.Value, error)',
    (context, value: Value, ...indexes: Value[]) => {
      if (value == null) throw new GoError('index of untyped nil');
      return indexes.reduce((item, index) => element(context, item, index), value);
    },
  ),
};

function element(context: Context, value: Value, index: Value): Value {
  const item = indirect(value);
  if (item == null) throw new GoError('index of nil pointer');
  if (item instanceof GoMap) return entry(item, index);
  if (item instanceof Slice) {
    const place = placeIn(index ?? undefined, item.items.length);
    if (place === item.items.length)
      throw new GoError(`reflect: ${item.type.kind === 'array' ? 'array' : 'slice'} index out of range`);
    return item.items[place];
  }
  const text = bare(item);
  if (typeof text !== 'string') throw new GoError(`can't index item of type ${typeOf(item)?.name}`);
  context.budget.spend(text.length >> 6);
  return byteAt(text, index);
}

/** The element, or the element type's zero value for a missing key. */
function entry(map: GoMap, index: Value): Value {
  const { key: keyType = STRING, elem = ANY } = map.type;
  const prepared = prepareArgument(index, keyType);
  const type = typeOf(prepared);
  if (type !== undefined && !isComparable(type))
    throw new GoError(`runtime error: hash of unhashable type ${type.name}`);
  // A key of an interface type is bare only if its type is a primitive here.
  const key = keyType.kind === 'interface' && prepared instanceof Typed ? undefined : bare(prepared);
  // Go never finds NaN in a map, because NaN does not equal itself. A JavaScript Map finds it.
  if (key === undefined || Number.isNaN(key)) return zero(elem);
  const found = map.entries.get(key);
  return found === undefined ? zero(elem) : found;
}

function byteAt(text: string, index: Value): Value {
  const length = byteLength(text);
  const place = placeIn(index ?? undefined, length);
  if (place === length) throw new GoError('reflect: string index out of range');
  return new Typed(UINT8, BigInt(toBytes(byteSlice(text, place, place + 1))[0] ?? 0));
}
