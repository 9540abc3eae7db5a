/** What one message may hold. */
export const LIMITS = {
  /** UTF-16 units of the text, markup not counted (https://core.telegram.org/bots/api#sendmessage). */
  units: 4096,
  /** UTF-8 bytes of `text`, markup included: more is "text is too long" to the Bot API, however little of it is shown. */
  bytes: 32_768,
  /**
   * UTF-16 units of a template's output whose markup is read in order to cut it: reading holds up all other work, and what
   * stands behind has no room in a message in any case.
   */
  readUnits: 32_768,
} as const;
