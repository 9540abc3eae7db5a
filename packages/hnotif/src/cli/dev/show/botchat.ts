import type { BotchatRecord } from '@hnotif/receivers';
import { formattedLines } from './formatted.ts';
import { gutter, lead } from './frame.ts';
import type { Paint } from '../../paint.ts';
import { printableLine } from '../../printable.ts';

/** A message as readers of the chat see it. A request without a message makes no line; a refused one says why. */
export function botchatLines(
  { call, refusal, message, arrivedAt }: Pick<BotchatRecord, 'call' | 'refusal' | 'message' | 'arrivedAt'>,
  paint: Paint,
): string[] {
  if (refusal !== undefined)
    return [paint('red', printableLine(`refused: botchat ${call} ${refusal.description}`))];
  if (message === undefined) return [];
  const { chat } = message;
  const name = printableLine(chat.title ?? chat.first_name ?? String(chat.id));
  return [
    `${lead(arrivedAt, undefined, paint)}${paint('gray', 'botchat ')} ${paint('blue', name)}`,
    ...gutter(formattedLines(message, paint), paint),
  ];
}
