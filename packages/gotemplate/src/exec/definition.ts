import type { MissingKey } from '../options.ts';
import type { ListNode, Tree } from '../parse/ast.ts';
import { compile } from './compile.ts';
import { failureIn } from './failure.ts';
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

/** An AST with a name. It is compiled at its first execution. */
export class Definition {
  readonly program: Program;
  readonly name: string;
  /** The root node, for errors without a node of their own. */
  readonly root: ListNode;
  #code: Code | undefined;

  constructor(program: Program, tree: Tree) {
    this.program = program;
    this.name = tree.name;
    this.root = tree.root;
  }

  get code(): Code {
    return (this.#code ??= this.#compile());
  }

  #compile(): Code {
    try {
      return compile(this.program, this.root);
    } catch (error) {
      // The parser limits all nesting, but its limit for nested calls can exceed the host's stack.
      if (!(error instanceof RangeError)) throw error;
      throw failureIn(this, this.root, 'expressions are nested too deeply', { limit: 'depth', cause: error });
    }
  }
}
