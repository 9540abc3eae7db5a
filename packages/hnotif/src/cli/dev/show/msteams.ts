import type { MsteamsMessage, MsteamsRecord } from '@hnotif/receivers';
import { isFields, type Fields } from '@hnotif/judges/msteams';
import { gutter, lead } from './frame.ts';
import { listAt, textAt } from '../../fields.ts';
import type { Paint } from '../../paint.ts';
import { printableLine } from '../../printable.ts';

/** The used fields of a request. */
type ShownRecord = Pick<MsteamsRecord, 'message' | 'error' | 'failure' | 'arrivedAt'>;

/** A card as readers of the channel see it. `workflow`: its name. A refused request says why. */
export function msteamsLines(record: ShownRecord, workflow: string, paint: Paint): string[] {
  const { message, error, failure, arrivedAt } = record;
  const place = printableLine(workflow);
  const why = error ?? failure;
  if (why !== undefined) return [paint('red', printableLine(`refused: msteams ${place} ${why}`))];
  if (message === undefined) return [];
  return [
    `${lead(arrivedAt, undefined, paint)}${paint('gray', 'msteams ')} ${paint('blue', place)}`,
    ...gutter(cardLines(message).map(printableLine), paint),
  ];
}

/** The lines of the cards, and the addresses of their buttons. */
export const cardLines = ({ cards }: Pick<MsteamsMessage, 'cards'>): string[] =>
  cards.flatMap(({ body, actions }) => [
    ...fieldsIn(body).flatMap((element) => textOf(element).split('\n')),
    ...fieldsIn(actions).map(({ title, url }) => `[${textAt(title)}] (${textAt(url)})`),
  ]);

/** The text of a `TextBlock`, or of the parts of a `RichTextBlock`. */
const textOf = ({ text, inlines }: Fields): string =>
  textAt(text) +
  fieldsIn(inlines)
    .map((run) => textAt(run.text))
    .join('');

const fieldsIn = (value: unknown): readonly Fields[] => listAt(value).filter(isFields);
