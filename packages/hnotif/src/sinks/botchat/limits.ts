/** What one message may hold (https://core.telegram.org/bots/api#sendmessage, and the Bot API's own source where that is silent). */
export const LIMITS = {
  /** UTF-16 units of the text, markup not counted. */
  units: 4096,
  /** UTF-8 bytes of `text`, markup included: the Bot API reads 35,000 and drops the rest, be it in the middle of a tag. */
  bytes: 34_000,
} as const;
