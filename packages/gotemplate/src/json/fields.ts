/** Which fields of a struct JSON shows, and how it calls them. */
import { isTrue } from '../exec/truth.ts';
import type { Field, Type } from '../value/type.ts';
import { type Struct, type Value, Complex, Func } from '../value/value.ts';
import { encodeString } from './string.ts';

interface Shown {
  readonly field: Field;
  readonly index: number;
  /** The name in quotes. */
  readonly label: string;
  /** The same with HTML's characters escaped. */
  readonly labelInHTML: string;
}

export interface Members {
  readonly labels: readonly string[];
  readonly values: readonly Value[];
}

/** The fields that JSON shows of a struct, in order: their names in quotes and their values. */
export function membersOf(struct: Struct, escapeHTML: boolean): Members {
  const shown = shownFields(struct.type).filter(
    ({ field, index }) => field.omitEmpty !== true || !isEmpty(struct.fields[index], field.type),
  );
  return {
    labels: shown.map((each) => (escapeHTML ? each.labelInHTML : each.label)),
    // A nil function has no type of its own to be refused by.
    values: shown.map(({ index, field }) => struct.fields[index] ?? unsaid(field.type)),
  };
}

function unsaid(type: Type): Value {
  return type.kind === 'func' ? new Func(type, false, () => null) : null;
}

/** Whether `omitempty` leaves the value out: it never does a struct, a function or a complex number. */
function isEmpty(value: Value, type: Type): boolean {
  return type.kind !== 'func' && !(value instanceof Complex) && !isTrue(value);
}

const cache = new WeakMap<Type, readonly Shown[]>();

function shownFields(type: Type): readonly Shown[] {
  let shown = cache.get(type);
  if (shown === undefined) cache.set(type, (shown = findShownFields(type)));
  return shown;
}

const EXPORTED = /^\p{Lu}/u;
/** What may be a name in JSON; a field with another goes by its own. */
const NAME = /^[\p{L}\p{Nd}!#$%&()*+\-./:;<=>?@[\]^_{|}~ ]+$/u;

interface Named {
  readonly field: Field;
  readonly index: number;
  readonly name: string;
  /** Whether the name was given for JSON. */
  readonly tagged: boolean;
}

function findShownFields(type: Type): readonly Shown[] {
  const named = type.fields
    .map((field, index): Named => {
      const tagged = field.json !== undefined && NAME.test(field.json);
      return { field, index, tagged, name: (tagged ? field.json : undefined) ?? field.name };
    })
    .filter(({ field }) => EXPORTED.test(field.name) && field.json !== '-');
  return named
    .filter((each) => prevails(each, named))
    .map(({ field, index, name }) => ({
      field,
      index,
      label: encodeString(name, false),
      labelInHTML: encodeString(name, true),
    }));
}

/** Fields that share a name hide each other, but for one that alone has it from its tag. */
function prevails(one: Named, all: readonly Named[]): boolean {
  return !all.some((other) => other !== one && other.name === one.name && (other.tagged || !one.tagged));
}
