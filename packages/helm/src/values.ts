/** Values of a chart: what `values.yaml` and the files of `--values` hold. */
export type Values = Readonly<Record<string, unknown>>;

/** Values files in their order: of two, the later counts. Maps are merged, lists replaced. A null stays, for {@link coalesce}. */
export function mergeFiles(files: readonly Values[]): Values {
  return files.reduce(merge, {});
}

function merge(into: Values, from: Values): Values {
  const merged: Record<string, unknown> = { ...into };
  for (const [key, value] of Object.entries(from)) {
    const old = merged[key];
    merged[key] = isMap(value) && isMap(old) ? merge(old, value) : value;
  }
  return merged;
}

/**
 * The user's values over the chart's defaults: maps are merged, anything else is replaced. A null of the user removes a default; a null of
 * the chart is no value. Within maps a null stays where the chart has no value.
 */
export function coalesce(user: Values, defaults: Values): Values {
  const nulls = Object.keys(defaults).filter((key) => defaults[key] === null && user[key] === null);
  return without(over(user, defaults), nulls);
}

function over(user: Values, defaults: Values): Values {
  const result: Record<string, unknown> = { ...user };
  const removed: string[] = [];
  for (const [key, fallback] of Object.entries(defaults)) {
    if (fallback === null) continue;
    const own = user[key];
    if (own === null) removed.push(key);
    else if (isMap(fallback) && (own === undefined || isMap(own))) result[key] = over(own ?? {}, fallback);
    else if (own === undefined) result[key] = fallback;
  }
  return without(result, removed);
}

const without = (values: Values, keys: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));

export function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
