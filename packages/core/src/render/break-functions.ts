/** Word joiner: invisible, and without a line break. */
const JOINER = '\u2060';

/**
 * Separates braces, so that no text calls a function of an Adaptive Card, such as `{{DATE(…)}}`. A second call changes nothing.
 * https://learn.microsoft.com/adaptive-cards/authoring-cards/text-features
 */
export const breakFunctions = (text: string): string =>
  text.includes('{{') ? text.replace(/\{(?=\{)/g, `{${JOINER}`) : text;
