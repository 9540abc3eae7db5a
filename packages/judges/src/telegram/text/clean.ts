import { endOf, isHidden, natureOf, type Entity, type Formatted } from './entity.ts';
import { countBelow } from './places.ts';

/** Carriage returns, line separators and direction marks, and characters that strike through other lines. */
const DROPPED = /[\r\u2028-\u202e\u030a\u0333\u033f]/g;
const CONTROLS = /[\0-\x09\x0b\x0c\x0e-\x1f]/g;
const DIRECTION_MARKS = /[\u200e\u200f]+(?=[\u200e\u200f])/g;

/** The text as Telegram stores it, with each entity at its place: control characters become blanks, some others are removed. */
export function clean({ text, entities }: Formatted): Formatted {
  const tidy = text.replace(CONTROLS, ' ').replace(DIRECTION_MARKS, (marks) => '\u200c'.repeat(marks.length));
  const gone = [...tidy.matchAll(DROPPED)].map(({ index }) => index);
  if (gone.length === 0) return { text: tidy, entities };
  const moved = (offset: number): number => offset - countBelow(gone, offset);
  return {
    text: tidy.replace(DROPPED, ''),
    entities: entities.map((entity) => {
      const offset = moved(entity.offset);
      return { ...entity, offset, length: moved(endOf(entity)) - offset };
    }),
  };
}

/** Removes blanks from the ends of a text (at its beginning only up to the first entity) and from the beginning of entities. */
export function trim({ text, entities }: Formatted): Formatted {
  const kept = withoutBlanks(text, entities);
  let end = text.length;
  while (end > 0 && isSpace(text, end - 1)) end--;
  const first = kept[0]?.offset ?? end;
  let start = 0;
  while (start < first && isSpace(text, start)) start++;
  return {
    text: text.slice(start, end),
    entities: kept
      .filter(({ offset }) => offset < end)
      .map((entity) => ({
        ...entity,
        offset: entity.offset - start,
        length: Math.min(endOf(entity), end) - entity.offset,
      })),
  };
}

/** Entities from their first visible character on. An invisible entity is removed, unless it has its own meaning. */
export function withoutBlanks(text: string, entities: readonly Entity[]): Entity[] {
  const hidden = new Set(entities.filter(isHidden).map(({ offset }) => offset));
  return entities.flatMap((entity): Entity[] => {
    if (isHidden(entity)) return entity.length > 0 ? [entity] : [];
    const end = endOf(entity);
    if (!/[^ \n]/.test(text.slice(entity.offset, end))) return [];
    let { offset } = entity;
    const stops = natureOf(entity) === 'quote' ? hidden : NONE;
    while (offset < end && isSpace(text, offset) && !stops.has(offset)) offset++;
    return [{ ...entity, offset, length: end - offset }];
  });
}

const NONE: ReadonlySet<number> = new Set();

function isSpace(text: string, index: number): boolean {
  return text[index] === ' ' || text[index] === '\n';
}

/** Whether a text is invisible: blanks of every width, and characters without width. */
export function isInvisible(text: string): boolean {
  return INVISIBLE.test(text);
}

const INVISIBLE =
  /^[\s\0\u1680\u180e\u2000-\u200f\u202e\u202f\u205f\u2800\u3000\ufffc\ufeff\u{e0000}-\u{e007f}]*$/u;
