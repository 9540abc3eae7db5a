/** Types with a MarshalJSON or MarshalText method. */
import type { Context } from '../context.ts';
import { GoError } from '../errors.ts';
import { callMethod, hasMethod } from '../value/method.ts';
import { fromBytes } from '../value/text.ts';
import type { Type } from '../value/type.ts';
import { type Value, Slice, bare } from '../value/value.ts';
import { compact } from './compact.ts';
import { encodeString } from './string.ts';

export function marshalsItself(type: Type): boolean {
  if (type.methods.size === 0 && type.kind !== 'ptr') return false;
  return hasMethod(type, 'MarshalJSON') || hasMethod(type, 'MarshalText');
}

/** The JSON from the value's own method. Throws a GoError if the method fails or returns invalid JSON. */
export function marshal(context: Context, value: Value, type: Type, escapeHTML: boolean): string {
  const method = hasMethod(type, 'MarshalJSON') ? 'MarshalJSON' : 'MarshalText';
  try {
    return method === 'MarshalText'
      ? encodeString(context.budget, marshalText(context, value), escapeHTML)
      : compact(context, textOf(callMethod(context, value, method)), escapeHTML);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`json: error calling ${method} for type ${type.name}: ${error.message}`);
  }
}

export function marshalText(context: Context, value: Value): string {
  return textOf(callMethod(context, value, 'MarshalText'));
}

function textOf(bytes: Value): string {
  return bytes instanceof Slice ? fromBytes(bytesOf(bytes)) : '';
}

/** The bytes of a `[]byte`. */
export function bytesOf({ items }: Slice): Uint8Array {
  return Uint8Array.from(items, (item) => Number(bare(item)));
}
