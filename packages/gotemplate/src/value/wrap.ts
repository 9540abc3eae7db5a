import { type Kind, isSigned } from './type.ts';

/** Converts to an integer kind, as Go does: keeps the lower bits. */
export function wrap(kind: Kind, value: bigint): bigint {
  const bits = BITS.get(kind) ?? 64;
  return isSigned(kind) ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
}

const BITS = new Map<Kind, number>([
  ['int8', 8],
  ['uint8', 8],
  ['int16', 16],
  ['uint16', 16],
  ['int32', 32],
  ['uint32', 32],
]);
