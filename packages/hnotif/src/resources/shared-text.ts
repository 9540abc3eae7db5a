/** More distinct words than an installation has; a flood of others costs a fresh start, not memory. */
const MAX_WORDS = 16_384;
/** A longer text is hardly a word. */
const MAX_LENGTH = 128;
const words = new Map<string, string>();

/**
 * The same text, as one object for all that are equal. Ten thousand plans repeat the same few namespaces, states,
 * connectors and, target by target, times: sharing them halves what a plan takes. Not for texts that are unique.
 */
export function intern(text: string): string {
  if (text.length > MAX_LENGTH) return text;
  const known = words.get(text);
  if (known !== undefined) return known;
  if (words.size >= MAX_WORDS) words.clear();
  words.set(text, text);
  return text;
}
