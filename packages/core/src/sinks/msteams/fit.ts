import { bytesOf } from '@hnotif/judges/msteams';
import { cutText } from '../../render/cut.ts';
import type { Link } from '../../resources/links.ts';
import { type Card, cardOf, line, type Line, textBlock } from './card.ts';

declare const FITTED_CARD: unique symbol;

/** A card that was measured. Only this file makes it, and the sink sends no other. */
export type FittedCard = Card & { readonly [FITTED_CARD]: true };

/**
 * Bytes of a card as Teams stores it. Less than the documented 28 KiB: Teams adds markup of its own, and developers had messages refused
 * from 21 KB on (https://www.rubydoc.info/gems/msteams_hermes/MsTeamsHermes/Message).
 */
const MOST_BYTES = 20 * 1024;
/** For the line that says how many are missing, and for commas. */
const RESERVE = 300;
/** Less of a line is not worth showing. */
const SHORTEST_ROOM = 200;

/** The longest beginning of a text that takes no more than `room` bytes. */
function cutToBytes(text: string, room: number): string {
  if (text.length <= room && bytesOf(text) <= room) return text;
  let [fits, most] = [0, Math.min(text.length, Math.max(0, room))];
  while (fits < most) {
    const middle = Math.ceil((fits + most) / 2);
    if (bytesOf(cutText(text, middle)) <= room) fits = middle;
    else most = middle - 1;
  }
  return cutText(text, fits);
}

/** A card with a text in Markdown. */
export const fitText = (text: string): FittedCard => {
  const room = MOST_BYTES - bytesOf(cardOf([textBlock('')], []));
  return cardOf([textBlock(cutToBytes(text, room))], []) as FittedCard;
};

/** A card with lines that are shown as they are. The first one is its heading. */
export function fitLines(texts: readonly string[], links: readonly Link[]): FittedCard {
  const body: Line[] = [];
  let room = MOST_BYTES - RESERVE - bytesOf(cardOf([], links));
  for (const [index, text] of texts.entries()) {
    const left = room - bytesOf(line('', index));
    const shown = left < SHORTEST_ROOM ? undefined : cutToBytes(text, left);
    if (shown !== undefined) body.push(line(shown, index));
    if (shown !== text) {
      const more = texts.length - body.length;
      if (more > 0) body.push(line(`… ${more} more lines`, body.length));
      break;
    }
    room = left - bytesOf(text);
  }
  return cardOf(body, links) as FittedCard;
}
