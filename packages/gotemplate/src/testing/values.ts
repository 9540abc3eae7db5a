/** Values to print, and types with all kinds of methods. */
import { GoError } from '../errors.ts';
import { fn } from '../value/func.ts';
import { toBytes } from '../value/text.ts';
import * as T from '../value/type.ts';
import {
  Complex,
  GoMap,
  Pointer,
  Slice,
  Struct,
  Typed,
  type Value,
  list,
  typeOf,
  zero,
} from '../value/value.ts';

export const u8 = new Typed(T.UINT8, 7n);
export const i32 = new Typed(T.INT32, 7n);
export const f32 = (number: number): Typed => new Typed(T.FLOAT32, Math.fround(number));
export const c = (re: number, im: number): Complex => new Complex(re, im);

export const strings = (...items: string[]): Slice => new Slice(T.STRING_SLICE, items);
export const bytes = (text: string): Slice =>
  new Slice(
    T.BYTES,
    Array.from(toBytes(text), (byte) => new Typed(T.UINT8, BigInt(byte))),
  );
export const nilBytes = zero(T.BYTES);
export const to = (value: Value): Pointer => new Pointer(T.pointerTo(typeOf(value) ?? T.ANY), value);

const POINT = T.structType('main.Point', [
  { name: 'X', type: T.INT },
  { name: 'Label', type: T.STRING },
  { name: 'any', type: T.ANY },
]);
const point = new Struct(POINT, [1n, 'a', null]);
export const toPoint = to(point);
export const noPoint = zero(T.pointerTo(POINT));
export const holder = zero(
  T.structType('main.Holder', [
    { name: 'F', type: T.funcOf({ params: [], variadic: false, results: [] }) },
    { name: 'E', type: T.ERROR },
    { name: 'A', type: T.ANY },
    { name: 'M', type: T.mapOf(T.STRING, T.INT) },
    { name: 'L', type: T.sliceOf(T.INT) },
    { name: 'P', type: T.pointerTo(POINT) },
  ]),
);

function method(type: T.Type, name: string, text: (receiver: Typed) => string): void {
  type.methods.set(name, fn('func(self) string', text, { self: type }));
}

const COLOR = T.namedType('main.Color', 'int');
method(COLOR, 'String', ({ value }) => ['none', 'red'][Number(value)] ?? '');
export const red = new Typed(COLOR, 1n);
export const colorMap = new GoMap(T.mapOf(COLOR, T.ANY), new Map([[1n, 2n]]));
export const paint = new Struct(
  T.structType('main.Paint', [
    { name: 'Color', type: COLOR },
    { name: 'hidden', type: COLOR },
  ]),
  [red, red],
);

const FAULT = T.namedType('main.Fault', 'int');
method(FAULT, 'Error', () => 'fault!');
method(FAULT, 'String', () => 'no');
export const fault = new Typed(FAULT, 1n);

const BROKEN = T.namedType('main.Broken', 'int');
method(BROKEN, 'String', () => {
  throw new GoError('out of order');
});
export const broken = new Typed(BROKEN, 1n);

export const OWNER = T.structType('main.Owner', [{ name: 'N', type: T.INT }]);
OWNER.pointerMethods.set(
  'String',
  fn(
    'func(*self) string',
    ({ target }: Pointer) => {
      const number = target instanceof Struct ? target.fields[0] : undefined;
      if (typeof number !== 'bigint') throw new GoError('invalid memory address');
      return `owner ${number}`;
    },
    { self: OWNER },
  ),
);
export const owner = new Struct(OWNER, [1n]);

/** An empty list inside `depth` lists. */
export function nested(depth: number): Slice {
  let value = list([]);
  for (let i = 0; i < depth; i++) value = list([value]);
  return value;
}
