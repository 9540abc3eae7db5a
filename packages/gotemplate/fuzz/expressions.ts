/** Random expressions: mostly of the wanted type, sometimes of another one. */
import type { Func } from '../src/value/func.ts';
import { ANY, type Type } from '../src/value/type.ts';
import { type Place, fieldsOf } from './data.ts';
import { type Hint, UNSTABLE, hintsFor } from './hints.ts';
import { goString, literal } from './literals.ts';
import type { Random } from './random.ts';
import type { Scope } from './scope.ts';
import type { Vocabulary } from './vocabulary.ts';
import { type Want, fits, wantFor } from './wants.ts';

const TEXTS: readonly Want[] = ['plain', 'plain', 'plain', 'key', 'numeral', 'json', 'date', 'path'];
const KINDS: readonly Want[] = [
  'plain',
  'plain',
  'int',
  'number',
  'float',
  'bool',
  'list',
  'dict',
  'time',
  'any',
];

/** The preferences: how many mistakes, which functions. */
export interface Taste {
  readonly vocabulary: Vocabulary;
  /** Functions that are chosen more often than others. */
  readonly favourites: readonly string[];
  /** The probability that an argument has the wrong type, is missing, or is one too many. */
  readonly mistakes: number;
}

export class Expressions {
  readonly #random: Random;
  readonly #taste: Taste;

  constructor(random: Random, taste: Taste) {
    this.#random = random;
    this.#taste = taste;
  }

  /** A pipeline without declarations. */
  pipeline(scope: Scope, want: Want = 'any', depth = 3): string {
    const random = this.#random;
    if (random.chance(0.55) || want !== 'any') {
      const call = this.#call(scope, want, depth);
      if (call !== undefined && random.chance(0.8)) return this.#piped(call);
    }
    return this.operand(scope, want, depth);
  }

  /** An operand: anything that can be an argument. */
  operand(scope: Scope, want: Want, depth: number): string {
    const random = this.#random;
    const any = want === 'any' ? random.pick(random.chance(0.7) ? KINDS : TEXTS) : want;
    const kind = any === 'sized' ? random.pick(['list', 'dict', 'plain'] as const) : any;
    switch (random.weighted({ place: 4, literal: 3, call: depth > 0 ? 3 : 0, method: depth > 0 ? 0.5 : 0 })) {
      case 'place': {
        const place = this.#place(scope, kind);
        return place ?? this.#literal(scope, kind, depth);
      }
      case 'literal':
        return this.#literal(scope, kind, depth);
      case 'call': {
        const call = this.#call(scope, kind, depth);
        if (call === undefined) return this.#literal(scope, kind, depth);
        return `(${this.#piped(call)})${random.chance(0.04) ? random.pick(['.a', '.Name', '.x.y', '.Major', '.String']) : ''}`;
      }
      case 'method':
        return this.#method(scope, depth) ?? this.#literal(scope, kind, depth);
    }
  }

  #place(scope: Scope, want: Want): string | undefined {
    const random = this.#random;
    const all = random.chance(0.3) && scope.variables.length > 0 ? scope.variables : scope.places;
    const fitting = all.filter(({ type }) => (type === undefined ? random.chance(0.3) : fits(want, type)));
    if (fitting.length === 0) return undefined;
    const place = random.pick(fitting);
    return random.chance(0.05) ? this.#deeper(place) : place.text;
  }

  /** A field of a place; it may not exist. */
  #deeper({ text, type }: Place): string {
    const random = this.#random;
    const prefix = text === '.' ? '' : text;
    const known = type === undefined ? [] : fieldsOf(prefix, type, 1);
    if (known.length > 0 && random.chance(0.7)) return random.pick(known).text;
    return (
      prefix +
      random.pick(['.a', '.name', '.Name', '.Nope', '.s.x', '.hidden', '.Next.Name', '.String', '.é', '._x'])
    );
  }

  #method(scope: Scope, depth: number): string | undefined {
    const random = this.#random;
    const owners = [...scope.places, ...scope.variables].filter(
      ({ text, type }) => text !== '.' && type !== undefined && methodsOf(type).length > 0,
    );
    if (owners.length === 0) return undefined;
    const { text, type } = random.pick(owners);
    const [name, func] = random.pick(type === undefined ? [] : methodsOf(type));
    const args = this.#fromSignature(func, 1).map((hint) => this.#argument(scope, hint, depth - 1));
    return args.length === 0 && random.chance(0.9)
      ? `${text}.${name}`
      : `(${[`${text}.${name}`, ...args].join(' ')})`;
  }

  #literal(scope: Scope, want: Want, depth: number): string {
    const inside = (): string => this.operand(scope, 'any', depth - 2);
    return literal(this.#random, this.#taste.vocabulary, want, inside);
  }

  /** The words of a call: the function and its arguments. */
  #call(scope: Scope, want: Want, depth: number): readonly string[] | undefined {
    const random = this.#random;
    const { vocabulary, favourites } = this.#taste;
    const fitting =
      favourites.length > 0 && (want === 'any' || random.chance(0.5))
        ? favourites
        : vocabulary.giving((type) => fits(want, type));
    if (fitting.length === 0) return undefined;
    const name = random.pick(fitting);
    const func = vocabulary.find(name);
    if (func === undefined) return undefined;
    const words = [name, ...this.#arguments(scope, name, func, depth - 1)];
    const stable = Object.hasOwn(UNSTABLE, name) ? UNSTABLE[name] : undefined;
    return stable === undefined ? words : [stable(words.join(' '))];
  }

  #arguments(scope: Scope, name: string, func: Func, depth: number): string[] {
    const random = this.#random;
    const alternatives = hintsFor(name);
    const hints = alternatives === undefined ? this.#fromSignature(func, 0) : random.pick(alternatives);
    const args = hints.flatMap((hint) =>
      hint.repeated
        ? random.times(0, 3, () => this.#argument(scope, hint, depth))
        : [this.#argument(scope, hint, depth)],
    );
    if (random.chance(this.#taste.mistakes / 3)) args.pop();
    if (random.chance(this.#taste.mistakes / 4)) args.push(this.operand(scope, 'any', depth));
    return args;
  }

  #argument(scope: Scope, hint: Hint, depth: number): string {
    if (hint.text !== undefined) return goString(hint.text);
    const want = this.#random.chance(this.#taste.mistakes) ? 'any' : hint.want;
    return this.operand(scope, want, depth);
  }

  #fromSignature(func: Func, skip: number): Hint[] {
    const { params = [], variadic = false } = func.type.signature ?? {};
    return params.slice(skip).flatMap((type, i) => {
      const repeated = variadic && i === params.length - skip - 1;
      const hint = { want: wantFor(repeated ? (type.elem ?? ANY) : type), repeated: false };
      return repeated ? this.#random.times(0, 3, () => hint) : [hint];
    });
  }

  /** The call, with its last argument maybe piped into it. */
  #piped([name = '', ...args]: readonly string[]): string {
    const random = this.#random;
    const last = args.at(-1);
    if (last === undefined || !random.chance(0.3))
      return [name, ...args].join(random.chance(0.03) ? '  ' : ' ');
    const bare =
      last.startsWith('(') && last.endsWith(')') && random.chance(0.3) && isOneGroup(last)
        ? last.slice(1, -1)
        : last;
    const call = [name, ...args.slice(0, -1)].join(' ');
    return `${bare}${random.pick([' | ', '|', ' |', '\n| '])}${call}`;
  }
}

function isOneGroup(text: string): boolean {
  if (/["`']/.test(text)) return false;
  let depth = 0;
  for (let i = 0; i < text.length - 1; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')' && --depth === 0) return false;
  }
  return true;
}

function methodsOf(type: Type): readonly (readonly [string, Func])[] {
  return [...type.methods, ...(type.elem?.methods ?? []), ...(type.elem?.pointerMethods ?? [])];
}
