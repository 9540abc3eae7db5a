/** Compares calls with signatures: the number of arguments, and their types if they are known. */
import type { Operand } from '../parse/ast.ts';
import { print } from '../parse/print.ts';
import type { Func } from '../value/func.ts';
import * as T from '../value/type.ts';
import type { Type } from '../value/type.ts';
import type { Findings } from './finding.ts';
import { checkConstant } from './constants.ts';
import type { Argument } from './linter.ts';
import { ANYTHING, type Known } from './scope.ts';

/** @param bound how many parameters are already bound: 1 for a method, its receiver. */
export function checkCall(
  findings: Findings,
  name: string,
  func: Func,
  pos: number,
  args: readonly Argument[],
  bound: 0 | 1,
): Known {
  const signature = func.type.signature;
  if (signature === undefined) return ANYTHING;
  const params = signature.params.slice(bound);
  const fixed = signature.variadic ? params.length - 1 : params.length;
  if (args.length < fixed || (!signature.variadic && args.length > fixed)) {
    const wanted = `${signature.variadic ? 'at least ' : ''}${fixed}`;
    findings.add(
      'type',
      pos,
      `${name} wants ${wanted} ${fixed === 1 ? 'argument' : 'arguments'}, not ${args.length}`,
    );
  } else
    args.forEach((arg, i) => {
      const param = i < fixed ? params[i] : params.at(-1)?.elem;
      if (param !== undefined && !accepts(param, arg))
        findings.add('type', arg.pos, refusal(name, param, arg));
      const meaning = func.means[i];
      if (meaning !== undefined) checkConstant(findings, meaning, arg);
    });
  return result(signature.results[0]);
}

function result(type: Type | undefined): Known {
  return type === undefined || type.kind === 'interface' || type === T.REFLECT_VALUE ? ANYTHING : { type };
}

function refusal(name: string, param: Type, { known, node }: Argument): string {
  const what = node === undefined ? 'the piped value' : print(node);
  const found = node !== undefined && isLiteral(node) ? '' : ` is of type ${known.type?.name ?? ''}`;
  const remedy =
    param === T.INT && known.type !== undefined && T.isInteger(known.type.kind) ? ' (convert it: int)' : '';
  return found === ''
    ? `${name} wants ${param.name}, not ${what}`
    : `${name} wants ${param.name}, but ${what}${found}${remedy}`;
}

const isLiteral = (node: Operand): boolean =>
  node.kind === 'number' || node.kind === 'string' || node.kind === 'bool' || node.kind === 'nil';

function accepts(param: Type, { known, node }: Argument): boolean {
  if (param.kind === 'interface' || param === T.REFLECT_VALUE) return true;
  if (node !== undefined && isLiteral(node)) return acceptsLiteral(param, node);
  const { type } = known;
  return type === undefined || type.kind === 'interface' || type === param || type.elem === param;
}

/** A literal adopts the type of the parameter, if it can. */
function acceptsLiteral(param: Type, node: Operand): boolean {
  switch (node.kind) {
    case 'string':
      return param.kind === 'string';
    case 'bool':
      return param.kind === 'bool';
    case 'number':
      if (T.isSigned(param.kind)) return node.int !== undefined;
      if (T.isUnsigned(param.kind)) return node.uint !== undefined;
      return T.isFloat(param.kind) ? node.float !== undefined : param.kind.startsWith('complex');
    default:
      return ['ptr', 'map', 'slice', 'func'].includes(param.kind);
  }
}
