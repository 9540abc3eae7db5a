import { cutText } from '../../render/cut.ts';
import { LIMITS } from './limits.ts';
import { cutter, fitNodes } from './markup/fit.ts';
import { MARKUPS, type ParseMode } from './markup/markup.ts';
import { lengthOf, type Node } from './markup/node.ts';

/** The text of sendMessage. */
export interface SentText {
  readonly text: string;
  /** Undefined: no markup. */
  readonly mode: ParseMode | undefined;
}

/**
 * Cuts the output of a template to the length of a message. A text that fits does not change, even if its markup is broken: Telegram
 * reports best what is wrong. A longer text is cut with all markup closed; if its markup is broken, as plain text.
 */
export function fitText(text: string, mode: ParseMode): SentText {
  // So many units always have fewer bytes than the limit.
  if (text.length <= LIMITS.units) return { text, mode };
  const { parse } = MARKUPS[mode];
  const isLong = text.length > LIMITS.readUnits;
  // Twice as much, so that the last element can end.
  const nodes = isLong
    ? parse(text.slice(0, 2 * LIMITS.readUnits).toWellFormed(), LIMITS.readUnits)
    : parse(text);
  if (nodes === undefined) return { text: cutText(text, LIMITS.units), mode: undefined };
  const fits = !isLong && lengthOf(nodes) <= LIMITS.units && Buffer.byteLength(text) <= LIMITS.bytes;
  return { text: fits ? text : printFitting(nodes, mode, isLong), mode };
}

/** Attempts to cut to the limit of bytes: printing blocks all other work. */
const TRIES = 5;

/**
 * The markup of the part of a tree that fits into a message. URLs of links count as bytes, not as units: if there are too many bytes,
 * the number of units is estimated from their size.
 */
function printFitting(nodes: readonly Node[], mode: ParseMode, beginning: boolean): string {
  const { print } = MARKUPS[mode];
  const whole = print(fitNodes(nodes, LIMITS.units, beginning));
  let high = { units: Math.min(lengthOf(nodes), LIMITS.units), bytes: Buffer.byteLength(whole) };
  if (high.bytes <= LIMITS.bytes) return whole;
  const cut = cutter(nodes, LIMITS.units, beginning);
  const printed = (units: number): { text: string; units: number; bytes: number } => {
    const text = print(cut(units));
    return { text, units, bytes: Buffer.byteLength(text) };
  };
  let low = printed(0);
  for (let tries = 0; tries < TRIES && high.units - low.units > 1; tries++) {
    const share = (LIMITS.bytes - low.bytes) / (high.bytes - low.bytes);
    const guess = low.units + Math.floor(share * (high.units - low.units));
    const next = printed(Math.min(Math.max(guess, low.units + 1), high.units - 1));
    if (next.bytes <= LIMITS.bytes) low = next;
    else high = next;
  }
  return low.text;
}
