import { Environment } from '@marcbachmann/cel-js';
import type { Json } from '../../json.ts';
import { isObject } from '../../json.ts';
import type { Convert } from './convert.ts';
import { CelObject, classFor, convertScalar, equalityKey } from './convert.ts';
import { registerFunctions } from './functions.ts';
import type { CelType } from './types.ts';

/** The environment in which the rules of a schema are compiled. `self` and `oldSelf` have the schema's type. */
export interface RuleEnvironment {
  /** `oldSelf` unchanged, or optional for a rule with `optionalOldSelf`. */
  plain: Environment;
  optional: Environment;
  /** Creates `self` and `oldSelf` from JSON. */
  convert: Convert;
}

export function ruleEnvironment(type: CelType): RuleEnvironment {
  const types = new Environment({ enableOptionalTypes: true });
  registerFunctions(types);
  const { name, convert } = registerType(types, type, { count: 0 });
  const plain = types.clone().registerVariable('self', name).registerVariable('oldSelf', name);
  const optional = types
    .clone()
    .registerVariable('self', name)
    .registerVariable('oldSelf', `optional<${name}>`);
  return { plain, optional, convert };
}

interface Registered {
  name: string;
  convert: Convert;
}

function registerType(environment: Environment, type: CelType, counter: { count: number }): Registered {
  switch (type.kind) {
    case 'object':
      return registerObject(environment, type, counter);
    case 'list': {
      const items = registerType(environment, type.items, counter);
      const { convert } = items;
      return {
        name: `list<${items.name}>`,
        convert: (value) => (Array.isArray(value) ? value.map((item) => convert(item)) : value),
      };
    }
    case 'map': {
      const values = registerType(environment, type.values, counter);
      return { name: `map<string, ${values.name}>`, convert: mapConvert(values.convert) };
    }
    case 'timestamp':
      return { name: 'google.protobuf.Timestamp', convert: convertScalar(type) };
    case 'duration':
      return { name: 'google.protobuf.Duration', convert: convertScalar(type) };
    default:
      return { name: type.kind, convert: convertScalar(type) };
  }
}

function mapConvert(convert: Convert): Convert {
  return (value) =>
    isObject(value)
      ? new Map(Object.keys(value).map((key): [string, unknown] => [key, convert(value[key] ?? null)]))
      : value;
}

function registerObject(
  environment: Environment,
  type: CelType & { kind: 'object' },
  counter: { count: number },
): Registered {
  const fields = Object.create(null) as Record<string, string>;
  const converts = new Map<string, Convert>();
  for (const [name, field] of type.fields) {
    const registered = registerType(environment, field.type, counter);
    // A nullable field may be null, which a declared type would refuse.
    fields[name] = field.nullable ? `dyn<${registered.name}>` : registered.name;
    converts.set(name, registered.convert);
  }
  counter.count += 1;
  const name = `object${counter.count}`;
  const made = classFor(type.fields, converts);
  environment.registerType(name, { ctor: made, fields });
  environment.registerOperator(`${name} == ${name}`, (left: CelObject, right: CelObject) => {
    return equalityKey(CelObject.raw(left), type.schema) === equalityKey(CelObject.raw(right), type.schema);
  });
  // An object is never null: a field that may be null is dynamic. The mirrored operator comes with it.
  environment.registerOperator(`${name} == null`, () => false);
  return { name, convert: (value: Json) => (isObject(value) ? new made(value) : value) };
}
