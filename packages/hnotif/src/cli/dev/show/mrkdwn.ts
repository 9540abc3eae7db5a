import { withEmoji } from '@hnotif/receivers/view';
import type { Paint } from '../../paint.ts';
import { printable } from '../../printable.ts';

export interface MrkdwnOptions {
  /** False: `*` and similar characters are not markup, as with `"mrkdwn": false`. Default true. */
  readonly emphasis?: boolean;
}

/**
 * The lines of a text in Slack's mrkdwn as its readers see them: emphasis as styles of the terminal, shortcodes as emoji, links
 * with their addresses. https://docs.slack.dev/messaging/formatting-message-text
 */
export function mrkdwnLines(text: string, paint: Paint, { emphasis = true }: MrkdwnOptions = {}): string[] {
  const parts = emphasis ? printable(text).split('```') : [printable(text)];
  // A fence without an end is three backticks.
  if (parts.length % 2 === 0) parts.push(parts.splice(-2).join('```'));
  return parts.flatMap((part, index) => {
    // A fence always has its own line.
    const open = index === 0 ? part : part.replace(/^\n/, '');
    const body = index === parts.length - 1 ? open : open.replace(/\n$/, '');
    if (body === '' && parts.length > 1) return [];
    const lines = body.split('\n');
    if (index % 2 === 1) return lines.map((line) => paint('cyan', decoded(line)));
    return lines.map((line) => (emphasis ? lineOf(line, paint) : inline(line, paint, BRACKETS)));
  });
}

function lineOf(line: string, paint: Paint): string {
  const quoted = /^(?:&gt;|>) ?(.*)$/.exec(line)?.[1];
  return quoted === undefined ? inline(line, paint) : `${paint('gray', '▏')} ${inline(quoted, paint)}`;
}

const BRACKETS = /<(?<bracket>[^<>]+)>/gu;
/** Emphasis begins and ends at the border of a word. */
const MARKUP = new RegExp(
  [
    BRACKETS.source,
    '`(?<code>[^`]+)`',
    ...(
      [
        ['bold', '\\*'],
        ['italic', '_'],
        ['strikethrough', '~'],
      ] as const
    ).map(
      ([style, mark]) =>
        `(?<![\\p{L}\\p{N}${mark}])${mark}(?<${style}>(?!\\s)[^${mark}]+)(?<!\\s)${mark}(?![\\p{L}\\p{N}${mark}])`,
    ),
  ].join('|'),
  'gu',
);
const STYLES = ['bold', 'italic', 'strikethrough'] as const;

function inline(line: string, paint: Paint, markup = MARKUP): string {
  let shown = '';
  let end = 0;
  for (const match of line.matchAll(markup)) {
    shown += decoded(withEmoji(line.slice(end, match.index)));
    end = match.index + match[0].length;
    const { bracket, code, ...styled } = match.groups ?? {};
    if (bracket !== undefined) shown += bracketed(bracket, paint);
    else if (code !== undefined) shown += paint('cyan', decoded(code));
    else
      for (const style of STYLES)
        if (styled[style] !== undefined) shown += paint(style, inline(styled[style], paint));
  }
  return shown + decoded(withEmoji(line.slice(end)));
}

/** The text to show for `<…>`. For a date it is the fallback, which names its zone. */
function bracketed(inside: string, paint: Paint): string {
  const [target = '', ...rest] = inside.split('|');
  const label = rest.join('|');
  if (target.startsWith('!date^')) return decoded(label);
  const [, sign, who = ''] = /^([@#!])(.*)$/.exec(target) ?? [];
  if (sign !== undefined) return paint('yellow', decoded(label || `${sign === '!' ? '@' : sign}${who}`));
  const address = paint('underline', decoded(target));
  return label === '' || label === target ? address : `${decoded(label)} (${address})`;
}

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
const decoded = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
