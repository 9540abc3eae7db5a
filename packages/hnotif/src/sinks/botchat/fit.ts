import { cutText } from '../../render/cut.ts';
import { LIMITS } from './limits.ts';
import { cutter, fitNodes } from './markup/fit.ts';
import { MARKUPS, type ParseMode } from './markup/markup.ts';
import { textOf, type Node } from './markup/node.ts';

/** A text as sendMessage takes it. */
export interface SentText {
  readonly text: string;
  /** Undefined: no markup, everything is shown as it is. */
  readonly mode: ParseMode | undefined;
}

const fitsBytes = (text: string): boolean =>
  text.length * 3 <= LIMITS.bytes || Buffer.byteLength(text) <= LIMITS.bytes;

/**
 * The output of a template within what one message may hold. What fits is sent as it is, also where Telegram will not be able
 * to parse it: it says best what is wrong. What does not is cut with all markup closed; where that cannot be, as plain
 * text.
 */
export function fitText(text: string, mode: ParseMode): SentText {
  // However many bytes these have, they are fewer than the limit.
  if (text.length <= LIMITS.units) return { text, mode };
  const nodes = text.length <= LIMITS.readUnits ? MARKUPS[mode].parse(text) : undefined;
  if (nodes === undefined) return { text: cutText(text, LIMITS.units), mode: undefined };
  return textOf(nodes).length <= LIMITS.units && fitsBytes(text) ? { text, mode } : fitTree(nodes, mode);
}

/** A tree within what one message may hold. */
export function fitTree(nodes: readonly Node[], mode: ParseMode): SentText {
  const { print } = MARKUPS[mode];
  const whole = print(fitNodes(nodes, LIMITS.units));
  if (fitsBytes(whole)) return { text: whole, mode };
  // Addresses of links count for the bytes, not for the units: the most units whose markup has room.
  const cut = cutter(nodes, LIMITS.units);
  let [low, high] = [0, LIMITS.units - 40];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fitsBytes(print(cut(middle)))) low = middle;
    else high = middle - 1;
  }
  return { text: print(cut(low)), mode };
}
