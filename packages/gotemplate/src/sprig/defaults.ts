/** Defaults for empty values, and JSON. */
import type { Context } from '../context.ts';
import { attempt } from '../errors.ts';
import { isTrue } from '../exec/truth.ts';
import { decode, parse } from '../json/decode.ts';
import { encode } from '../json/encode.ts';
import { type FuncMap, contextual, fn } from '../value/func.ts';
import { ANY, pointerTo } from '../value/type.ts';
import { type Value, Pointer } from '../value/value.ts';

const compact = (context: Context, value: Value): string => encode(context, value);

const pretty = (context: Context, value: Value): string => encode(context, value, { indent: '  ' });

const TO_ANY = pointerTo(ANY);

/** Here sprig encodes a pointer to the value. Go counts it when it checks for cycles. */
const raw = (context: Context, value: Value): string =>
  encode(context, new Pointer(TO_ANY, value), { escapeHTML: false });

export const defaults: FuncMap = {
  // In sprig, a value is empty if it is not true.
  default: fn('func(any, ...any) any', (otherwise: Value, given?: Value) =>
    isTrue(given) ? given : otherwise,
  ),
  empty: fn('func(any) bool', (value: Value) => !isTrue(value)),
  coalesce: fn('func(...any) any', (...values: Value[]) => values.find(isTrue) ?? null),
  all: fn('func(...any) bool', (...values: Value[]) => values.every(isTrue)),
  any: fn('func(...any) bool', (...values: Value[]) => values.some(isTrue)),
  ternary: fn('func(any, any, bool) any', (yes: Value, no: Value, which: boolean) => (which ? yes : no)),

  // `fromJson` ignores errors. If the only errors are numbers that are too large, it keeps the rest.
  fromJson: contextual('func(string) any', (context, text: string) =>
    attempt(() => parse(context, text).value, null),
  ),
  mustFromJson: contextual('func(string) (any, error)', decode),
  toJson: contextual('func(any) string', (context, value: Value) =>
    attempt(() => compact(context, value), ''),
  ),
  mustToJson: contextual('func(any) (string, error)', compact),
  toPrettyJson: contextual('func(any) string', (context, value: Value) =>
    attempt(() => pretty(context, value), ''),
  ),
  mustToPrettyJson: contextual('func(any) (string, error)', pretty),
  toRawJson: contextual('func(any) string', raw),
  mustToRawJson: contextual('func(any) (string, error)', raw),
};
