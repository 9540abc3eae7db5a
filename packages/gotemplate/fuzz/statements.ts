/** Random templates: text, actions, branches, loops, definitions. */
import { ANY, INT, type Type } from '../src/value/type.ts';
import type { Root } from './data.ts';
import type { Expressions } from './expressions.ts';
import type { Random } from './random.ts';
import { type Scope, rootScope, withDot, withVariable } from './scope.ts';

/** The kinds of statements; weights define how often each occurs. */
export type Statement =
  | 'text'
  | 'action'
  | 'if'
  | 'with'
  | 'range'
  | 'variable'
  | 'assign'
  | 'template'
  | 'comment'
  | 'block'
  | 'leave';

const TEXT = ['x', ' ', '\n', 'text ', '}', '{ ', 'é', '-', '"', '\t', '}}', '\r\n', 'a\nb'];

export class Statements {
  readonly #random: Random;
  readonly #expressions: Expressions;
  readonly #weights: Readonly<Record<Statement, number>>;
  #variables = 0;
  #blocks = 0;

  constructor(random: Random, expressions: Expressions, weights: Readonly<Record<Statement, number>>) {
    this.#random = random;
    this.#expressions = expressions;
    this.#weights = weights;
  }

  template(root: Root): string {
    const random = this.#random;
    const names = this.#weights.template > 0 ? random.times(0, 2, (i) => `t${i}`) : [];
    // A definition calls only earlier ones, so there is no endless recursion.
    const definitions = names.map((name, i) => {
      const scope = { ...rootScope(root, names.slice(0, i)), ...(random.chance(0.5) && { variables: [] }) };
      return `${this.#open(`define ${JSON.stringify(name)}`)}${this.#list(withDot(scope, undefined), 1)}${this.#open('end')}`;
    });
    return definitions.join('') + this.#list(rootScope(root, names), 2, 4);
  }

  #list(scope: Scope, depth: number, most = 3): string {
    let text = '';
    let here = scope;
    for (let i = this.#random.int(1, most); i > 0; i--) {
      const [statement, after] = this.#statement(here, depth);
      text += statement;
      here = after;
    }
    return text;
  }

  #statement(scope: Scope, depth: number): readonly [string, Scope] {
    const random = this.#random;
    const weights = depth > 0 ? this.#weights : { ...this.#weights, if: 0, with: 0, range: 0, block: 0 };
    const kind = random.weighted({ ...weights, leave: scope.inRange ? weights.leave : weights.leave / 200 });
    switch (kind) {
      case 'text':
        return [random.pick(TEXT), scope];
      case 'comment':
        return [random.pick(['{{/* c */}}', '{{- /* c\n */ -}}', '{{/**/}}']), scope];
      case 'action':
        return [this.#open(this.#expressions.pipeline(scope)), scope];
      case 'variable':
        return this.#declare(scope);
      case 'assign':
        return [this.#assign(scope), scope];
      case 'if':
        return [this.#branch('if', scope, scope, depth), scope];
      case 'with':
        return [this.#with(scope, depth), scope];
      case 'range':
        return [this.#range(scope, depth), scope];
      case 'template':
        return [this.#call(scope), scope];
      case 'block': {
        const name = JSON.stringify(`b${this.#blocks++}`);
        const inside = this.#list({ ...withDot(scope, undefined), variables: [], inRange: false }, depth - 1);
        return [
          this.#open(`block ${name} ${this.#expressions.pipeline(scope)}`) + inside + this.#open('end'),
          scope,
        ];
      }
      case 'leave':
        return [this.#open(random.pick(['break', 'continue'])), scope];
    }
  }

  #declare(scope: Scope): readonly [string, Scope] {
    const name = this.#variable();
    return [
      this.#open(`${name} := ${this.#expressions.pipeline(scope)}`),
      withVariable(scope, name, undefined),
    ];
  }

  #assign(scope: Scope): string {
    const own = scope.variables.filter(({ text }) => /^\$\w+$/.test(text));
    if (own.length === 0) return '';
    return this.#open(`${this.#random.pick(own).text} = ${this.#expressions.pipeline(scope)}`);
  }

  #call(scope: Scope): string {
    const random = this.#random;
    const name =
      scope.templates.length === 0 || random.chance(0.02) ? undefined : random.pick(scope.templates);
    if (name === undefined && !random.chance(0.1)) return '';
    const data = random.chance(0.8) ? ` ${this.#expressions.pipeline(scope)}` : '';
    return this.#open(`template ${JSON.stringify(name ?? 'nope')}${data}`);
  }

  #with(scope: Scope, depth: number): string {
    const random = this.#random;
    if (random.chance(0.4)) return this.#branch('with', scope, withDot(scope, undefined), depth);
    const { text, type } = random.pick(scope.places);
    return this.#open(`with ${text}`) + this.#list(withDot(scope, type), depth - 1) + this.#open('end');
  }

  #branch(word: 'if' | 'with', scope: Scope, inside: Scope, depth: number): string {
    const random = this.#random;
    const [head, inner] = this.#head(scope, inside);
    const other = random.weighted({ none: 4, else: 4, chain: 1 });
    let tail = '';
    if (other === 'else') tail = this.#open('else') + this.#list(scope, depth - 1);
    if (other === 'chain')
      tail = this.#open(`else ${word} ${this.#expressions.pipeline(scope)}`) + this.#list(inside, depth - 1);
    return this.#open(`${word} ${head}`) + this.#list(inner, depth - 1) + tail + this.#open('end');
  }

  /** A pipeline, with or without a declaration. */
  #head(scope: Scope, inside: Scope): readonly [string, Scope] {
    const pipeline = this.#expressions.pipeline(scope, this.#random.chance(0.3) ? 'bool' : 'any');
    if (!this.#random.chance(0.15)) return [pipeline, inside];
    const name = this.#variable();
    return [`${name} := ${pipeline}`, withVariable(inside, name, undefined)];
  }

  #range(scope: Scope, depth: number): string {
    const random = this.#random;
    const [over, elem] = this.#iterable(scope);
    let inside: Scope = { ...withDot(scope, elem), inRange: true };
    const names = random.chance(0.4) ? random.times(1, 2, () => this.#variable()) : [];
    names.forEach((name, i) => {
      inside = withVariable(inside, name, names.length === 2 && i === 0 ? INT : elem);
    });
    const declaration = names.length > 0 ? `${names.join(random.pick([', ', ',']))} := ` : '';
    const tail = random.chance(0.3) ? this.#open('else') + this.#list(scope, depth - 1) : '';
    return (
      this.#open(`range ${declaration}${over}`) + this.#list(inside, depth - 1) + tail + this.#open('end')
    );
  }

  #iterable(scope: Scope): readonly [string, Type | undefined] {
    const random = this.#random;
    const places = [...scope.places, ...scope.variables].filter(
      ({ type }) => type?.kind === 'slice' || type?.kind === 'map',
    );
    switch (random.weighted({ place: places.length > 0 ? 6 : 0, list: 3, number: 1, any: 0.3 })) {
      case 'place': {
        const { text, type } = random.pick(places);
        return [text, type?.elem === ANY ? undefined : type?.elem];
      }
      case 'list':
        return [this.#expressions.pipeline(scope, 'list'), undefined];
      case 'number':
        return [String(random.int(-1, 4)), INT];
      case 'any':
        // Not a number: one from the data can be huge.
        return [random.pick(['nil', '.missing', '"text"', '1.5', 'true', '.nil']), undefined];
    }
  }

  #variable(): string {
    return `$v${this.#variables++}`;
  }

  #open(text: string): string {
    const random = this.#random;
    if (random.chance(0.8)) return `{{${text}}}`;
    // A space follows each minus sign: `-5` would be a negative number.
    return random.pick([
      `{{ ${text} }}`,
      `{{- ${text} -}}`,
      `{{- ${text} }}`,
      `{{${text} -}}`,
      `{{\n${text}\n}}`,
    ]);
  }
}
