/** The types of the package `sample`, for fuzzing: fields of nearly all types, methods of all kinds. */
import { GoError } from '../src/errors.ts';
import { DURATION, TIME } from '../src/time/types.ts';
import { type Func, fn } from '../src/value/func.ts';
import * as T from '../src/value/type.ts';
import { Pointer, Struct, type Typed, type Value, zero } from '../src/value/value.ts';

export const LEVEL = T.namedType('sample.Level', 'int');
export const WORD = T.namedType('sample.Word', 'string');

export const BOX: T.Type = T.structType('sample.Box', [
  { name: 'Name', type: T.STRING, json: 'name' },
  { name: 'Any', type: T.ANY, json: 'any', omitEmpty: true },
  { name: 'Int', type: T.INT, json: 'int', omitEmpty: true },
  { name: 'Small', type: T.INT8 },
  { name: 'Byte', type: T.UINT8 },
  { name: 'Big', type: T.UINT64 },
  { name: 'Single', type: T.FLOAT32 },
  { name: 'Double', type: T.FLOAT64 },
  { name: 'Flag', type: T.BOOL },
  { name: 'Words', type: T.STRING_SLICE },
  { name: 'Numbers', type: T.sliceOf(T.INT), json: 'numbers', omitEmpty: true },
  { name: 'Bytes', type: T.BYTES },
  { name: 'Row', type: T.arrayOf(3, T.INT) },
  { name: 'Attributes', type: T.STRING_MAP },
  { name: 'Counts', type: T.mapOf(T.STRING, T.INT), json: '-' },
  { name: 'ByNumber', type: T.mapOf(T.INT, T.STRING) },
  {
    name: 'Next',
    // A getter, because BOX is not yet defined here.
    get type(): T.Type {
      return T.pointerTo(BOX);
    },
  },
  { name: 'Level', type: LEVEL },
  { name: 'Word', type: WORD },
  { name: 'Took', type: DURATION },
  { name: 'At', type: TIME },
  { name: 'hidden', type: T.STRING },
]);

const types = { 'sample.Box': BOX, 'sample.Level': LEVEL };
const method = (signature: string, impl: (...args: never[]) => Value): Func => fn(signature, impl, types);
const nameOf = (box: Struct): string => box.fields[0] as string;

LEVEL.methods.set(
  'String',
  method('func(sample.Level) string', ({ value }: Typed) => '*'.repeat(Number((value as bigint) & 7n))),
);

const METHODS: Readonly<Record<string, Func>> = {
  Title: method('func(sample.Box) string', (box: Struct) => `<${nameOf(box)}>`),
  Sum: method('func(sample.Box, int, ...int) int', (_: Struct, ...numbers: bigint[]) =>
    BigInt.asIntN(
      64,
      numbers.reduce((sum, n) => sum + n),
    ),
  ),
  Check: method('func(sample.Box, bool) (string, error)', (_: Struct, ok: boolean) => {
    if (!ok) throw new GoError('not ok');
    return 'checked';
  }),
  Nested: method('func(sample.Box, string) sample.Box', (box: Struct, name: string) => {
    const values = new Map<string, Value>([
      ['Name', name],
      ['Next', new Pointer(T.pointerTo(BOX), box)],
    ]);
    return new Struct(
      BOX,
      BOX.fields.map((field) => values.get(field.name) ?? zero(field.type)),
    );
  }),
  Give: method('func(sample.Box, any) any', (_: Struct, value: Value) => value),
  Two: method('func(sample.Box) (int, int)', () => null),
  Explode: method('func(sample.Box) string', () => {
    throw new GoError('boom');
  }),
};
for (const [name, impl] of Object.entries(METHODS)) BOX.methods.set(name, impl);

BOX.pointerMethods.set(
  'Pointed',
  method('func(*sample.Box) string', ({ target }: Pointer) => {
    if (!(target instanceof Struct))
      throw new GoError('runtime error: invalid memory address or nil pointer dereference');
    return `*${nameOf(target)}`;
  }),
);
