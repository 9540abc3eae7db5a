/** Types and kinds of values. */
import { deepEqual } from '../value/equal.ts';
import { type FuncMap, contextual, fn } from '../value/func.ts';
import { type Value, typeOf } from '../value/value.ts';

/** As `%T` prints it. */
const typeName = (value: Value): string => typeOf(value)?.name ?? '<nil>';

const kindName = (value: Value): string => typeOf(value)?.kind ?? 'invalid';

export const reflect: FuncMap = {
  typeOf: fn('func(any) string', typeName),
  typeIs: fn('func(string, any) bool', (name: string, value: Value) => typeName(value) === name),
  typeIsLike: fn('func(string, any) bool', (name: string, value: Value) => {
    const actual = typeName(value);
    return actual === name || actual === `*${name}`;
  }),
  kindOf: fn('func(any) string', kindName),
  kindIs: fn('func(string, any) bool', (name: string, value: Value) => kindName(value) === name),
  deepEqual: contextual('func(any, any) bool', deepEqual),
};
