/**
 * The shortcodes of hnotif's own messages, and some that templates are likely to use. Others are shown unchanged.
 * https://docs.slack.dev/messaging/formatting-message-text#emoji
 */
const EMOJI: Readonly<Record<string, string>> = {
  arrows_counterclockwise: '🔄',
  bell: '🔔',
  crescent_moon: '🌙',
  fire: '🔥',
  grey_question: '❔',
  hourglass_flowing_sand: '⏳',
  information_source: 'ℹ️',
  large_green_circle: '🟢',
  no_entry_sign: '🚫',
  red_circle: '🔴',
  repeat: '🔁',
  rotating_light: '🚨',
  sunny: '☀️',
  warning: '⚠️',
  white_check_mark: '✅',
  white_circle: '⚪',
  x: '❌',
  zzz: '💤',
};

const SHORTCODE = new RegExp(`:(${Object.keys(EMOJI).join('|')}):`, 'g');

/** Replaces shortcodes with their characters. */
export const withEmoji = (text: string): string =>
  text.replace(SHORTCODE, (code, name: string) => EMOJI[name] ?? code);
