/** time.Time. */
import { type Type, structType } from '../value/type.ts';

export const TIME: Type = structType('time.Time', []);

/** A moment with its location. */
export class Time {
  readonly type = TIME;
}
