/** Made for the first text that is cut: with it ICU loads the names of all its locales, some 3 MB. */
let segmenter: Intl.Segmenter | undefined;

/** Longest grapheme that is kept whole, in UTF-16 units: a family emoji has 11, a letter with a hundred accents is an attack. */
const LONGEST_GRAPHEME = 64;

/**
 * The longest beginning of `text` with at most `limit` UTF-16 units that ends between graphemes: no emoji, accent or
 * surrogate pair is split.
 */
export function cutAtGrapheme(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit <= 0) return '';
  // Only the text near the limit is segmented.
  let start = Math.max(0, limit - LONGEST_GRAPHEME);
  while (start > 0 && isLow(text.charCodeAt(start))) start--;
  let end = start;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { index, segment } of segmenter.segment(text.slice(start, limit + LONGEST_GRAPHEME))) {
    const next = start + index + segment.length;
    if (next > limit) break;
    end = next;
  }
  // A grapheme longer than the window is cut between code points.
  if (end > start) return text.slice(0, end);
  return text.slice(0, isLow(text.charCodeAt(limit)) ? limit - 1 : limit);
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

declare const FITTED: unique symbol;

/** A text that was measured by the limits of its receiver. Only the fitters of the sinks make it, and senders take no other. */
export type Fitted = string & { readonly [FITTED]: true };

/** No message shows more of a single text. */
const MOST_READ = 16_384;

/**
 * The part of a value that is looked at before it is cut to its room: to join the lines of a whole megabyte takes half a second. The rest is
 * counted by the note.
 */
export const readPart = (text: string): string => cutText(text, MOST_READ);

/** The end of a text that was cut before. */
const NOTE = /… \((\d{1,9}) more characters\)$/;
const LONGEST_NOTE = '… (999999999 more characters)'.length;

/**
 * `text` within `limit` UTF-16 units, with the number of characters cut off: `beginning… (120 more characters)`. It counts what an earlier
 * cut took, too.
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const [note, before] = NOTE.exec(text.slice(-LONGEST_NOTE)) ?? ['', '0'];
  const length = text.length - note.length + Number(before);
  const room = limit - `… (${length} more characters)`.length;
  if (room <= 0) return cutAtGrapheme(text, limit);
  const kept = cutAtGrapheme(text, room);
  return `${kept}… (${length - kept.length} more characters)`;
}
