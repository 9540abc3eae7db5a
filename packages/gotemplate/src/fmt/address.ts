import type { Context } from '../context.ts';
import { Func, GoMap, Pointer, Slice, type Value } from '../value/value.ts';

/** The approximate start of Go's heap. */
const FIRST = 0xc000010000n;
const DISTANCE = 0x20n;

interface Addresses {
  readonly known: WeakMap<object, bigint>;
  next: bigint;
}

const executions = new WeakMap<Context, Addresses>();

/**
 * The printed address of a pointer, slice, map or function; 0 if it is nil, undefined for other values. JavaScript has no
 * addresses: the n-th object that an execution prints gets the n-th address, so equal executions print equal texts.
 */
export function addressOf(context: Context, value: Value): bigint | undefined {
  const thing = thingOf(value);
  if (thing === null) return 0n;
  if (thing === undefined) return undefined;
  let addresses = executions.get(context);
  if (addresses === undefined) executions.set(context, (addresses = { known: new WeakMap(), next: FIRST }));
  const known = addresses.known.get(thing);
  if (known !== undefined) return known;
  const address = addresses.next;
  addresses.next += DISTANCE;
  addresses.known.set(thing, address);
  return address;
}

function thingOf(value: Value): object | null | undefined {
  if (value instanceof Func) return value;
  if (value instanceof GoMap) return value.isNil ? null : value.entries;
  if (value instanceof Slice)
    return value.type.kind !== 'slice' ? undefined : value.isNil ? null : value.items;
  if (!(value instanceof Pointer)) return undefined;
  const { target } = value;
  if (target === undefined) return null;
  return typeof target === 'object' && target !== null ? target : value;
}
