import type { Budget } from './budget.ts';

const CHUNK = 4096;

/**
 * Makes a new text in chunks. The budget is charged before each chunk, which also checks the time. No chunk splits a surrogate pair.
 * The growth of the text is charged here. A caller that keeps both texts charges for the second one. Without a budget nothing is charged.
 * @param pace characters for one unit of work
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
