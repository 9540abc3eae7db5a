import { expect, it } from 'vitest';
import { sprintf } from '../fmt/printf.ts';
import type { Value } from '../value/value.ts';
import { contextOf } from './context.ts';

/** A format, its operands, and what Go prints. One operand alone stands for each of the verbs. */
export type Row = readonly [format: string, operands: Value | readonly Value[], text: string];

/** One test for each row. */
export function testPrintfAsGo(rows: readonly Row[]): void {
  it.each(rows)('%j of %#', (format, operands, text) => {
    const verbs = format.split('%').length - 1;
    const all = isList(operands) ? [...operands] : Array.from({ length: verbs }, () => operands);
    expect(sprintf(contextOf(), format, all)).toBe(text);
  });
}

const isList = (operands: Row[1]): operands is readonly Value[] => Array.isArray(operands);
