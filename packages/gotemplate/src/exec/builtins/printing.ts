/** print, printf, println. */
import { sprint, sprintln } from '../../fmt/print.ts';
import { sprintf } from '../../fmt/printf.ts';
import { type FuncMap, contextual } from '../../value/func.ts';
import type { Value } from '../../value/value.ts';

export const printing: FuncMap = {
  print: contextual('func(...any) string', (context, ...args: Value[]) => sprint(context, args)),
  printf: contextual('func(string, ...any) string', (context, format: string, ...args: Value[]) =>
    sprintf(context, format, args),
  ),
  println: contextual('func(...any) string', (context, ...args: Value[]) => sprintln(context, args)),
};
