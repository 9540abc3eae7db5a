import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** The folders of a package, highest first: an import goes downwards only. */
const FOLDERS: Record<string, readonly string[]> = {
  hnotif: [
    'cli',
    'explain',
    'controller',
    'status',
    'journal',
    'cluster',
    'dispatch',
    'template-pool',
    'transport',
    'observe',
  ],
  core: [
    'page',
    'rehearsal',
    'sinks',
    'render',
    'routing',
    'lifecycle',
    'resources',
    'requests',
    'redaction',
    'fair',
  ],
};

/** What each package may import of the workspace's others, and which of its files may. */
const MAY_IMPORT: Record<string, Record<string, RegExp>> = {
  hnotif: {
    '@hnotif/core': /./,
    '@hnotif/gotemplate': /./,
    '@hnotif/devcluster': /^(src\/cli\/dev|e2e)\//,
    '@hnotif/helm': /^e2e\//,
    '@hnotif/judges': /./,
    '@hnotif/receivers': /^(src\/cli\/dev|e2e)\//,
    '@hnotif/receivers/view': /^src\/cli\/(dev|ui)\//,
  },
  core: { '@hnotif/gotemplate': /./, '@hnotif/judges': /./, '@hnotif/receivers/view': /^src\/page\// },
  gotemplate: {},
  devcluster: {},
  helm: { '@hnotif/gotemplate': /./ },
  judges: {},
  lab: {
    '@hnotif/core': /./,
    '@hnotif/devcluster': /./,
    '@hnotif/gotemplate': /./,
    '@hnotif/judges': /^src\/scenarios\/fuzz\//,
    '@hnotif/receivers': /./,
  },
  receivers: { '@hnotif/judges': /./ },
  ui: {
    '@hnotif/core': /./,
    '@hnotif/gotemplate': /./,
    '@hnotif/gotemplate/zones': /^src\/editor\/browser\//,
    '@hnotif/judges': /./,
    '@hnotif/receivers/view': /./,
  },
};

/** A package of whose entries each may be imported where the package may be. */
const ENTRIES = /^(@hnotif\/(?:core|judges))\/[a-z-]+$/;

/** Where a package's imports may leave it: the laboratory tests and measures inner parts of all packages. */
const MAY_LEAVE: Record<string, RegExp> = { lab: /^\.\.\/(core|devcluster|hnotif|receivers|ui\/test)\// };

/** From a file to one that it imports, below `packages`. */
type Edge = [from: string, to: string];

/** Imports of types that close a circle, because the data itself is recursive. */
const RECURSIVE: Edge[] = [
  // A stream refers to its log and its queue, which have their streams; an entry to its log and to its streams.
  ['hnotif/src/dispatch/stream.ts', 'hnotif/src/dispatch/plan-log.ts'],
  ['hnotif/src/dispatch/stream.ts', 'hnotif/src/dispatch/sink-queue.ts'],
  ['hnotif/src/dispatch/log-entry.ts', 'hnotif/src/dispatch/plan-log.ts'],
  ['hnotif/src/dispatch/log-entry.ts', 'hnotif/src/dispatch/stream.ts'],
  // A type has methods, which are functions with a type. A function and a time are values, and a function takes values.
  ['gotemplate/src/value/func.ts', 'gotemplate/src/value/value.ts'],
  ['gotemplate/src/value/type.ts', 'gotemplate/src/value/func.ts'],
  ['gotemplate/src/value/value.ts', 'gotemplate/src/time/time.ts'],
  // A time has methods, which take times.
  ['gotemplate/src/time/binary.ts', 'gotemplate/src/time/time.ts'],
  ['gotemplate/src/time/format.ts', 'gotemplate/src/time/time.ts'],
  ['gotemplate/src/time/methods.ts', 'gotemplate/src/time/time.ts'],
  ['gotemplate/src/time/rfc3339.ts', 'gotemplate/src/time/time.ts'],
  // The steps of a definition run in a frame, which has the definition and the next step.
  ['gotemplate/src/exec/frame.ts', 'gotemplate/src/exec/op.ts'],
  ['gotemplate/src/exec/program.ts', 'gotemplate/src/exec/op.ts'],
];

const root = join(import.meta.dirname, '..');

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](node_modules|dist)[\\/]/.test(file));
}

interface Import {
  target: string;
  /** Whether nothing is left of it at run time. */
  typeOnly: boolean;
}

/** The imports of all files below `packages`, by path. Each file is parsed once. */
const IMPORTS = readImports(join(root, 'packages'));

async function readImports(folder: string): Promise<ReadonlyMap<string, readonly Import[]>> {
  const all = new Map<string, readonly Import[]>();
  for (const file of await sources(folder)) all.set(file, importsOf(await readFile(file, 'utf8')));
  return all;
}

/** Every module a file names in an import, an export, a dynamic import or the type of one. */
function importsOf(text: string): Import[] {
  const found: Import[] = [];
  const add = (module: ts.Node | undefined, typeOnly: boolean) => {
    if (module && ts.isStringLiteral(module)) found.push({ target: module.text, typeOnly });
  };
  // The other imports are statements of the file itself.
  const isDynamic = /\bimport\s*\(/.test(text);
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node));
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    if (isDynamic || ts.isSourceFile(node)) ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('file.tsx', text, ts.ScriptTarget.Latest));
  return found;
}

function isTypeOnly(clause: ts.ImportClause | ts.ExportDeclaration | undefined): boolean {
  if (!clause || clause.isTypeOnly) return clause !== undefined;
  if (ts.isImportClause(clause) && clause.name) return false;
  const names = ts.isImportClause(clause) ? clause.namedBindings : clause.exportClause;
  if (!names || !('elements' in names)) return false;
  return names.elements.length > 0 && names.elements.every((name) => name.isTypeOnly);
}

async function violations(packageName: string): Promise<string[]> {
  const home = join(root, 'packages', packageName);
  const found: string[] = [];
  for (const [file, imports] of await IMPORTS) {
    if (!file.startsWith(home + sep)) continue;
    const path = relative(home, file).split(sep).join('/');
    const isTest = /\.test\.ts$|^(e2e|test)\/|\/testing\//.test(path);
    for (const { target } of imports) {
      const complain = (why: string) => found.push(`${packageName}/${path} imports '${target}': ${why}`);
      if (/^(@hnotif\/|hnotif)/.test(target)) {
        const name = ENTRIES.exec(target)?.[1] ?? target;
        if (MAY_IMPORT[packageName]?.[name]?.test(path) !== true) complain('not allowed here');
      } else if (target.startsWith('.')) {
        const to = relative(home, join(dirname(file), target))
          .split(sep)
          .join('/');
        if (to.startsWith('..')) {
          if (!isTest && MAY_LEAVE[packageName]?.test(to) !== true) complain('leaves its package');
          continue;
        }
        const [from, into] = [folderOf(path), folderOf(to)];
        if (to.includes('/testing/') && !isTest) complain('test helpers are for tests');
        if (!isTest && isAbove(packageName, into, from)) complain(`${into} is above ${from}`);
        if (
          packageName === 'hnotif' &&
          into === 'cli/dev' &&
          from !== 'cli/dev' &&
          path !== 'src/cli/lazy-dev.ts'
        )
          complain('cli/dev is loaded by the command line alone, lazily');
      }
    }
  }
  return found;
}

/** What each file imports, by paths below `packages`. */
type Graph = Map<string, string[]>;

async function graphs(): Promise<{ runTime: Graph; withTypes: Graph }> {
  const home = join(root, 'packages');
  const pathOf = (file: string) => relative(home, file).split(sep).join('/');
  const runTime: Graph = new Map();
  const withTypes: Graph = new Map();
  for (const [file, all] of await IMPORTS) {
    const imports = all.filter(({ target }) => target.startsWith('.'));
    const paths = (some: readonly Import[]) => some.map(({ target }) => pathOf(join(dirname(file), target)));
    withTypes.set(pathOf(file), paths(imports));
    runTime.set(pathOf(file), paths(imports.filter(({ typeOnly }) => !typeOnly)));
  }
  return { runTime, withTypes };
}

const GRAPHS = graphs();

/** Each set of files that import one another, as one text: every file with the others that it imports. (Tarjan 1972) */
function circlesOf(graph: Graph): string[] {
  const circles: string[] = [];
  const order = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    open.push(file);
    let lowest = index;
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (open.includes(next)) lowest = Math.min(lowest, order.get(next) ?? index);
    }
    if (lowest === index) {
      const members = open.splice(open.indexOf(file));
      const within = (member: string) => [...new Set(graph.get(member))].filter((to) => members.includes(to));
      if (within(file).length > 0)
        circles.push(members.map((member) => `${member} → ${within(member).join(', ')}`).join('\n'));
    }
    return lowest;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}

/** The graph without some of its imports. */
function without(graph: Graph, cuts: Edge[]): Graph {
  const isCut = (from: string, to: string) => cuts.some((cut) => cut[0] === from && cut[1] === to);
  return new Map([...graph].map(([file, next]) => [file, next.filter((to) => !isCut(file, to))]));
}

/** The folder of a file; `src` for those that belong to all folders. */
function folderOf(path: string): string {
  if (path.startsWith('src/cli/dev/')) return 'cli/dev';
  return /^src\/(?:([^/]+)\/)?/.exec(path)?.[1] ?? 'src';
}

/** Whether an import from `folder` into `other` goes upwards. What belongs to all folders lies below all of them. */
function isAbove(packageName: string, other: string, folder: string): boolean {
  const folders = FOLDERS[packageName] ?? [];
  const depth = (name: string) => ({ 'cli/dev': 0, src: folders.length })[name] ?? folders.indexOf(name);
  return depth(other) >= 0 && depth(other) < depth(folder);
}

describe('the import rules', () => {
  it.each(Object.keys(MAY_IMPORT))('hold in packages/%s', async (packageName) => {
    expect(await violations(packageName)).toEqual([]);
  });

  it('leave no circle of files at run time', async () => {
    expect(circlesOf((await GRAPHS).runTime)).toEqual([]);
  });

  it('allow a circle of types only where the data is recursive', async () => {
    const { withTypes } = await GRAPHS;
    expect(circlesOf(without(withTypes, RECURSIVE))).toEqual([]);
    const allBut = (one: Edge) => RECURSIVE.filter((edge) => edge !== one);
    const needless = RECURSIVE.filter((one) => circlesOf(without(withTypes, allBut(one))).length === 0);
    expect(needless, 'may be taken from the list').toEqual([]);
  });

  it('know every package and every folder that is there', async () => {
    const packages = await readdir(join(root, 'packages'));
    expect(packages.sort()).toEqual(Object.keys(MAY_IMPORT).sort());
    for (const [packageName, known] of Object.entries(FOLDERS)) {
      const entries = await readdir(join(root, 'packages', packageName, 'src'), { withFileTypes: true });
      const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
      expect(names.sort()).toEqual([...known, 'testing'].sort());
    }
  });

  it('are seen to be broken when they are', () => {
    const text = `import { a, type A } from './a.ts';
      export * from '../b.ts';
      import './c.ts';
      const d = (await import("./d.ts")).d;
      const e = [import('./e.ts'), typeof import('./f.ts')];
      let g: (import('./g.ts').G)[] = Array.from('./not.ts');
      import type { H } from './h.ts';
      export { type I } from './i.ts';`;
    const imports = importsOf(text);
    const runTime = ['./a.ts', '../b.ts', './c.ts', './d.ts', './e.ts', './f.ts'];
    expect(imports.filter(({ typeOnly }) => !typeOnly).map(({ target }) => target)).toEqual(runTime);
    const types = ['./g.ts', './h.ts', './i.ts'];
    expect(imports.filter(({ typeOnly }) => typeOnly).map(({ target }) => target)).toEqual(types);
    const graph: Graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['a', 'd']],
      ['d', []],
    ]);
    expect(circlesOf(graph)).toEqual(['a → b\nb → c\nc → a']);
    expect(circlesOf(without(graph, [['c', 'a']]))).toEqual([]);
    expect(isAbove('hnotif', 'controller', 'dispatch')).toBe(true);
    expect(isAbove('core', folderOf('src/fair/share.ts'), folderOf('src/clock.ts'))).toBe(true);
    expect(isAbove('core', folderOf('src/clock.ts'), folderOf('src/fair/share.ts'))).toBe(false);
    expect(isAbove('hnotif', 'dispatch', 'controller')).toBe(false);
  });
});
