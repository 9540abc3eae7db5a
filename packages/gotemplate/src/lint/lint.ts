import { builtins } from '../exec/builtins.ts';
import { TemplateError } from '../errors.ts';
import type {
  IfNode,
  ListNode,
  Node,
  PipeNode,
  RangeNode,
  Statement,
  TemplateNode,
  Tree,
  WithNode,
} from '../parse/ast.ts';
import { checkText } from '../options/check.ts';
import { parseTree } from '../parse/parser.ts';
import { print } from '../parse/print.ts';
import { type FuncMap, Unavailable } from '../value/func.ts';
import { fromOutside } from '../value/text.ts';
import * as T from '../value/type.ts';
import type { Type } from '../value/type.ts';
import { Enough, type Finding, Findings } from './finding.ts';
import { facts } from './guards.ts';
import { checkForeignSyntax, hintOfBraces } from './foreign.ts';
import { declare, inferPipe, lookup } from './infer.ts';
import type { Linter } from './linter.ts';
import { ANYTHING, type Known, Scope } from './scope.ts';
import { checkOutput } from './no-output.ts';
import { nearest } from './suggest.ts';

export interface LintOptions {
  /** The functions of the template, in addition to Go's predefined ones. Default none. */
  readonly funcs?: FuncMap;
  /** Default `{{` and `}}`. */
  readonly delims?: readonly [left: string, right: string];
  /** The name of the template. Default `template`. */
  readonly name?: string;
}

/**
 * Finds errors in a template before it runs, for data of a declared type: fields and functions that do not exist, with a
 * suggestion; arguments and comparisons of types that Go refuses; comparisons with texts that a field never has (see
 * `Field.oneOf`); fields of a pointer that may be nil; layouts of times and zones that are not Go's; syntax of other
 * template languages; a text that is nothing but definitions.
 *
 * Values of unknown type (from a function that returns `any`, or from a map of `any`) are not checked. A definition is
 * checked with the type of each call; if nothing calls it, only its function names are checked. Throws only a TypeError,
 * if the text is not a string or the type is not a Type.
 */
export function lint(text: string, type: Type, options: LintOptions = {}): Finding[] {
  checkText('lint: text', text);
  T.checkType('lint', type);
  const { funcs = {}, delims, name = 'template' } = options;
  const source = fromOutside(text);
  const findings = new Findings(source);
  try {
    const trees = parseTree(name, source, {
      ...(delims && { leftDelim: delims[0], rightDelim: delims[1] }),
      hasFunction: (word) => !KEYWORDS.has(word) || lookup(funcs, word) !== undefined,
    });
    const walk = new Walk({ findings, funcs: { ...builtins, ...funcs } }, trees);
    for (const tree of trees.values()) walk.names(tree.root);
    checkOutput(findings, trees, name);
    walk.definition(name, type);
    return findings.sorted();
  } catch (error) {
    if (error instanceof Enough) return findings.sorted();
    if (error instanceof TemplateError)
      return [whole('syntax', error.description + hintOfBraces(source, error.line), error.line)];
    // The parser accepts ten thousand nested parentheses, which is too deep for the recursion here.
    if (error instanceof RangeError)
      return [...findings.sorted(), whole('size', 'too deep or too large to check')];
    throw error;
  }
}

/** Keywords, unless a function has the same name. */
const KEYWORDS: ReadonlySet<string> = new Set(['break', 'continue']);

/** A finding about the whole text or one line. */
function whole(rule: 'syntax' | 'size', message: string, line = 1): Finding {
  const severity = rule === 'syntax' ? 'error' : 'warning';
  return { rule, severity, message, line, column: undefined, suggestion: undefined };
}

/** The limit of nested calls of definitions. Types repeat long before. */
const DEPTH = 50;

class Walk {
  readonly #linter: Linter;
  readonly #trees: ReadonlyMap<string, Tree>;
  /** The types with which each definition was walked, so that recursion ends. */
  readonly #walked = new Map<string, Set<Type | undefined>>();
  #depth = 0;

  constructor(linter: Linter, trees: ReadonlyMap<string, Tree>) {
    this.#linter = linter;
    this.#trees = trees;
  }

  /** Reports each function and definition that does not exist. */
  names(root: ListNode): void {
    const { findings, funcs } = this.#linter;
    each(root, (node) => {
      if (node.kind === 'text') checkForeignSyntax(findings, node);
      if (node.kind === 'template' && !this.#trees.has(node.name))
        findings.add(
          'unknown-template',
          node.pos,
          `template ${JSON.stringify(node.name)} is not defined`,
          this.#nearTemplate(node),
        );
      if (node.kind !== 'identifier' || lookup(funcs, node.name) !== undefined) return;
      const entry = Object.hasOwn(funcs, node.name) ? funcs[node.name] : undefined;
      if (entry instanceof Unavailable)
        findings.add('unknown-function', node.pos, `function ${node.name} is not defined: ${entry.reason}`);
      else {
        const known = Object.keys(funcs).filter((name) => lookup(funcs, name) !== undefined);
        findings.add(
          'unknown-function',
          node.pos,
          `function ${node.name} is not defined`,
          nearest(node.name, known),
        );
      }
    });
  }

  #nearTemplate({ name }: TemplateNode): string | undefined {
    const near = nearest(name, this.#trees.keys());
    return near === undefined ? undefined : JSON.stringify(near);
  }

  definition(name: string, type: Type | undefined): void {
    const tree = this.#trees.get(name);
    const walked = this.#walked.get(name) ?? new Set();
    if (tree === undefined || walked.has(type) || this.#depth === DEPTH) return;
    this.#walked.set(name, walked.add(type));
    this.#depth++;
    this.#list(Scope.root(type), tree.root);
    this.#depth--;
  }

  /** Walks a list. Variables that it declares are not visible after it. */
  #list(scope: Scope, { nodes }: ListNode): void {
    let inside = scope;
    for (const node of nodes) inside = this.#statement(inside, node);
  }

  /** Returns the scope for the next statement: an action may declare a variable. */
  #statement(scope: Scope, node: Statement): Scope {
    switch (node.kind) {
      case 'action':
        return declare(scope, node.pipe, inferPipe(this.#linter, scope, node.pipe));
      case 'if':
      case 'with':
        this.#branch(scope, node);
        return scope;
      case 'range':
        this.#range(scope, node);
        return scope;
      case 'template':
        return this.#call(scope, node);
      default:
        return scope;
    }
  }

  #branch(scope: Scope, node: IfNode | WithNode): void {
    const known = inferPipe(this.#linter, scope, node.pipe);
    const declared = declare(scope, node.pipe, known);
    const checked = declared.checking([...facts(scope, node.pipe), ...variables(node.pipe)]);
    const here = node.kind === 'with' ? checked.withDot(known) : checked;
    this.#list(node.kind === 'with' ? here.checking([here.dot.path ?? '']) : here, node.list);
    if (node.elseList !== undefined)
      this.#list(declared.checking(facts(scope, node.pipe, false)), node.elseList);
  }

  #range(scope: Scope, node: RangeNode): void {
    const known = inferPipe(this.#linter, scope, node.pipe);
    const element = this.#element(known, node.pipe);
    let inside = scope.checking(facts(scope, node.pipe));
    const [first, second] = node.pipe.decl.map(({ idents }) => idents[0] ?? '');
    if (second !== undefined) inside = inside.withVariable(second, element);
    if (first !== undefined)
      inside = inside.withVariable(first, second === undefined ? element : index(known.type));
    this.#list(inside.withDot({ ...element, path: undefined }), node.list);
    if (node.elseList !== undefined) this.#list(scope, node.elseList);
  }

  #element({ type }: Known, pipe: PipeNode): Known {
    if (type === undefined || type.kind === 'interface') return ANYTHING;
    if (type.kind === 'slice' || type.kind === 'array' || type.kind === 'map') return { type: type.elem };
    if (T.isInteger(type.kind)) return { type };
    if (type.kind !== 'func')
      this.#linter.findings.add(
        'type',
        pipe.pos,
        `range can't iterate over ${print(pipe)}, which is of type ${type.name}`,
      );
    return ANYTHING;
  }

  #call(scope: Scope, node: TemplateNode): Scope {
    if (node.pipe === undefined) {
      this.definition(node.name, undefined);
      return scope;
    }
    const known = inferPipe(this.#linter, scope, node.pipe);
    this.definition(node.name, known.type);
    return declare(scope, node.pipe, known);
  }
}

/** The type of the first of two variables of `range`. */
function index(type: Type | undefined): Known {
  return { type: type?.kind === 'map' ? type.key : type === undefined ? undefined : T.INT };
}

const variables = (pipe: PipeNode): string[] => pipe.decl.map(({ idents }) => idents[0] ?? '');

/** Visits a node and all nodes below it. */
function each(node: Node, visit: (node: Node) => void): void {
  const waiting: Node[] = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    visit(next);
    for (const child of children(next)) waiting.push(child);
  }
}

function children(node: Node): Node[] {
  switch (node.kind) {
    case 'list':
      return [...node.nodes];
    case 'action':
      return [node.pipe];
    case 'if':
    case 'with':
    case 'range':
      return [node.pipe, node.list, ...(node.elseList === undefined ? [] : [node.elseList])];
    case 'template':
      return node.pipe === undefined ? [] : [node.pipe];
    case 'pipe':
      return [...node.cmds];
    case 'command':
      return [...node.args];
    case 'chain':
      return [node.node];
    default:
      return [];
  }
}
