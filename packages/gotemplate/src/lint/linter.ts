import type { Operand } from '../parse/ast.ts';
import type { FuncMap } from '../value/func.ts';
import type { Findings } from './finding.ts';
import type { Known } from './scope.ts';

/** What the walk carries along. */
export interface Linter {
  readonly findings: Findings;
  readonly funcs: FuncMap;
}

/** An argument with the node it stands at. */
export interface Argument {
  readonly known: Known;
  readonly pos: number;
  readonly node: Operand | undefined;
}
