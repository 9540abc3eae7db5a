import type { Operand } from '../parse/ast.ts';
import type { FuncMap } from '../value/func.ts';
import type { Findings } from './finding.ts';
import type { Known } from './scope.ts';

/** The state of one lint run. */
export interface Linter {
  readonly findings: Findings;
  readonly funcs: FuncMap;
}

/** An argument, with its node. */
export interface Argument {
  readonly known: Known;
  readonly pos: number;
  readonly node: Operand | undefined;
}
