import { endOf, natureOf, type Entity, type Formatted } from '@hnotif/judges/telegram';
import { cutAtGrapheme } from '../../../render/cut.ts';

/**
 * Cuts a tidy text to `limit` UTF-16 units, at least 40. Returns the same text if it fits. `beginning`: the text is the beginning of a
 * longer one, and is always cut.
 */
export function cutFormatted(whole: Formatted, limit: number, beginning = false): Formatted {
  const { length } = whole.text;
  if (length <= limit && !beginning) return whole;
  // A quote that is cut needs an additional line break.
  return cutter(whole, beginning)(limit - `\n${beginning ? MORE : mark(length)}`.length);
}

/**
 * Cuts a tidy text to its first `units`, ends its entities there, and appends how much is missing: `… (120 more characters)`, or a mark
 * without a number if the text is only the beginning. Never splits a grapheme, a custom emoji or a date.
 */
export const cutter =
  (whole: Formatted, beginning = false): ((units: number) => Formatted) =>
  (units) => {
    const { text, entities } = whole;
    const end = endOfCut(whole, units);
    const quote = entities.find(
      (entity) => natureOf(entity) === 'quote' && entity.offset < end && end <= endOf(entity),
    );
    // In MarkdownV2 a quote ends with a line break.
    const kept = quote !== undefined && text[end - 1] === '\n' ? end - 1 : end;
    const lineBreak = quote !== undefined && quote.offset < kept ? '\n' : '';
    return {
      text: `${text.slice(0, kept)}${lineBreak}${beginning ? MORE : mark(text.length - end)}`,
      entities: entities
        .filter(({ offset }) => offset < kept)
        .map((entity) => ({
          ...entity,
          length: Math.min(endOf(entity), kept) - entity.offset + (entity === quote ? 1 : 0),
        })),
    };
  };

const mark = (left: number): string => `… (${left} more characters)`;
const MORE = '… (more was cut off)';

/** The last place up to `units` at which a text may end. */
function endOfCut({ text, entities }: Formatted, units: number): number {
  for (let end = units; ;) {
    end = cutAtGrapheme(text, end).length;
    const split = entities.find((entity) => isWhole(entity) && entity.offset < end && end < endOf(entity));
    if (split === undefined) return end;
    end = split.offset;
  }
}

const isWhole = ({ type }: Entity): boolean => type === 'custom_emoji' || type === 'date_time';
