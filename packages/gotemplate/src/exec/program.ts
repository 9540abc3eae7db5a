import type { MissingKey } from '../options.ts';
import type { ListNode } from '../parse/ast.ts';
import type { Functions } from './functions.ts';
import type { Code } from './op.ts';

/** The data that all definitions of one text share. */
export interface Program {
  /** The name of the parsed text. */
  readonly name: string;
  readonly text: string;
  readonly missingKey: MissingKey;
  readonly functions: Functions;
  readonly definitions: ReadonlyMap<string, Definition>;
}

/** An AST with a name. */
export interface Definition {
  readonly program: Program;
  readonly name: string;
  /** The root node, for errors without a node of their own. */
  readonly root: ListNode;
  readonly code: Code;
}
