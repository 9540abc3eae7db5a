import { GoError } from '../errors.ts';
import { type EncodeOptions, encode } from '../json/encode.ts';
import type { Value } from '../value/value.ts';
import { contextOf } from './context.ts';

/** The JSON of a value, or Go's error message. */
export function json(value: Value, options?: EncodeOptions): string {
  try {
    return encode(contextOf(), value, options);
  } catch (error) {
    if (error instanceof GoError) return error.message;
    throw error;
  }
}
