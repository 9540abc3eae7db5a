/** Go's text/template and the sprig functions, for JavaScript. */
export { parse, parseAll, type Source, type Template } from './template.ts';
export type { TemplateOptions } from './options.ts';
export { TemplateError, GoError, type Limit, type Stage } from './errors.ts';
export { DEFAULT_LIMITS, type Budget, type Limits } from './budget.ts';
export { workTime } from './clock.ts';
export type { Context } from './context.ts';
export { builtins } from './exec/builtins.ts';
export { sprig } from './sprig/sprig.ts';
export { lint, type LintOptions } from './lint/lint.ts';
export { layoutFault } from './lint/layout-fault.ts';
export { nearest } from './lint/suggest.ts';
export type { Finding, Rule } from './lint/finding.ts';
export { Func, Unavailable, type FuncMap } from './value/func.ts';
export type { Types } from './value/signature.ts';
export { contextual, fn, parseType } from './value/host-func.ts';
export { fromJS } from './value/from-js.ts';
export { fromTrusted } from './value/from-js/trusted.ts';
export {
  ANY,
  ANY_MAP,
  ANY_SLICE,
  BOOL,
  FLOAT64,
  INT,
  INT32,
  INT64,
  STRING,
  STRING_MAP,
  STRING_SLICE,
  type Field,
  type Type,
  arrayOf,
  mapOf,
  namedType,
  pointerTo,
  sliceOf,
  structType,
} from './value/type.ts';
export { Complex, GoMap, Pointer, Slice, Struct, Typed, type Value, typeOf } from './value/value.ts';
export { Time, TIME } from './time/time.ts';
export { formatTime } from './time/format.ts';
export { loadLocation, type Location } from './time/location.ts';
export { DURATION } from './time/duration.ts';
