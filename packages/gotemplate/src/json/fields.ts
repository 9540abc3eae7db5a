/** The fields of a struct that JSON shows, and their names. */
import { isTrue } from '../exec/truth.ts';
import { type Field, type Type, isExported } from '../value/type.ts';
import { type Struct, type Value, Complex, Func } from '../value/value.ts';

interface Shown {
  readonly field: Field;
  readonly index: number;
  readonly name: string;
  /** Whether the field has a name for JSON. */
  readonly tagged: boolean;
}

/** The members of a JSON object. */
export interface Members {
  readonly names: readonly string[];
  readonly values: readonly Value[];
}

/** The fields of a struct that JSON shows, in order. */
export function membersOf({ type, fields }: Struct): Members {
  const names: string[] = [];
  const values: Value[] = [];
  for (const { field, index, name } of shownFields(type)) {
    const value = fields[index];
    if (field.omitEmpty === true && isEmpty(value, field.type)) continue;
    names.push(name);
    // A nil function is null, which has no type. A Func makes the encoder refuse it.
    values.push(value ?? nilOf(field.type));
  }
  return { names, values };
}

function nilOf(type: Type): Value {
  return type.kind === 'func' ? new Func(type, false, () => null) : null;
}

/** Whether `omitempty` omits the value. It never omits structs, functions, complex numbers and values in interfaces. */
function isEmpty(value: Value, { kind }: Type): boolean {
  if (kind === 'interface') return value == null;
  return kind !== 'func' && !(value instanceof Complex) && !isTrue(value);
}

const cache = new WeakMap<Type, readonly Shown[]>();

function shownFields(type: Type): readonly Shown[] {
  let shown = cache.get(type);
  if (shown === undefined) cache.set(type, (shown = findShownFields(type)));
  return shown;
}

/** A valid name for JSON. A field with an invalid one uses its own name. */
const NAME = /^[\p{L}\p{Nd}!#$%&()*+\-./:;<=>?@[\]^_{|}~ ]+$/u;

function findShownFields({ fields }: Type): readonly Shown[] {
  const exported = fields
    .map((field, index): Shown => {
      const tag = field.json !== undefined && NAME.test(field.json) ? field.json : undefined;
      return { field, index, name: tag ?? field.name, tagged: tag !== undefined };
    })
    .filter(({ field }) => isExported(field.name) && field.json !== '-');
  return exported.filter((each) => isVisible(each, exported));
}

/** Fields with the same name hide each other, unless exactly one of them is tagged. */
function isVisible(one: Shown, all: readonly Shown[]): boolean {
  return !all.some((other) => other !== one && other.name === one.name && (other.tagged || !one.tagged));
}
