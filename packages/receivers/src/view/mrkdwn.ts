import { piecesOf, type Piece } from '@hnotif/judges/slack';
import type { Clock } from './clock.ts';
import { emojiOf } from './emoji.ts';
import { element, safeAddress, type Content } from './markup.ts';
import { slackDate } from './slack-date.ts';

/** The options for showing mrkdwn. */
export interface MrkdwnOptions {
  readonly clock: Clock;
  /** Whether plain URLs stay plain text. Default false. */
  readonly verbatim?: boolean;
}

/** A text in Slack's mrkdwn as its readers see it (docs.slack.dev/messaging/formatting-message-text). */
export const mrkdwn = (text: string, options: MrkdwnOptions): Content[] =>
  piecesOf(text).map((piece) => shown(piece, options));

const TAGS = {
  bold: 'b',
  italic: 'i',
  strike: 's',
  quote: 'blockquote',
  code: 'code',
  fence: 'pre',
} as const;

function shown(piece: Piece, options: MrkdwnOptions): Content {
  switch (piece.kind) {
    case 'text':
    case 'broken':
      return piece.text;
    case 'code':
    case 'fence':
      return element(TAGS[piece.kind], {}, piece.text);
    case 'emoji':
      return emojiOf(piece.name) ?? element('span', { class: 'unknown' }, `:${piece.name}:`);
    case 'mention': {
      const isEveryone = /^!\w+$/.test(piece.who);
      const name = piece.label ?? piece.who.replace(/^!subteam\^/, '');
      return element(
        'span',
        { class: isEveryone ? 'mention everyone' : 'mention' },
        `@${name.replace(/^[@!]/, '')}`,
      );
    }
    case 'channel':
      return element('span', { class: 'mention' }, `#${(piece.label ?? piece.id).replace(/^#/, '')}`);
    case 'date': {
      const date = slackDate(piece.format, piece.unix, options.clock);
      const time = element('time', { title: piece.fallback }, date === '' ? piece.fallback : date);
      return piece.url === undefined ? time : anchor(piece.url, time);
    }
    case 'link':
      return piece.auto && options.verbatim === true ? piece.label : anchor(piece.url, piece.label);
    default:
      return element(
        TAGS[piece.kind],
        {},
        piece.inside.map((each) => shown(each, options)),
      );
  }
}

/** A link. If its URL could run a script, only its label. */
export function anchor(url: string, ...label: readonly Content[]): Content {
  const href = safeAddress(url);
  return href === undefined ? label : element('a', { href }, ...label);
}
