import type { Json } from '../json.ts';
import { canonicalJson } from './json-values.ts';

/** Why one field was refused, in the form of `details.causes` of a `Status`. */
export interface Cause {
  reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueNotSupported'
    | 'FieldValueDuplicate'
    | 'FieldValueForbidden'
    | 'FieldValueTypeInvalid'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany';
  /** In the words of `field.Error.ErrorBody()` of k8s.io/apimachinery, without the field. */
  message: string;
  /** `spec.sinks[0].name`; `<nil>` for the object itself. */
  field: string;
}

export function required(field: string, detail = ''): Cause {
  return { reason: 'FieldValueRequired', message: withDetail('Required value', detail), field };
}

/** Undefined: a value that is not shown. */
export function invalid(field: string, value: Json | undefined, detail: string): Cause {
  return {
    reason: 'FieldValueInvalid',
    message: withDetail(withValue('Invalid value', value), detail),
    field,
  };
}

export const immutable = (field: string, value: Json): Cause => invalid(field, value, 'field is immutable');

export function typeInvalid(field: string, value: Json, detail: string): Cause {
  return {
    reason: 'FieldValueTypeInvalid',
    message: withDetail(`Invalid value: ${formatValue(value)}`, detail),
    field,
  };
}

export function notSupported(field: string, value: Json, supported: readonly string[]): Cause {
  const detail = supported.length > 0 ? `supported values: ${supported.map(quote).join(', ')}` : '';
  return {
    reason: 'FieldValueNotSupported',
    message: withDetail(`Unsupported value: ${formatValue(value)}`, detail),
    field,
  };
}

/** Undefined: a value that is not shown. */
export function duplicate(field: string, value: Json | undefined): Cause {
  return { reason: 'FieldValueDuplicate', message: withValue('Duplicate value', value), field };
}

export function forbidden(field: string, detail: string): Cause {
  return { reason: 'FieldValueForbidden', message: withDetail('Forbidden', detail), field };
}

/** The server says bytes, although it counts characters. */
export function tooLong(field: string, max: number): Cause {
  const unit = max === 1 ? 'byte' : 'bytes';
  return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${max} ${unit}`, field };
}

export function tooMany(field: string, actual: number, max: number): Cause {
  const unit = max === 1 ? 'item' : 'items';
  return {
    reason: 'FieldValueTooMany',
    message: `Too many: ${actual}: must have at most ${max} ${unit}`,
    field,
  };
}

/** A string in double quotes, as Go's `%q` prints it (for printable text the same as JSON). */
export function quote(text: string): string {
  return JSON.stringify(text);
}

const withValue = (what: string, value: Json | undefined): string =>
  value === undefined ? what : `${what}: ${formatValue(value)}`;

/** A value as the server prints it in a message. */
function formatValue(value: Json): string {
  return typeof value === 'number' ? formatNumber(value) : canonicalJson(value);
}

/** A number like Go's `%v`: integers plain, other numbers with an exponent from 1e21 on or below 1e-4. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
  const magnitude = Math.abs(value);
  if (magnitude >= 1e21 || magnitude < 1e-4) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return String(value);
}

/** The value of a rule in a cause: objects and lists are omitted. */
export const shown = (value: Json): Json | undefined =>
  typeof value === 'object' && value !== null ? undefined : value;

function withDetail(message: string, detail: string): string {
  return detail === '' ? message : `${message}: ${detail}`;
}
