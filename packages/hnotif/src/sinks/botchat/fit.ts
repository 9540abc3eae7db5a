import { cutText } from '../../render/cut.ts';
import { LIMITS } from './limits.ts';
import { cutter, fitNodes } from './markup/fit.ts';
import { MARKUPS, type ParseMode } from './markup/markup.ts';
import { lengthOf, type Node } from './markup/node.ts';

/** A text as sendMessage takes it. */
export interface SentText {
  readonly text: string;
  /** Undefined: no markup, everything is shown as it is. */
  readonly mode: ParseMode | undefined;
}

/**
 * The output of a template within what one message may hold. What fits is sent as it is, also where Telegram will not be able
 * to parse it: it says best what is wrong. What does not is cut with all markup closed; where that cannot be, as plain
 * text.
 */
export function fitText(text: string, mode: ParseMode): SentText {
  // However many bytes these have, they are fewer than the limit.
  if (text.length <= LIMITS.units) return { text, mode };
  const { parse } = MARKUPS[mode];
  const isLong = text.length > LIMITS.readUnits;
  // The element in which the reading ends has as much again.
  const nodes = isLong
    ? parse(text.slice(0, 2 * LIMITS.readUnits).toWellFormed(), LIMITS.readUnits)
    : parse(text);
  if (nodes === undefined) return { text: cutText(text, LIMITS.units), mode: undefined };
  const fits = !isLong && lengthOf(nodes) <= LIMITS.units && Buffer.byteLength(text) <= LIMITS.bytes;
  return { text: fits ? text : printFitting(nodes, mode, isLong), mode };
}

/** How often a cut that has too many bytes is tried again: printing holds up all other work. */
const TRIES = 5;

/**
 * The markup of as much of a tree as a message has room for. Addresses of links count for the bytes, not for the units: where
 * the bytes are too many, it guesses how many units have room by how many bytes they take.
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
