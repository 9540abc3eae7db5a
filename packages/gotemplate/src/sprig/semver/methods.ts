/** Gives `semver.Version` its methods. */
import type { Context } from '../../context.ts';
import { GoError } from '../../errors.ts';
import { decode } from '../../json/decode.ts';
import { type Func, type Types, contextual, fn } from '../../value/func.ts';
import { fromBytes, toBytes } from '../../value/text.ts';
import { BYTES, ERROR, UINT64, UINT8, namedType, pointerTo } from '../../value/type.ts';
import { Pointer, Slice, Struct, Typed, type Value, bare } from '../../value/value.ts';
import { VERSION, fromStruct, toStruct } from './type.ts';
import {
  type Version,
  compareVersions,
  format,
  nextMajor,
  nextMinor,
  nextPatch,
  parseVersion,
  withMetadata,
  withPrerelease,
} from './version.ts';

const TYPES: Types = { 'semver.Version': VERSION, 'driver.Value': namedType('driver.Value', 'interface') };

/** @param rest of the signature, after the receiver */
function own(rest: string, impl: (version: Version, ...args: never[]) => Value): Func {
  const call = (receiver: Struct, ...args: never[]) => impl(fromStruct(receiver), ...args);
  return fn(`func(semver.Version${rest}`, call, TYPES);
}

function part(name: 'major' | 'minor' | 'patch'): Func {
  return own(') uint64', (version) => new Typed(UINT64, version[name]));
}

function after(next: (version: Version) => Version): Func {
  return own(') semver.Version', (version) => toStruct(next(version)));
}

function changed(change: (version: Version, text: string) => Version): Func {
  return own(', string) (semver.Version, error)', (version, text: string) => toStruct(change(version, text)));
}

function bytes(text: string): Slice {
  return new Slice(
    BYTES,
    Array.from(toBytes(text), (byte) => new Typed(UINT8, BigInt(byte))),
  );
}

const METHODS: Readonly<Record<string, Func>> = {
  Major: part('major'),
  Minor: part('minor'),
  Patch: part('patch'),
  Prerelease: own(') string', ({ prerelease }) => prerelease),
  Metadata: own(') string', ({ metadata }) => metadata),
  String: own(') string', format),
  Value: own(') (driver.Value, error)', format),
  MarshalText: own(') ([]byte, error)', (version) => bytes(format(version))),
  MarshalJSON: own(') ([]byte, error)', (version) => bytes(`"${format(version)}"`)),
  IncMajor: after(nextMajor),
  IncMinor: after(nextMinor),
  IncPatch: after(nextPatch),
  SetPrerelease: changed(withPrerelease),
  SetMetadata: changed(withMetadata),
};

function at({ target }: Pointer): Version {
  if (target instanceof Struct) return fromStruct(target);
  throw new GoError('runtime error: invalid memory address or nil pointer dereference');
}

function comparison(holds: (order: number) => boolean): Func {
  return fn(
    'func(*semver.Version, *semver.Version) bool',
    (a: Pointer, b: Pointer) => holds(compareVersions(at(a), at(b))),
    TYPES,
  );
}

function equal(a: Pointer, b: Pointer): boolean {
  return b.target !== undefined && compareVersions(at(a), at(b)) === 0;
}

/** What a method whose only result is an error returns without one: it prints as `<nil>`. */
const NO_ERROR = new Pointer(pointerTo(ERROR), undefined);

/** Reads a version into the place of another. Where an error is the only result, it is one like any other: its text. */
function replaced({ target }: Pointer, read: () => string): Value {
  try {
    const { fields } = toStruct(parseVersion(read()));
    if (target instanceof Struct) (target.fields as Value[]).splice(0, fields.length, ...fields);
    return NO_ERROR;
  } catch (error) {
    if (error instanceof GoError) return error.message;
    throw error;
  }
}

function textOf({ budget }: Context, { items }: Slice): string {
  budget.spend(items.length);
  return fromBytes(Uint8Array.from(items, (item) => Number(bare(item))));
}

const UNREADABLE: Readonly<Record<string, string>> = { number: 'number', boolean: 'bool' };

function textOfJSON(context: Context, json: Slice): string {
  const value = decode(context, textOf(context, json));
  if (typeof value === 'string') return value;
  if (value == null) return '';
  const kind = UNREADABLE[typeof value] ?? (value instanceof Slice ? 'array' : 'object');
  throw new GoError(`json: cannot unmarshal ${kind} into Go value of type string`);
}

const POINTER_METHODS: Readonly<Record<string, Func>> = {
  Original: fn('func(*semver.Version) string', (version: Pointer) => at(version).original, TYPES),
  Compare: fn(
    'func(*semver.Version, *semver.Version) int',
    (a: Pointer, b: Pointer) => BigInt(compareVersions(at(a), at(b))),
    TYPES,
  ),
  Equal: fn('func(*semver.Version, *semver.Version) bool', equal, TYPES),
  LessThan: comparison((order) => order < 0),
  LessThanEqual: comparison((order) => order <= 0),
  GreaterThan: comparison((order) => order > 0),
  GreaterThanEqual: comparison((order) => order >= 0),
  Scan: fn(
    'func(*semver.Version, interface{}) error',
    (version: Pointer, value: Value) => replaced(version, () => (typeof value === 'string' ? value : '')),
    TYPES,
  ),
  UnmarshalText: contextual(
    'func(*semver.Version, []byte) error',
    (context: Context, version: Pointer, text: Slice) => replaced(version, () => textOf(context, text)),
    TYPES,
  ),
  UnmarshalJSON: contextual(
    'func(*semver.Version, []byte) error',
    (context: Context, version: Pointer, json: Slice) => replaced(version, () => textOfJSON(context, json)),
    TYPES,
  ),
};

for (const [name, method] of Object.entries(METHODS)) VERSION.methods.set(name, method);
for (const [name, method] of Object.entries(POINTER_METHODS)) VERSION.pointerMethods.set(name, method);
