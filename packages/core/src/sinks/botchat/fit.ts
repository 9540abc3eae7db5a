import type { Fault } from '@hnotif/judges';
import { finishText, LIMITS, parseMarkup, tidyText, type Formatted } from '@hnotif/judges/telegram';
import { cutText, type Fitted } from '../../render/cut.ts';
import { cutFormatted, cutter } from './markup/cut.ts';
import { PRINT, type ParseMode } from './markup/markup.ts';

/** The text of sendMessage. */
export interface SentText {
  readonly text: Fitted;
  /** Undefined: no markup. */
  readonly mode: ParseMode | undefined;
  /** Why the markup of a longer output cannot be parsed; undefined: it can, or it is not known. */
  readonly fault?: Fault | undefined;
}

/**
 * UTF-16 units of a template's output whose markup is parsed to cut it: parsing blocks all other work, and the rest would not fit
 * anyway.
 */
const READ_UNITS = 32_768;

/**
 * Cuts a text to the length of a message. A text that fits does not change, even if its markup is broken: Telegram reports best what is
 * wrong. A longer text is cut with all markup closed; if its markup is broken, as plain text.
 */
export function fitText(text: string, mode: ParseMode | undefined): SentText {
  // So many units always have fewer bytes than the limit.
  if (text.length <= LIMITS.units) return { text: text as Fitted, mode };
  const asPlain = { text: cutText(text, LIMITS.units) as Fitted, mode: undefined };
  if (mode === undefined) return asPlain;
  const isLong = text.length > READ_UNITS;
  // Twice as much, so that the last element can end.
  const source = isLong ? text.slice(0, 2 * READ_UNITS).toWellFormed() : text;
  const parsed = parseMarkup({ text: source, parse_mode: mode }, isLong ? READ_UNITS : Infinity);
  if (!parsed.ok) return { ...asPlain, fault: parsed.fault };
  const fits = !isLong && Buffer.byteLength(text) <= LIMITS.bytes && isShort(parsed);
  return { text: (fits ? text : printFitting(tidyText(parsed), mode, isLong)) as Fitted, mode };
}

/** Whether Telegram takes the text, or refuses it for another reason than its length. */
function isShort(parsed: Formatted): boolean {
  const finished = finishText(parsed);
  return finished.ok || finished.fault.error !== 'message is too long';
}

/** Attempts to cut to the limit of bytes: printing blocks all other work. */
const TRIES = 5;

/**
 * The markup of the part of a text that fits into a message. URLs of links count as bytes, not as units: if there are too many bytes,
 * the number of units is estimated from their size.
 */
function printFitting(tidy: Formatted, mode: ParseMode, beginning: boolean): string {
  const print = PRINT[mode];
  const whole = print(cutFormatted(tidy, LIMITS.units, beginning));
  let high = { units: Math.min(tidy.text.length, LIMITS.units), bytes: Buffer.byteLength(whole) };
  if (high.bytes <= LIMITS.bytes) return whole;
  const cut = cutter(tidy, beginning);
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
