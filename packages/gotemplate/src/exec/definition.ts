import type { ListNode, Tree } from '../parse/ast.ts';
import { compile } from './compile.ts';
import { failureIn } from './failure.ts';
import type { Code } from './op.ts';
import type { Definition, Program } from './program.ts';

/** A definition that is compiled at its first execution. */
export class LazyDefinition implements Definition {
  readonly program: Program;
  readonly name: string;
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
