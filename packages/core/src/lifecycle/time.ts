const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** The valid times that were parsed last: targets of a plan mostly have the same few ones. */
const known = new Map<string, number>();
const MOST_KNOWN = 64;
/** A longer text is not remembered (characters): nothing bounds the digits of a fraction. */
const LONGEST = 40;

/** Milliseconds since the epoch of an RFC 3339 time; undefined if it is not valid. */
export function parseTime(text: string): number | undefined {
  const at = known.get(text);
  if (at !== undefined) return at;
  const found = parsed(text);
  if (found === undefined || text.length > LONGEST) return found;
  if (known.size === MOST_KNOWN) known.clear();
  known.set(text, found);
  return found;
}

function parsed(text: string): number | undefined {
  if (!RFC_3339.test(text)) return undefined;
  const at = Date.parse(text.toUpperCase().replace(' ', 'T'));
  return Number.isNaN(at) ? undefined : at;
}

/** Whole seconds since the epoch of an RFC 3339 time; 0 if it is not valid or earlier. */
export const secondOf = (text: string): number =>
  text === '' ? 0 : Math.max(0, Math.floor((parseTime(text) ?? 0) / 1000));

/** RFC 3339 in UTC with whole seconds, as Kubernetes' `Time` has them. `at` is in milliseconds since the epoch. */
export const formatSeconds = (at: number): string => formatTime(at).replace(/\.\d+Z$/, 'Z');

/** The last formatted time: events of a change mostly have the same one. */
let formatted = { at: 0, text: '1970-01-01T00:00:00.000Z' };

/** RFC 3339 in UTC with milliseconds. `at` is in milliseconds since the epoch. */
export function formatTime(at: number): string {
  if (at !== formatted.at) formatted = { at, text: new Date(at).toISOString() };
  return formatted.text;
}
