/** Which fields of a struct JSON shows, and how it calls them. */
import { isTrue } from '../exec/truth.ts';
import { type Field, type Type, isExported } from '../value/type.ts';
import { type Struct, type Value, Complex, Func } from '../value/value.ts';

interface Shown {
  readonly field: Field;
  readonly index: number;
  readonly name: string;
  /** Whether the name was given for JSON. */
  readonly tagged: boolean;
}

/** What becomes a JSON object. */
export interface Members {
  readonly names: readonly string[];
  readonly values: readonly Value[];
}

/** The fields that JSON shows of a struct, in order. */
export function membersOf({ type, fields }: Struct): Members {
  const names: string[] = [];
  const values: Value[] = [];
  for (const { field, index, name } of shownFields(type)) {
    const value = fields[index];
    if (field.omitEmpty === true && isEmpty(value, field.type)) continue;
    names.push(name);
    // A nil function has no type of its own to be refused by.
    values.push(value ?? unsaid(field.type));
  }
  return { names, values };
}

function unsaid(type: Type): Value {
  return type.kind === 'func' ? new Func(type, false, () => null) : null;
}

/** Whether `omitempty` leaves the value out: it never does a struct, a function, a complex number or what an interface holds. */
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

/** What may be a name in JSON; a field with another goes by its own. */
const NAME = /^[\p{L}\p{Nd}!#$%&()*+\-./:;<=>?@[\]^_{|}~ ]+$/u;

function findShownFields({ fields }: Type): readonly Shown[] {
  const exported = fields
    .map((field, index): Shown => {
      const tag = field.json !== undefined && NAME.test(field.json) ? field.json : undefined;
      return { field, index, name: tag ?? field.name, tagged: tag !== undefined };
    })
    .filter(({ field }) => isExported(field.name) && field.json !== '-');
  return exported.filter((each) => prevails(each, exported));
}

/** Fields that share a name hide each other, but for one that alone was given it. */
function prevails(one: Shown, all: readonly Shown[]): boolean {
  return !all.some((other) => other !== one && other.name === one.name && (other.tagged || !one.tagged));
}
