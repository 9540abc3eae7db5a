import type { Type } from '../value/type.ts';
import { formatAddress, formatInteger } from './integer.ts';
import { pad } from './pad.ts';
import type { Spec } from './spec.ts';

/** Formats an address; 0 is nil. Undefined if the verb does not apply to pointers. */
export function formatPointer(spec: Spec, type: Type, address: bigint, verb: string): string | undefined {
  switch (verb) {
    case 'v':
      if (spec.sharpV)
        return `(${type.name})(${address === 0n ? 'nil' : formatAddress(spec, address, true)})`;
      return address === 0n ? pad(spec, '<nil>') : formatAddress(spec, address, !spec.sharp);
    case 'p':
      return formatAddress(spec, address, !spec.sharp);
    case 'b':
    case 'o':
    case 'd':
    case 'x':
    case 'X':
      return formatInteger(spec, address, false, verb);
    default:
      return undefined;
  }
}
