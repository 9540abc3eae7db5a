/** The replacement of a match: texts, and lists of groups by number. The first group of a list that matched is written. */
export type Replacement = readonly (string | readonly number[])[];

const REFERENCE = /\$(?:\$|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu;

/**
 * Parses a replacement as Go does. `$name` is as long as possible (letters, digits, underscores), so `$1x` is the group
 * `1x`. A group that does not exist is empty. A `$` without a name is a `$`.
 * @param names the names of the groups by number; '' for groups without a name.
 */
export function readReplacement(text: string, names: readonly string[]): Replacement {
  const parts: (string | number[])[] = [];
  let done = 0;
  for (const match of text.matchAll(REFERENCE)) {
    parts.push(text.slice(done, match.index));
    done = match.index + match[0].length;
    const name = match[1] ?? match[2];
    parts.push(name === undefined ? '$' : groups(name, names));
  }
  parts.push(text.slice(done));
  return parts;
}

function groups(name: string, names: readonly string[]): number[] {
  if (/^(?:0|[1-9]\d{0,8})$/.test(name)) return Number(name) < names.length ? [Number(name)] : [];
  return names.flatMap((other, group) => (other === name ? [group] : []));
}
