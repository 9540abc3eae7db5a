import type { Budget } from '../budget.ts';
import { isUnsigned } from '../value/type.ts';
import { Complex, Typed, type Value } from '../value/value.ts';
import { formatComplex, formatFloat } from './float.ts';
import { formatInteger } from './integer.ts';
import { pad } from './pad.ts';
import type { Spec } from './spec.ts';
import { formatText } from './text.ts';

/** Formats a scalar. Undefined if the verb does not apply to it. */
export function formatScalar(budget: Budget, spec: Spec, value: Value, verb: string): string | undefined {
  switch (typeof value) {
    case 'string':
      return formatText(budget, spec, value, verb);
    case 'bigint':
      return formatInteger(spec, value, true, verb);
    case 'number':
      return formatFloat(spec, value, 64, verb);
    case 'boolean':
      return verb === 'v' || verb === 't' ? pad(spec, String(value)) : undefined;
    default:
      if (value instanceof Typed) return formatTyped(budget, spec, value, verb);
      if (value instanceof Complex)
        return formatComplex(spec, value.re, value.im, value.type.kind === 'complex64' ? 32 : 64, verb);
      return undefined;
  }
}

function formatTyped(budget: Budget, spec: Spec, { type, value }: Typed, verb: string): string | undefined {
  if (typeof value === 'bigint') return formatInteger(spec, value, !isUnsigned(type.kind), verb);
  if (typeof value === 'number') return formatFloat(spec, value, type.kind === 'float32' ? 32 : 64, verb);
  return formatScalar(budget, spec, value, verb);
}
