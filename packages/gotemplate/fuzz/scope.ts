/** The scope at a point of a generated template. */
import type { Type } from '../src/value/type.ts';
import { type Place, type Root, fieldsOf } from './data.ts';

export interface Scope {
  /** The type of dot; undefined if unknown. */
  readonly dot: Type | undefined;
  /** Dot, and its parts. */
  readonly places: readonly Place[];
  readonly variables: readonly Place[];
  readonly inRange: boolean;
  /** The definitions that can be called. */
  readonly templates: readonly string[];
}

export function rootScope(root: Root, templates: readonly string[]): Scope {
  const around = root.places.map(({ text, type }) => ({ text: `$${text}`, type }));
  return {
    dot: root.type,
    places: [...root.places, { text: '.', type: root.type }],
    variables: around.slice(0, 8),
    inRange: false,
    templates,
  };
}

/** The scope with another dot. */
export function withDot(scope: Scope, dot: Type | undefined): Scope {
  const fields = dot === undefined ? [] : fieldsOf('', dot, 1);
  return { ...scope, dot, places: [{ text: '.', type: dot }, { text: '.', type: dot }, ...fields] };
}

export function withVariable(scope: Scope, text: string, type: Type | undefined): Scope {
  return { ...scope, variables: [...scope.variables, { text, type }] };
}
