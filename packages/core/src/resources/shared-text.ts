/** More distinct words than an installation has. Beyond this the cache is cleared. */
const MAX_WORDS = 16_384;
/** The longest text that is shared. */
const MAX_LENGTH = 128;
const words = new Map<string, string>();

/**
 * The same text as one object for all equal texts. Plans repeat the same namespaces, states, connectors and times: sharing them halves the
 * memory of a plan. Not for unique texts.
 */
export function intern(text: string): string {
  if (text.length > MAX_LENGTH) return text;
  const known = words.get(text);
  if (known !== undefined) return known;
  if (words.size >= MAX_WORDS) words.clear();
  words.set(text, text);
  return text;
}
