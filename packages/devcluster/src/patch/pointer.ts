import type { Json } from '../json.ts';
import { isObject } from '../json.ts';
import { getOwn } from '../schema/json-values.ts';
import { PatchError } from './error.ts';

/** The parts of a JSON pointer (RFC 6901); the empty pointer, which is the whole document, has none. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new PatchError(`invalid JSON pointer: ${JSON.stringify(pointer)}`);
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * The index that a part of a pointer names in a list. `end` allows the position after the last item, also as `-`. Undefined for an
 * invalid index. Leading zeros and signs are invalid (RFC 6901, section 4).
 */
export function listPosition(part: string, length: number, end: boolean): number | undefined {
  if (part === '-') return end ? length : undefined;
  if (!/^(0|[1-9]\d*)$/.test(part)) return undefined;
  const position = Number(part);
  return position < length || (end && position === length) ? position : undefined;
}

/** The value one step down, or undefined where there is none. */
export function step(value: Json, part: string): Json | undefined {
  if (Array.isArray(value)) {
    const position = listPosition(part, value.length, false);
    return position === undefined ? undefined : value[position];
  }
  return isObject(value) ? getOwn(value, part) : undefined;
}
