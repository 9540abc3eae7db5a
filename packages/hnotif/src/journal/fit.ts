import type { Content } from './content.ts';
import { withShortMessages } from './cut.ts';
import { pack, type ContentText } from './text.ts';

/** The longest text of a content (characters, all of one byte): an object of 1 MiB and more is refused by many clusters. */
export const LARGEST_TEXT = 700_000;

/** The content as text, its messages shortened where it would be too large; undefined: it is too large all the same. */
export async function fit(content: Content): Promise<ContentText | undefined> {
  const whole = await pack(content);
  if (whole.text.length <= LARGEST_TEXT) return whole;
  const short = await pack(withShortMessages(content));
  return short.text.length <= LARGEST_TEXT ? short : undefined;
}
