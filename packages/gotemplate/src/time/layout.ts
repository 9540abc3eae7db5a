/** Layouts: the reference time, Mon Jan 2 15:04:05 MST 2006, in the wanted format. */

/** A placeholder for a part of a time. */
type Element =
  | 'January'
  | 'Jan'
  | '1'
  | '01'
  | 'Monday'
  | 'Mon'
  | '2'
  | '_2'
  | '02'
  | '__2'
  | '002'
  | '15'
  | '3'
  | '03'
  | '4'
  | '04'
  | '5'
  | '05'
  | '2006'
  | '06'
  | 'PM'
  | 'pm'
  | 'MST'
  | 'offset'
  /** Exactly as many decimals as digits. */
  | '.000'
  /** At most as many, without trailing zeros. */
  | '.999';

/** The format of an offset from UTC. */
export interface OffsetStyle {
  /** `Z` for UTC. */
  readonly zulu: boolean;
  readonly colon: boolean;
  /** The last unit shown: `-07`, `-0700`, `-070000`. */
  readonly down: 'hours' | 'minutes' | 'seconds';
}

export interface Part {
  /** The text before the element. */
  readonly before: string;
  readonly element: Element;
  /** The element as written in the layout. */
  readonly text: string;
  /** The number of digits of a fraction. */
  readonly digits: number;
  /** The format of an offset. */
  readonly style: OffsetStyle;
}

interface Layout {
  readonly parts: readonly Part[];
  /** The text after the last element. */
  readonly after: string;
}

/** The order matters: the first match wins. */
const ELEMENT =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|0[1-6]|002|15|1|2006|2|__2|_2(?!006)|[345]|PM|pm|[-Z]07(?:0000|:00:00|00|:00)?|[.,](?:0+|9+)(?!\d)/g;

const cache = new Map<string, Layout>();
const CACHE_ENTRIES = 256;
const CACHE_LENGTH = 200;

/** Parses a layout. Layouts are cached. */
export function readLayout(text: string): Layout {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const layout = compile(text);
  if (text.length <= CACHE_LENGTH) {
    if (cache.size >= CACHE_ENTRIES) cache.clear();
    cache.set(text, layout);
  }
  return layout;
}

function compile(layout: string): Layout {
  const parts: Part[] = [];
  let end = 0;
  for (const match of layout.matchAll(ELEMENT)) {
    const text = match[0];
    parts.push({
      before: layout.slice(end, match.index),
      element: elementOf(text),
      text,
      // Go stores twelve bits of it.
      digits: (text.length - 1) & 0xfff,
      style: styleOf(text),
    });
    end = match.index + text.length;
  }
  return { parts, after: layout.slice(end) };
}

function elementOf(text: string): Element {
  if (/^[.,]/.test(text)) return text.includes('0') ? '.000' : '.999';
  return /^[-Z]/.test(text) ? 'offset' : (text as Element);
}

function styleOf(text: string): OffsetStyle {
  const digits = text.replace(/\D/g, '').length;
  return {
    zulu: text.startsWith('Z'),
    colon: text.includes(':'),
    down: digits === 2 ? 'hours' : digits === 4 ? 'minutes' : 'seconds',
  };
}
