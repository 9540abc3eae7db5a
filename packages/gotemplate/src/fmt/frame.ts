/** Frames: one for each list, map or struct that is being printed. */
import { ANY, type Type, isExported } from '../value/type.ts';
import { type GoMap, type Key, type Slice, type Struct, type Value, ofType } from '../value/value.ts';
import type { Time } from '../time/time.ts';
import type { Spec } from './spec.ts';

export interface Frame {
  /** For a map, keys and values alternate. */
  readonly items: readonly Value[];
  at: number;
  readonly kind: 'list' | 'map' | 'struct';
  readonly type: Type;
  /** Inside an unexported field, where methods are not called. */
  readonly isHidden: boolean;
}

export function listFrame({ type, items }: Slice, isHidden: boolean): Frame {
  return { items, at: 0, kind: 'list', type, isHidden };
}

export function mapFrame({ type, entries }: GoMap, keys: readonly Key[], isHidden: boolean): Frame {
  const items: Value[] = [];
  for (const key of keys) items.push(ofType(type.key ?? ANY, key), entries.get(key));
  return { items, at: 0, kind: 'map', type, isHidden };
}

export function structFrame({ type, fields }: Struct | Time, isHidden: boolean): Frame {
  return { items: fields, at: 0, kind: 'struct', type, isHidden };
}

/** The text before an item. */
export function separator({ kind, type }: Frame, at: number, spec: Spec): string {
  if (kind === 'map' && at % 2 === 1) return ':';
  const space = at === 0 ? '' : spec.sharpV ? ', ' : ' ';
  return kind === 'struct' && (spec.plusV || spec.sharpV) ? `${space}${type.fields[at]?.name ?? ''}:` : space;
}

/** The declared type of an item. */
export function staticType({ kind, type }: Frame, at: number): Type {
  const found =
    kind === 'struct' ? type.fields[at]?.type : kind === 'map' && at % 2 === 0 ? type.key : type.elem;
  return found ?? ANY;
}

export function isHiddenItem({ kind, type, isHidden }: Frame, at: number): boolean {
  return isHidden || (kind === 'struct' && !isExported(type.fields[at]?.name ?? ''));
}

export function opening({ kind }: Frame, { sharpV }: Spec, typeName: string): string {
  if (sharpV) return `${typeName}{`;
  return kind === 'map' ? 'map[' : kind === 'list' ? '[' : '{';
}

export function closing({ kind }: Frame, { sharpV }: Spec): string {
  return sharpV || kind === 'struct' ? '}' : ']';
}
