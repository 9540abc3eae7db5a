import { withoutOverlap } from './arrange.ts';
import { sorted, type Entity, type PlainKind } from './entity.ts';
import { findUrls } from './find-urls.ts';

const WORD = String.raw`[\p{L}\p{N}_]`;
const TAG = String.raw`[\p{Nd}\p{L}_\u200c\u00b7\u0d80-\u0dff]`;

// The patterns of github.com/tdlib/td, which finds entities like the apps.
const MENTION = new RegExp(`(?<!${WORD})@([a-zA-Z0-9_]{2,32})(?!${WORD})`, 'gu');
const COMMAND = new RegExp(
  String.raw`(?<![\p{L}\p{N}_/<>])/[a-zA-Z0-9_]{1,64}(?:@[a-zA-Z0-9_]{3,32}|(?!@))(?![\p{L}\p{N}_/<>])`,
  'gu',
);
const HASHTAG = new RegExp(`(?<!${TAG})#(${TAG}+)(?!#|${TAG})`, 'gu');
const CASHTAG = new RegExp(String.raw`(?<!\$|${TAG})\$(?:1INCH|[A-Z]{1,8})(?!\$|${TAG})`, 'gu');

const SHORT_NAMES = new Set(['gif', 'vid', 'pic']);
/** The most characters of a hashtag. Further ones are not part of it. */
const HASHTAG_LENGTH = 256;

/** The entities that Telegram finds in any text (core.telegram.org/bots/api#messageentity). */
export function findEntities(text: string): Entity[] {
  const entities = [
    ...(text.includes('@') ? findMentions(text) : []),
    ...(text.includes('/') ? matches(text, COMMAND, 'bot_command') : []),
    ...(text.includes('#') ? findHashtags(text) : []),
    ...(text.includes('$') ? matches(text, CASHTAG, 'cashtag') : []),
    ...findUrls(text),
  ];
  return withoutOverlap(sorted(entities));
}

/** Names have at least five characters. The first sold names have four, and three of them have three. */
function findMentions(text: string): Entity[] {
  return matches(text, MENTION, 'mention').filter(({ offset, length }) => {
    return length > 4 || SHORT_NAMES.has(text.slice(offset + 1, offset + length).toLowerCase());
  });
}

function findHashtags(text: string): Entity[] {
  return matches(text, HASHTAG, 'hashtag').flatMap(({ offset, length }): Entity[] => {
    const tag = [...text.slice(offset + 1, offset + length)].slice(0, HASHTAG_LENGTH).join('');
    return /\p{L}/u.test(tag) ? [{ type: 'hashtag', offset, length: tag.length + 1 }] : [];
  });
}

function matches(text: string, pattern: RegExp, type: PlainKind): Entity[] {
  return [...text.matchAll(pattern)].map(({ index, 0: match }) => ({
    type,
    offset: index,
    length: match.length,
  }));
}
