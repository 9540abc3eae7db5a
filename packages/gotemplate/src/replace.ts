import type { Budget } from './budget.ts';

const CHUNK = 4096;

/**
 * A text made anew chunk by chunk, so that the clock is looked at before each of them and no more than one is made without
 * being paid for. No chunk ends within a pair of surrogates. What the text grows by is paid for here; a result that is
 * kept beside the text is the caller's to pay for. Without a budget nothing is paid.
 * @param pace characters that one unit of work treats
 */
export function inChunks(
  budget: Budget | undefined,
  text: string,
  make: (chunk: string) => string,
  pace = 1,
): string {
  let made = '';
  for (let at = 0; at < text.length;) {
    const end = at + CHUNK;
    const unit = text.charCodeAt(end - 1);
    const chunk = text.slice(at, unit >= 0xd800 && unit < 0xdc00 ? end + 1 : end);
    budget?.spend(Math.floor(chunk.length / pace));
    const part = make(chunk);
    budget?.grow(Math.max(0, part.length - chunk.length));
    made += part;
    at += chunk.length;
  }
  return made;
}
