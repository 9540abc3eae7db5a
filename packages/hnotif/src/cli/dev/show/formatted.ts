import type { BotchatMessage } from '@hnotif/receivers';
import type { Paint } from '../../paint.ts';
import { printableLine } from '../../printable.ts';

type Formatted = Pick<BotchatMessage, 'text' | 'entities'>;
type Entity = Formatted['entities'][number];

/** Kinds that are not here are shown as ordinary text. */
const STYLES: Readonly<Partial<Record<Entity['type'], Parameters<Paint>[0]>>> = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  strikethrough: 'strikethrough',
  code: 'cyan',
  pre: 'cyan',
  url: 'underline',
  email: 'underline',
  mention: 'yellow',
  text_mention: 'yellow',
  hashtag: 'blue',
  cashtag: 'blue',
  bot_command: 'blue',
};

/** The lines of a Telegram message as readers see them. The address of a link follows it. */
export function formattedLines({ text, entities }: Formatted, paint: Paint): string[] {
  let next = 0;
  return text.split('\n').map((line) => {
    const start = next;
    const end = start + line.length;
    next = end + 1;
    const here = entities.filter(({ offset, length }) => offset < end && offset + length > start);
    const borders = here.flatMap(({ offset, length }) => [offset, offset + length]);
    const cuts = [start, ...borders.filter((at) => at > start && at < end), end].sort((a, b) => a - b);
    const shown = cuts.map((from, index) => pieceOf(text, from, cuts[index + 1] ?? end, here, paint));
    const quoted = here.some(({ type }) => type === 'blockquote' || type === 'expandable_blockquote');
    return `${quoted ? `${paint('gray', '▏')} ` : ''}${shown.join('')}`;
  });
}

/** The text between two borders of entities. */
function pieceOf(text: string, from: number, to: number, entities: readonly Entity[], paint: Paint): string {
  if (from === to) return '';
  const around = entities.filter(({ offset, length }) => offset <= from && offset + length >= to);
  const styled = around.reduce(
    (shown, { type }) => {
      const style = STYLES[type];
      return style === undefined ? shown : paint(style, shown);
    },
    printableLine(text.slice(from, to)),
  );
  const link = around.find(({ type, offset, length }) => type === 'text_link' && offset + length === to);
  return link?.type === 'text_link' ? `${styled} (${paint('underline', printableLine(link.url))})` : styled;
}
