import type { JsonObject } from '../json.ts';

/** The schemas of some clusters: a process that starts many installs the same CRDs each time. */
const MOST = 32;

/** A pure function of JSON, with its last results. The result must not be changed. */
export function remembered<Result>(make: (json: JsonObject) => Result): (json: JsonObject) => Result {
  const known = new Map<string, Result>();
  return (json) => {
    const key = JSON.stringify(json);
    const result = known.has(key) ? (known.get(key) as Result) : make(json);
    known.delete(key);
    known.set(key, result);
    const [oldest = ''] = known.keys();
    if (known.size > MOST) known.delete(oldest);
    return result;
  };
}
