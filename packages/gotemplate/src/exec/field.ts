/** One name of `.A.B`: a field of a struct, an element of a map, or a method. */
import type { TemplateError } from '../errors.ts';
import type { MissingKey } from '../options.ts';
import type { Node } from '../parse/ast.ts';
import { quote } from '../strconv/quote.ts';
import { ANY, STRING, type Type, isExported } from '../value/type.ts';
import { GoMap, Pointer, Struct, type Value, typeOf, zero } from '../value/value.ts';
import { where } from './expression.ts';
import { failure } from './failure.ts';
import type { Frame } from './frame.ts';
import { signatureOf } from './signature.ts';
import { type Given, callMethod, methodOf } from './method.ts';

/** The data that all names of a chain share. */
export interface Site {
  readonly node: Node;
  /** The node visited before the first name. */
  readonly last: Node | undefined;
  readonly missingKey: MissingKey;
  /** Whether the value before the first name is seen through an interface. */
  readonly seen: (frame: Frame) => boolean;
}

/** A name of a chain. It caches the index of the field in the last struct type. */
export class Step {
  readonly name: string;
  readonly #site: Site;
  /** Whether a missing map key gives no value. */
  readonly #lenient: boolean;
  #structType: Type | undefined;
  #index = 0;
  #mapType: Type | undefined;

  constructor(site: Site, name: string) {
    this.#site = site;
    this.name = name;
    this.#lenient = site.missingKey === 'default' || site.missingKey === 'invalid';
  }

  /** `step` is the name before, if any; `of` is the value before that name. */
  get(frame: Frame, value: Value, step?: Step, of?: Value): Value {
    if (value instanceof Struct && value.type === this.#structType) return value.fields[this.#index];
    if (value instanceof GoMap && value.type === this.#mapType) {
      const element = value.entries.get(this.name);
      if (element !== undefined || this.#lenient) return element;
    }
    return this.find(frame, value, undefined, step, of);
  }

  /** The same with arguments. Only methods have them. */
  find(frame: Frame, value: Value, given: Given | undefined, step?: Step, of?: Value): Value {
    const { name } = this;
    const site = this.#site;
    if (value === undefined && site.missingKey !== 'error') return undefined;
    const fail = (description: string) => failure(frame, where(frame, site.last), description);
    if (value === undefined) throw fail(`nil data; no entry for key ${quote(name)}`);
    const seen = () => (step === undefined ? site.seen(frame) : declares(of, step.name));
    const typeName = () => (seen() ? ANY : (typeOf(value) ?? ANY)).name;
    const { target, pointer } = follow(value);
    if (target === null) throw fail(`nil pointer evaluating ${typeName()}.${name}`);
    const bound = methodOf(target, pointer, name);
    if (bound !== undefined) return callMethod(frame, bound, name, site.node, site.last, given);
    if (target instanceof Pointer) {
      const { elem } = target.type;
      if (elem?.kind !== 'struct' || elem.fieldIndex(name) !== undefined)
        throw fail(`nil pointer evaluating ${typeName()}.${name}`);
    } else if (target instanceof GoMap && takesText(target.type)) {
      if (given !== undefined) throw fail(`${name} is not a method but has arguments`);
      this.#mapType = target.type;
      return this.#element(target, fail);
    } else {
      const type = typeOf(target);
      const index = type?.fieldIndex(name);
      if (type !== undefined && index !== undefined) {
        if (!isExported(name)) throw fail(`${name} is an unexported field of struct type ${typeName()}`);
        if (given !== undefined) throw fail(`${name} has arguments but cannot be invoked as function`);
        if (target instanceof Struct) {
          this.#structType = type;
          this.#index = index;
          return target.fields[index];
        }
      }
    }
    throw fail(`can't evaluate field ${name} in type ${typeName()}`);
  }

  #element({ type, entries }: GoMap, fail: (description: string) => TemplateError): Value {
    const element = entries.get(this.name);
    if (element !== undefined) return element;
    if (this.#site.missingKey === 'error') throw fail(`map has no entry for key ${quote(this.name)}`);
    return this.#site.missingKey === 'zero' ? zero(type.elem ?? ANY) : undefined;
  }
}

/** Follows pointers. If `target` is a pointer, it is nil. If it is null, a pointer to a nil interface led there. */
function follow(value: Value): { target: Exclude<Value, undefined>; pointer: Pointer | undefined } {
  let target = value ?? null;
  let pointer: Pointer | undefined;
  while (target instanceof Pointer) {
    pointer = target;
    if (target.target === undefined) break;
    target = target.target;
  }
  return { target, pointer };
}

/** Whether names can be keys of the map. A named string type is a different type. */
function takesText({ key }: Type): boolean {
  return key === STRING || key?.kind === 'interface';
}

/** Whether the declared type of the container's field, element or method result `name` is an interface. */
export function declares(container: Value, name: string): boolean {
  const { target, pointer } = follow(container);
  const bound = methodOf(target, pointer, name);
  if (bound !== undefined) return signatureOf(bound.method).results[0]?.kind === 'interface';
  const type = typeOf(target);
  const index = type?.fieldIndex(name);
  return (index === undefined ? type?.elem : type?.fields[index]?.type)?.kind === 'interface';
}
