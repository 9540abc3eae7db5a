/** Values and blocks in Slack's mrkdwn. https://docs.slack.dev/messaging/formatting-message-text */
import { cutAtGrapheme, readPart } from '../../render/cut.ts';
import { escapeSlack } from '../../render/escape.ts';
import { type Cost, cutTo } from '../../render/fit.ts';
import { cleanLine, oneLine } from '../../render/one-line.ts';
import type { Block } from './types.ts';

/** What is counted is what is sent: Slack does not say whether it counts `&lt;` as one. */
const cost: Cost = (text) => escapeSlack(text).length;

/** What Slack would read as markup: emphasis, code, an emoji's `:name:`, a quote. `a_b` and `20:03:05` are none. */
const MARKUP = /[*~`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?!\d\d?:)[^\s:]+:|^(?:>|•)/u;

/** Looks like a backtick and ends no code. */
const GRAVE = 'ˋ';

/** Shows a text as it is, on one line: escaped, and as code where Slack would find markup in it. `cut` makes it fit. */
function literal(text: string, limit: number, cut: (text: string, limit: number) => string): string {
  const line = cleanLine(text);
  if (!MARKUP.test(line)) return escapeSlack(cut(line, limit));
  // Slack has no escape for markup, but code has no markup.
  return `\`${escapeSlack(cut(line.replaceAll('`', GRAVE), limit - 2))}\``;
}

/** A name or a word, in at most `limit` characters; what is cut off shows as `…`. `''` for nothing. */
export const name = (text: string, limit = 100): string =>
  // Text far behind the limit is not read.
  literal(text.slice(0, 2 * limit + 64), limit, (line, room) =>
    cost(line) <= room ? line : `${cutAtGrapheme(line, unitsWithin(line, room - 1))}…`,
  );

/** A sentence, in at most `limit` characters, with a note of what was cut off. `''` for nothing. */
export const sentence = (text: string, limit: number): string =>
  literal(text, limit, (line, room) => cutTo(line, room, cost));

/** How many UTF-16 units of a text cost no more than `room`. */
function unitsWithin(text: string, room: number): number {
  let units = 0;
  for (let spent = 0; units < text.length; units++) {
    spent += cost(text.charAt(units));
    if (spent > room) break;
  }
  return units;
}

/** Of a long trace only the beginning is shown. */
const MOST_LINES = 12;

/** A text of several lines as a block of code, in at most `limit` characters; `''` for nothing. */
export function codeBlock(text: string, limit: number): string {
  const read = readPart(text);
  const lines = read
    .toWellFormed()
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => oneLine(line).trimEnd())
    .filter((line) => line !== '');
  if (lines.length === 0) return '';
  const shown = lines.slice(0, MOST_LINES);
  const left = lines.length - shown.length;
  const number = read === text ? left : `at least ${left}`;
  const more = left === 0 ? '' : `\n… (${number} more ${left === 1 ? 'line' : 'lines'})`;
  // Three backticks would end the block.
  const code = shown.join('\n').replace(/`{3,}/g, (fence) => GRAVE.repeat(fence.length));
  const frame = '```\n\n```'.length + more.length;
  return `\`\`\`\n${escapeSlack(cutTo(code, limit - frame, cost))}${more}\n\`\`\``;
}

/** One line of ours in a block of code: within a line code is red, as if something were wrong. `''` for nothing. */
export const fenced = (line: string): string => (line === '' ? '' : `\`\`\`\n${line}\n\`\`\``);

/** `verbatim`: Slack makes no links of bare addresses, channels and names. */
const mrkdwn = (text: string): object => ({ type: 'mrkdwn', text, verbatim: true });

/** `text` is ours alone, with shortcodes and numbers: a plan's name here could become an emoji. */
export const header = (text: string): Block => ({
  type: 'header',
  text: { type: 'plain_text', text, emoji: true },
});
export const section = (text: string): Block => ({ type: 'section', text: mrkdwn(text) });
/** In two columns on a wide screen. */
export const fields = (texts: readonly string[]): Block => ({ type: 'section', fields: texts.map(mrkdwn) });
/** Small and grey. */
export const context = (text: string): Block => ({ type: 'context', elements: [mrkdwn(text)] });
