/** Gives `semver.Version` its methods. */
import type { Context } from '../../context.ts';
import { GoError } from '../../errors.ts';
import { decode } from '../../json/decode.ts';
import { type Func, contextual } from '../../value/func.ts';
import type { Types } from '../../value/signature.ts';
import { fromBytes } from '../../value/text.ts';
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

/** Opens the receiver. Charges for its texts, which can be long: each method reads or copies them. */
function opened({ budget }: Context, receiver: Struct): Version {
  const version = fromStruct(receiver);
  const length = version.prerelease.length + version.metadata.length + version.original.length;
  budget.spend(length / 16);
  budget.grow(length);
  return version;
}

/** @param rest the signature after the receiver */
function own(rest: string, impl: (version: Version, context: Context, text: string) => Value): Func {
  const call = (context: Context, receiver: Struct, text: string) =>
    impl(opened(context, receiver), context, text);
  return contextual(`func(semver.Version${rest}`, call, TYPES);
}

function part(name: 'major' | 'minor' | 'patch'): Func {
  return own(') uint64', (version) => new Typed(UINT64, version[name]));
}

function after(next: (version: Version) => Version): Func {
  return own(') semver.Version', (version) => toStruct(next(version)));
}

function changed(change: (version: Version, text: string) => Version): Func {
  return own(', string) (semver.Version, error)', (version, { budget }, text) => {
    budget.spend(text.length / 16);
    budget.grow(2 * text.length);
    return toStruct(change(version, text));
  });
}

/** Versions are ASCII. */
function bytes(context: Context, text: string): Slice {
  context.budget.spend(text.length);
  context.budget.grow(16 * text.length);
  return new Slice(
    BYTES,
    Array.from(text, (character) => new Typed(UINT8, BigInt(character.charCodeAt(0)))),
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
  MarshalText: own(') ([]byte, error)', (version, context) => bytes(context, format(version))),
  MarshalJSON: own(') ([]byte, error)', (version, context) => bytes(context, `"${format(version)}"`)),
  IncMajor: after(nextMajor),
  IncMinor: after(nextMinor),
  IncPatch: after(nextPatch),
  SetPrerelease: changed(withPrerelease),
  SetMetadata: changed(withMetadata),
};

function at(context: Context, { target }: Pointer): Version {
  if (target instanceof Struct) return opened(context, target);
  throw new GoError('runtime error: invalid memory address or nil pointer dereference');
}

function compare(context: Context, a: Pointer, b: Pointer): number {
  return compareVersions(at(context, a), at(context, b));
}

function comparison(holds: (order: number) => boolean): Func {
  const call = (context: Context, a: Pointer, b: Pointer) => holds(compare(context, a, b));
  return contextual('func(*semver.Version, *semver.Version) bool', call, TYPES);
}

function equal(context: Context, a: Pointer, b: Pointer): boolean {
  return b.target !== undefined && compare(context, a, b) === 0;
}

/** The result without an error of a method that returns only an error. It prints as `<nil>`. */
const NO_ERROR = new Pointer(pointerTo(ERROR), undefined);

/** Replaces a version by a parsed one. The error is the only result, so here it is a normal value: its text. */
function replaced({ budget }: Context, { target }: Pointer, read: () => string): Value {
  try {
    const text = read();
    budget.spend(text.length / 16);
    const { fields } = toStruct(parseVersion(text));
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

function reader<T extends Value>(param: string, text: (context: Context, value: T) => string): Func {
  const call = (context: Context, version: Pointer, value: T) =>
    replaced(context, version, () => text(context, value));
  return contextual(`func(*semver.Version, ${param}) error`, call, TYPES);
}

const POINTER_METHODS: Readonly<Record<string, Func>> = {
  Original: contextual(
    'func(*semver.Version) string',
    (context: Context, version: Pointer) => at(context, version).original,
    TYPES,
  ),
  Compare: contextual(
    'func(*semver.Version, *semver.Version) int',
    (context: Context, a: Pointer, b: Pointer) => BigInt(compare(context, a, b)),
    TYPES,
  ),
  Equal: contextual('func(*semver.Version, *semver.Version) bool', equal, TYPES),
  LessThan: comparison((order) => order < 0),
  LessThanEqual: comparison((order) => order <= 0),
  GreaterThan: comparison((order) => order > 0),
  GreaterThanEqual: comparison((order) => order >= 0),
  Scan: reader('interface{}', (_context, value: Value) => (typeof value === 'string' ? value : '')),
  UnmarshalText: reader('[]byte', textOf),
  UnmarshalJSON: reader('[]byte', textOfJSON),
};

for (const [name, method] of Object.entries(METHODS)) VERSION.methods.set(name, method);
for (const [name, method] of Object.entries(POINTER_METHODS)) VERSION.pointerMethods.set(name, method);
