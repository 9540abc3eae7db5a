/** The limits of a message. */
export const LIMITS = {
  /** UTF-16 units of the text, markup not counted (https://core.telegram.org/bots/api#sendmessage). */
  units: 4096,
  /** UTF-8 bytes of `text`, with its markup: for more the Bot API answers "text is too long". */
  bytes: 32_768,
  /**
   * UTF-16 units of a template's output whose markup is parsed to cut it: parsing blocks all other work, and the rest would not fit
   * anyway.
   */
  readUnits: 32_768,
} as const;
