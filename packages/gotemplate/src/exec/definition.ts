import type { MissingKey } from '../options.ts';
import type { ListNode, Tree } from '../parse/ast.ts';
import { compile } from './compile.ts';
import { failureIn } from './failure.ts';
import type { Functions } from './functions.ts';
import type { Code } from './op.ts';

/** What the definitions of one text have in common. */
export interface Program {
  /** The name the text was parsed under. */
  readonly name: string;
  readonly text: string;
  readonly missingKey: MissingKey;
  readonly functions: Functions;
  readonly definitions: ReadonlyMap<string, Definition>;
}

/** A tree with a name, compiled when it is first executed. */
export class Definition {
  readonly program: Program;
  readonly name: string;
  /** The whole, for failures that no part claims. */
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
      // The parser bounds all nesting, but that of calls within calls far beyond what the stack of the host may hold.
      if (!(error instanceof RangeError)) throw error;
      throw failureIn(this, this.root, 'expressions are nested too deeply', { limit: 'depth', cause: error });
    }
  }
}
