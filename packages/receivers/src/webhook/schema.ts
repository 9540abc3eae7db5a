import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** The errors of a value, one line each: `<JSON pointer> <what the schema requires>`; empty for a valid one. */
export type SchemaCheck = (value: unknown) => string[];

/** Compiling takes 50 ms, and a test starts a receiver each time. */
const compiled = new WeakMap<object, SchemaCheck>();

/**
 * Compiles a JSON Schema (draft 2020-12, with the standard formats), once for each object. Throws if the schema itself is invalid: an
 * unknown keyword or format, a broken `$ref`.
 */
export function compileSchema(schema: object): SchemaCheck {
  const check = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, check);
  return check;
}

function compile(schema: object): SchemaCheck {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictTuples: false });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const detail = Object.values(params as Record<string, unknown>).filter((each) => each !== undefined);
      return `${instancePath === '' ? '/' : instancePath} ${message ?? 'is wrong'} (${JSON.stringify(detail)})`;
    });
  };
}
