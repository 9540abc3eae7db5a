import type { PipeNode, Statement, Tree } from './ast.ts';
import { Definitions } from './definitions.ts';
import { type Body, type Branch, isBranch, newList, type Open } from './open.ts';
import { type Functions, readString } from './operands.ts';
import { parsePipeline } from './pipelines.ts';
import type { Token } from './token.ts';
import { Tokens } from './tokens.ts';
import { Variables } from './variables.ts';

export interface ParseOptions extends Functions {
  /** Default `{{`. */
  readonly leftDelim?: string | undefined;
  /** Default `}}`. */
  readonly rightDelim?: string | undefined;
  /** Whether the AST contains comments. Default false. */
  readonly comments?: boolean | undefined;
}

/**
 * The limit of nested control structures and definitions. Go has none; because of it, code can walk the AST by recursion.
 * An `else if` does not count: such chains can have any length. Walk them in a loop.
 */
export const MAX_NESTING = 1000;

/**
 * Parses a text into its definitions, by name: `name` is the text itself; the others come from `define` and `block`.
 * Throws a TemplateError of stage `parse` with Go's message.
 *
 * @param text well-formed, see value/text.ts.
 */
export function parseTree(name: string, text: string, options: ParseOptions): Map<string, Tree> {
  return new Parser(name, text, options).parse();
}

class Parser {
  readonly #tokens: Tokens;
  readonly #functions: Functions;
  readonly #definitions = new Definitions();
  #body: Body;
  #open: Open;
  /** The blocks around {@link #open}, the outermost first. */
  readonly #around: Open[] = [];

  constructor(name: string, text: string, options: ParseOptions) {
    const names = new Set(['break', 'continue'].filter((word) => options.hasFunction(word)));
    this.#tokens = new Tokens(name, text, { ...options, names });
    this.#functions = options;
    this.#body = this.#newBody('root', name);
    this.#open = this.#body;
  }

  parse(): Map<string, Tree> {
    for (;;) {
      const token = this.#tokens.next();
      const { kind, pos, text } = token;
      switch (kind) {
        case 'text':
        case 'comment':
          this.#append({ kind, pos, text });
          break;
        case 'leftDelim':
          this.#action(token);
          break;
        case 'eof':
          if (this.#around.length > 0) this.#tokens.fail('unexpected EOF');
          this.#add(this.#body);
          return this.#definitions.trees;
        default:
          this.#tokens.unexpected(token, 'input');
      }
    }
  }

  #append(node: Statement): void {
    this.#open.list.nodes.push(node);
  }

  #add({ name, list }: Body): void {
    this.#definitions.add({ name, root: list }, this.#tokens);
  }

  #action(delim: Token): void {
    const tokens = this.#tokens;
    const first = tokens.next();
    if (first.kind === 'define' && this.#open.kind === 'root') {
      this.#define();
      return;
    }
    tokens.action = delim.pos;
    switch (first.kind) {
      case 'if':
      case 'range':
      case 'with':
        this.#enter(this.#branch(first.kind, undefined));
        // Until the next action, errors name this one.
        return;
      case 'block':
        this.#block();
        break;
      case 'else':
        this.#else();
        break;
      case 'end':
        this.#end();
        break;
      case 'template':
        this.#template();
        break;
      case 'break':
      case 'continue':
        this.#jump(first.kind, first.pos);
        break;
      default:
        tokens.unread(first);
        this.#append({ kind: 'action', pos: first.pos, pipe: this.#pipeline('command') });
    }
    tokens.action = undefined;
  }

  #pipeline(context: string): PipeNode {
    return parsePipeline(context, this.#tokens, this.#body.variables, this.#functions);
  }

  #enter(open: Open): void {
    if (this.#around.push(this.#open) > MAX_NESTING)
      this.#tokens.fail(`exceeded maximum nesting depth (${MAX_NESTING})`, { limit: 'depth' });
    this.#open = open;
  }

  #leave(): void {
    this.#open = this.#around.pop() ?? this.#body;
  }

  #branch(kind: Branch['kind'], elseOf: Branch | undefined): Branch {
    const mark = this.#body.variables.enter();
    const pipe = this.#pipeline(kind);
    if (kind === 'range') this.#body.ranges++;
    return { kind, pipe, list: newList(this.#tokens.peek().pos), then: undefined, mark, elseOf };
  }

  #else(): void {
    const tokens = this.#tokens;
    const next = tokens.peek();
    const chains = next.kind === 'if' || next.kind === 'with';
    const { pos } = chains ? next : tokens.expect('rightDelim', 'else');
    tokens.action = undefined;
    const open = this.#open;
    if (!isBranch(open)) return this.#strayElse(open);
    if (open.then !== undefined) tokens.fail('expected end; found {{else}}');
    this.#endFirstList(open);
    if (chains && next.kind === open.kind) {
      tokens.next();
      open.list = newList(pos);
      this.#open = this.#branch(next.kind, open);
    } else open.list = newList(tokens.peek().pos);
  }

  #strayElse({ kind, clauseEnd }: Body): never {
    if (kind === 'root') return this.#tokens.fail('unexpected {{else}}');
    return this.#tokens.fail(
      `unexpected {{else}} in ${kind} clause`,
      {},
      kind === 'block' ? clauseEnd : undefined,
    );
  }

  /** `break` and `continue` are valid only in the first list of a range. */
  #endFirstList(branch: Branch): void {
    branch.then = branch.list;
    if (branch.kind === 'range') this.#body.ranges--;
  }

  #end(): void {
    this.#tokens.expect('rightDelim', 'end');
    const open = this.#open;
    if (isBranch(open)) this.#endBranch(open);
    else if (open.kind === 'root') this.#tokens.fail('unexpected {{end}}');
    else this.#endBody(open);
  }

  #endBranch(last: Branch): void {
    let node = this.#close(last);
    for (let branch = last.elseOf; branch !== undefined; branch = branch.elseOf) {
      branch.list.nodes.push(node);
      node = this.#close(branch);
    }
    this.#leave();
    this.#append(node);
  }

  #close(branch: Branch): Statement {
    const { kind, pipe, mark, then } = branch;
    this.#body.variables.leave(mark);
    const elseList = then === undefined ? undefined : branch.list;
    if (then === undefined) this.#endFirstList(branch);
    return { kind, pos: pipe.pos, pipe, list: then ?? branch.list, elseList };
  }

  #newBody(kind: Body['kind'], name: string, call?: Body['call'], clauseEnd = 0): Body {
    return {
      kind,
      name,
      list: newList(this.#tokens.peek().pos),
      variables: new Variables(),
      outer: kind === 'root' ? undefined : this.#body,
      call,
      clauseEnd,
      ranges: 0,
    };
  }

  #define(): void {
    const context = 'define clause';
    const name = this.#name(this.#tokens.next(), context);
    this.#tokens.expect('rightDelim', context);
    this.#enter((this.#body = this.#newBody('define', name)));
  }

  #block(): void {
    const token = this.#tokens.next();
    const name = this.#name(token, 'block clause');
    const pipe = this.#pipeline('block clause');
    const clauseEnd = this.#tokens.lastRead;
    const call = { kind: 'template', pos: token.pos, name, pipe } as const;
    this.#enter((this.#body = this.#newBody('block', name, call, clauseEnd)));
  }

  #endBody(body: Body): void {
    this.#add(body);
    this.#leave();
    this.#body = body.outer ?? body;
    if (body.call !== undefined) this.#append(body.call);
  }

  #template(): void {
    const token = this.#tokens.next();
    const name = this.#name(token, 'template clause');
    const isBare = this.#tokens.peek().kind === 'rightDelim';
    const pipe = isBare ? undefined : this.#pipeline('template clause');
    if (isBare) this.#tokens.next();
    this.#append({ kind: 'template', pos: token.pos, name, pipe });
  }

  /** The name in a clause. */
  #name(token: Token, context: string): string {
    return token.kind === 'string' || token.kind === 'rawString'
      ? readString(token, this.#tokens)
      : this.#tokens.unexpected(token, context);
  }

  #jump(kind: 'break' | 'continue', pos: number): void {
    const token = this.#tokens.next();
    if (token.kind !== 'rightDelim') this.#tokens.unexpected(token, `{{${kind}}}`);
    if (this.#body.ranges === 0) this.#tokens.fail(`{{${kind}}} outside {{range}}`);
    this.#append({ kind, pos });
  }
}
