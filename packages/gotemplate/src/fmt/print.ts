/** `fmt.Sprint` and similar functions. */
import type { Context } from '../context.ts';
import { formatFloat } from '../strconv/float.ts';
import { type Value, typeOf } from '../value/value.ts';
import { Printer } from './printer.ts';

/** One operand, printed with `%v`. Nil is `<nil>`. */
export function display(context: Context, value: Value): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'number':
      return formatFloat(value, 'g', -1);
    default: {
      const printer = new Printer(context);
      printer.print(value);
      return printer.text;
    }
  }
}

/** `fmt.Sprint`: prints operands in a row, with a space between two if neither is a string. */
export function sprint(context: Context, args: readonly Value[]): string {
  const printer = new Printer(context);
  let afterString = true;
  for (const value of args) {
    const isString = typeOf(value)?.kind === 'string';
    if (!isString && !afterString) printer.write(' ');
    printer.print(value);
    afterString = isString;
  }
  return printer.text;
}

/** `fmt.Sprintln`: prints operands with spaces between them, and a line feed. */
export function sprintln(context: Context, args: readonly Value[]): string {
  const printer = new Printer(context);
  args.forEach((value, i) => {
    if (i > 0) printer.write(' ');
    printer.print(value);
  });
  printer.write('\n');
  return printer.text;
}
