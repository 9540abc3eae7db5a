import { Ajv } from 'ajv';
import type { Values } from './values.ts';

/** It keeps what it has compiled of a schema. */
const ajv = new Ajv({ allErrors: true, strict: false });

/** What is wrong with the values by the schema: one line for each fault, `replicas: must be integer`. */
export function faultsOf(schema: object, values: Values): string[] {
  const validate = ajv.compile(schema);
  if (validate(values)) return [];
  const faults = (validate.errors ?? []).map(({ instancePath, message = 'is wrong', params }) => {
    const place = instancePath.slice(1).replaceAll('/', '.') || 'values';
    const { additionalProperty, allowedValues } = params as {
      additionalProperty?: string;
      allowedValues?: unknown[];
    };
    if (additionalProperty !== undefined) return `${place}: there is no ${additionalProperty}`;
    return `${place}: ${message}${allowedValues === undefined ? '' : `: ${allowedValues.join(', ')}`}`;
  });
  return [...new Set(faults)];
}
