/** `fmt.Sprintf`. */
import type { Context } from '../context.ts';
import { type Value, bare } from '../value/value.ts';
import { type Directive, isTooLarge, pieces } from './directive.ts';
import { Printer } from './printer.ts';
import type { Spec } from './spec.ts';

/** Formats operands as `fmt.Sprintf` does. Errors in the format appear in the result, such as `%!d(string=x)`. */
export function sprintf(context: Context, format: string, args: readonly Value[]): string {
  context.budget.spend(format.length >> 6);
  const formatter = new Formatter(context, args);
  for (const piece of pieces(format)) {
    context.budget.spend(1);
    if (piece.kind === 'text') formatter.printer.write(piece.text);
    else formatter.print(piece);
  }
  formatter.printExtra();
  return formatter.printer.text;
}

class Formatter {
  readonly printer: Printer;
  readonly #args: readonly Value[];
  #next = 0;
  #isReordered = false;

  constructor(context: Context, args: readonly Value[]) {
    this.printer = new Printer(context);
    this.#args = args;
  }

  print(directive: Directive): void {
    let { spec, isBadIndex } = directive;
    for (const step of directive.steps) {
      if (step.kind === 'index') {
        this.#isReordered = true;
        if (step.index >= 0 && step.index < this.#args.length) this.#next = step.index;
        else isBadIndex = true;
      } else if (step.kind === 'width') spec = this.#withWidth(spec);
      else spec = this.#withPrecision(spec);
    }
    const { verb } = directive;
    if (verb === '') this.printer.write('%!(NOVERB)');
    else if (verb === '%') this.printer.write('%');
    else if (isBadIndex) this.printer.write(`%!${verb}(BADINDEX)`);
    else if (this.#next >= this.#args.length) this.printer.write(`%!${verb}(MISSING)`);
    else this.printer.print(this.#args[this.#next++], verb, spec);
  }

  #withWidth(spec: Spec): Spec {
    const width = this.#takeNumber();
    if (width === undefined) this.printer.write('%!(BADWIDTH)');
    else if (width < 0) return { ...spec, width: -width, minus: true, zero: false };
    return { ...spec, width: width ?? 0 };
  }

  #withPrecision(spec: Spec): Spec {
    const precision = this.#takeNumber() ?? -1;
    if (precision < 0) this.printer.write('%!(BADPREC)');
    return { ...spec, precision: Math.max(precision, -1) };
  }

  /** The next operand, for a `*`. */
  #takeNumber(): number | undefined {
    if (this.#next >= this.#args.length) return undefined;
    const number = bare(this.#args[this.#next++]);
    return typeof number === 'bigint' && !isTooLarge(number) ? Number(number) : undefined;
  }

  /** Prints operands that no verb used. Not after an explicit index, because then it is unknown which are unused. */
  printExtra(): void {
    if (this.#isReordered || this.#next >= this.#args.length) return;
    this.printer.write('%!(EXTRA ');
    this.#args.slice(this.#next).forEach((value, i) => {
      if (i > 0) this.printer.write(', ');
      if (value !== undefined && value !== null) {
        this.printer.print(value, 'T');
        this.printer.write('=');
      }
      this.printer.print(value);
    });
    this.printer.write(')');
  }
}
