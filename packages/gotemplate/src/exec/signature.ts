import type { Func } from '../value/func.ts';
import { ERROR, type Signature } from '../value/type.ts';

export function signatureOf({ type }: Func): Signature {
  if (type.signature === undefined) throw new TypeError(`a function of type ${type.name}`);
  return type.signature;
}

/** Go's message if a template cannot use the function because of its results. */
export function badResults(name: string, { results }: Signature): string | undefined {
  if (results.length === 1) return undefined;
  if (results.length !== 2) return `function ${name} has ${results.length} return values; should be 1 or 2`;
  const second = results[1];
  return second === ERROR
    ? undefined
    : `invalid function signature for ${name}: second return value should be error; is ${second?.name}`;
}
