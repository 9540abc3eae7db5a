import type { BotchatRecord } from '@hnotif/receivers';
import { formattedLines } from './formatted.ts';
import { gutter, lead } from './frame.ts';
import { plain, type Paint } from '../../paint.ts';
import { printableLine } from '../../printable.ts';

/** The lines of a changed message that are shown. */
const TELLING = 2;

/** A message as readers of the chat see it; of one that was changed, the first lines. A request without a message makes no line; a refused one says why. */
export function botchatLines(
  { call, refusal, message, arrivedAt }: Pick<BotchatRecord, 'call' | 'refusal' | 'message' | 'arrivedAt'>,
  paint: Paint,
): string[] {
  if (refusal !== undefined)
    return [paint('red', printableLine(`refused: botchat ${call} ${refusal.description}`))];
  if (message === undefined) return [];
  const { chat } = message;
  const name = printableLine(chat.title ?? chat.first_name ?? String(chat.id));
  const begin = lead(arrivedAt, undefined, paint);
  if (message.edits !== undefined) {
    const now = formattedLines(message, plain).slice(0, TELLING).join(' · ');
    return [`${begin}${paint('blue', name)} ${paint('bold', `✎ ${now}`)}`];
  }
  return [
    `${begin}${paint('gray', 'botchat ')} ${paint('blue', name)}`,
    ...gutter(formattedLines(message, paint), paint),
  ];
}
