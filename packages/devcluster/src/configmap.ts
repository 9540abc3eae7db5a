import { entriesAt } from './json.ts';
import type { KubeObject } from './object.ts';
import type { Cause } from './schema/cause.ts';
import { invalid } from './schema/cause.ts';
import { dataCauses, decodedLength, immutableCauses } from './secret.ts';

/** Empty maps are not stored. */
export function defaultConfigMap(map: KubeObject): void {
  for (const field of ['data', 'binaryData'])
    if (entriesAt(map, field).length === 0) Reflect.deleteProperty(map, field);
}

export function validateConfigMap(map: KubeObject, old: KubeObject | undefined): Cause[] {
  const binary = new Set(entriesAt(map, 'binaryData').map(([key]) => key));
  return [
    ...entriesAt(map, 'data')
      .filter(([key]) => binary.has(key))
      .map(([key]) => invalid('data', key, 'duplicate of key present in binaryData')),
    ...dataCauses(map, 'data'),
    ...dataCauses(map, 'binaryData', decodedLength),
    ...immutableCauses(map, old, ['data', 'binaryData']),
  ];
}
