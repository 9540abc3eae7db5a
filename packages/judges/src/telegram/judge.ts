import { ACCEPTED, verdictOf, type Fault, type Verdict } from '../verdict.ts';
import { LEGACY, parseText, readText, type TelegramText } from './read.ts';

/**
 * Whether Telegram's sendMessage takes a text (core.telegram.org/bots/api#sendmessage). The legacy mode `Markdown` is not known here:
 * only its bounds are judged.
 */
export function judgeText(message: TelegramText): Verdict {
  const isLegacy = message.parse_mode?.toLowerCase() === LEGACY;
  const reading = isLegacy ? parseText(message) : readText(message);
  if (!reading.ok) return verdictOf([reading.fault]);
  return isLegacy ? verdictOf([], [LEGACY_MODE]) : ACCEPTED;
}

const LEGACY_MODE = { place: { pointer: '/parse_mode' }, what: "Telegram's legacy mode Markdown" };

/** A fault as the Bot API describes it, after `Bad Request: `. */
export function descriptionOf({ error, explanation }: Fault): string {
  return explanation === undefined ? error : `${error}: ${explanation}`;
}
