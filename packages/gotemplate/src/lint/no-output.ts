import type { Statement, Tree } from '../parse/ast.ts';
import type { Findings } from './finding.ts';

/** Reports a text that has definitions, and calls none of them: Go shows only what stands outside of definitions. */
export function checkOutput(findings: Findings, trees: ReadonlyMap<string, Tree>, name: string): void {
  const [first] = [...trees.values()].filter((tree) => tree.name !== name);
  const main = trees.get(name);
  if (first === undefined || main?.root.nodes.some(showsSomething) === true) return;
  findings.add(
    'no-output',
    first.root.pos,
    `nothing is shown: all of it is in definitions; add {{ template ${JSON.stringify(first.name)} . }} at the end`,
  );
}

/** Whether a statement may show something: blanks and declarations do not. */
const showsSomething = (node: Statement): boolean =>
  node.kind === 'text' ? node.text.trim() !== '' : node.kind !== 'action' || node.pipe.decl.length === 0;
