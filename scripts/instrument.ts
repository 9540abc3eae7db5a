import ts from 'typescript';

/** What `traced` adds to a file. */
export interface Traced {
  readonly code: string;
  /** The classes of the file with state: a field that changes, or a collection. */
  readonly stateful: readonly string[];
}

/** The fields of a class in which its state is, apart from what it is given. */
const COLLECTION = /^(new (Lazy)?(Map|Set)\b|new (WeakMap|FairQueue|WorkQueue)\b|\[\])/;

/**
 * The text of a TypeScript file in which each function, also a closure, runs within `way.run(id, body)`. The id is `file#Class.method`,
 * for a closure that of its function and `(n)`. Constructors and accessors are left out: they return and are done.
 */
export function traced(file: string, text: string): Traced {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const edits: { readonly at: number; readonly text: string }[] = [];
  const stateful: string[] = [];
  const closures = new Map<string, number>();
  const visit = (node: ts.Node, scope: string): void => {
    let inner = scope;
    if (ts.isClassDeclaration(node)) {
      inner = node.name?.text ?? scope;
      if (node.members.some((member) => ts.isPropertyDeclaration(member) && isState(member)))
        stateful.push(inner);
    } else if (ts.isConstructorDeclaration(node) || ts.isAccessor(node)) inner = `${scope}.${kindOf(node)}`;
    else if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      inner = idOf(node, scope, closures);
      edits.push(...wrapped(node as Wrapped, `${file}#${inner}`));
    }
    ts.forEachChild(node, (child) => {
      visit(child, inner);
    });
  };
  visit(source, '');
  let code = text;
  for (const { at, text: added } of edits.sort((a, b) => b.at - a.at))
    code = code.slice(0, at) + added + code.slice(at);
  return { code, stateful };
}

type Wrapped = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };

const kindOf = (node: ts.Node): string => (ts.isConstructorDeclaration(node) ? 'constructor' : 'get');

function isState(field: ts.PropertyDeclaration): boolean {
  const isFixed = field.modifiers?.some(
    ({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword || kind === ts.SyntaxKind.StaticKeyword,
  );
  return isFixed !== true || COLLECTION.test(field.initializer?.getText() ?? '');
}

function idOf(node: ts.SignatureDeclaration, scope: string, closures: Map<string, number>): string {
  const { name, parent } = node;
  const own =
    name ?? (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent) ? parent.name : undefined);
  if (own !== undefined) return scope === '' ? own.getText() : `${scope}.${own.getText()}`;
  const count = (closures.get(scope) ?? 0) + 1;
  closures.set(scope, count);
  return `${scope}(${count})`;
}

/** The texts around the body of a function. */
function wrapped(node: Wrapped, id: string): { at: number; text: string }[] {
  const { body } = node;
  const isAsync = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;
  const isGenerator = 'asteriskToken' in node && node.asteriskToken !== undefined;
  // An async generator is rare, and a single one reads the answers of the API server.
  if ((isAsync && isGenerator) || (ts.isBlock(body) && body.statements.length === 0)) return [];
  const name = JSON.stringify(id);
  if (!ts.isBlock(body))
    return [
      { at: body.getStart(), text: `way.run(${name}, ${isAsync ? 'async ' : ''}() => (` },
      { at: body.getEnd(), text: '))' },
    ];
  const [open, close] = isGenerator
    ? [`return yield* way.steps(${name}, (function* () {`, '}).call(this));']
    : [`return way.run(${name}, ${isAsync ? 'async ' : ''}() => {`, '});'];
  return [
    { at: body.getStart() + 1, text: open },
    { at: body.getEnd() - 1, text: close },
  ];
}
