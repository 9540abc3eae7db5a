/** What stands for a match: text, and groups by number, of which the first that took part in the match is written. */
export type Replacement = readonly (string | readonly number[])[];

const REFERENCE = /\$(?:\$|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu;

/**
 * Reads a replacement as Go does: `$name` takes as many letters, digits and underscores as there are, so that `$1x` is the
 * group named `1x`; a group that is not there is empty; a `$` that begins nothing stands for itself.
 * @param names of the groups by number, '' for those without.
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
