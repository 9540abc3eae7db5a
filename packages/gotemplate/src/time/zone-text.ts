/** Time zones in the text of a time. */
import type { OffsetStyle } from './layout.ts';
import { BAD, type Fault, type Reader } from './reader.ts';

const NUMBERS = { hours: 1, minutes: 2, seconds: 3 } as const;

/** As in Go, 24 hours and 60 minutes or seconds are valid. */
const BOUNDS = [
  ['hour', 24],
  ['minute', 60],
  ['second', 60],
] as const;

/** Reads an offset: seconds east of UTC. */
export function readOffset(reader: Reader, { colon, down }: OffsetStyle): number | Exclude<Fault, undefined> {
  const count = NUMBERS[down];
  const stride = colon ? 3 : 2;
  const width = 1 + 2 * count + (colon ? count - 1 : 0);
  const text = reader.take(width);
  if (text.length < width) return BAD;
  let bad = !text.startsWith('+') && !text.startsWith('-');
  let outside: string | undefined;
  let offset = 0;
  for (const [i, [unit, highest]] of BOUNDS.entries()) {
    const at = 1 + i * stride;
    if (colon && i > 0 && i < count && text[at - 1] !== ':') return BAD;
    const digits = i < count ? text.slice(at, at + 2) : '00';
    const number = /^\d\d$/.test(digits) ? Number(digits) : undefined;
    bad ||= number === undefined;
    offset = offset * 60 + (number ?? 0);
    // An element out of range is reported before a later one that is not a number.
    if (number !== undefined && number > highest) outside = `time zone offset ${unit}`;
    if (number === undefined) break;
  }
  if (outside !== undefined) return outside;
  return bad ? BAD : text.startsWith('-') ? -offset : offset;
}

/** The length of the time zone abbreviation at the start of the text, or 0. */
export function zoneNameLength(text: string): number {
  if (text.length < 3) return 0;
  if (/^(?:ChST|MeST)/.test(text)) return 4;
  // GMT may have an offset.
  if (text.startsWith('GMT')) return 3 + hoursLength(text.slice(3));
  if (/^[+-]/.test(text)) return hoursLength(text);
  const capitals = /^[A-Z]{0,6}/.exec(text)?.[0] ?? '';
  switch (capitals.length) {
    case 3:
      return 3;
    case 4:
      return capitals.endsWith('T') || capitals === 'WITA' ? 4 : 0;
    case 5:
      return capitals.endsWith('T') ? 5 : 0;
    default:
      return 0;
  }
}

/** The length of a signed number up to 23, or 0. */
function hoursLength(text: string): number {
  const [all = '', digits = ''] = /^[+-](\d+)/.exec(text) ?? [];
  return digits !== '' && Number(digits) <= 23 ? all.length : 0;
}
