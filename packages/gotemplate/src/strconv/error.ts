import { GoError } from '../errors.ts';
import { quote } from './quote.ts';

/** The error of Go's parsing functions. */
export function numError(func: string, text: string, reason: string): GoError {
  return new GoError(`strconv.${func}: parsing ${quote(text)}: ${reason}`);
}

export const SYNTAX = 'invalid syntax';
export const RANGE = 'value out of range';
