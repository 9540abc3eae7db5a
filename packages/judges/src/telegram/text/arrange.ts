import { endOf, natureOf, sorted, type Entity, type EntityKind, type Span } from './entity.ts';
import { countBelow, overlapping } from './places.ts';

/**
 * Orders entities like Telegram. Of nested quotes, and of nested solid entities and code, the outer one stays. Styles that touch are
 * merged, are split where another entity begins or ends, and are removed within code.
 */
export function arrange(entities: readonly Entity[]): Entity[] {
  if (entities.length === 0) return [];
  const all = sorted(entities);
  const quotes = withoutOverlap(all.filter((entity) => natureOf(entity) === 'quote'));
  const solid = withoutOverlap(all.filter(isSolid)).filter((entity) =>
    overlapping(quotes, entity).every((quote) => contains(quote, entity)),
  );
  const blocks = sorted([...quotes, ...solid]);
  const styles = all.filter((entity) => natureOf(entity) === 'style');
  return sorted([...blocks, ...cutStyles(styles, blocks)]);
}

/** Adds entities that Telegram finds by itself, except within or across solid ones and code. */
export function addFound(entities: readonly Entity[], found: readonly Entity[]): Entity[] {
  if (found.length === 0) return [...entities];
  const solid = entities.filter(isSolid);
  const free = found.filter((entity) => overlapping(solid, entity).length === 0);
  return arrange([...entities, ...free]);
}

/** The rest, when of two overlapping entities the later one is removed. */
export function withoutOverlap<T extends Span>(spans: readonly T[]): T[] {
  let end = 0;
  return spans.filter((span) => {
    if (span.offset < end) return false;
    end = endOf(span);
    return true;
  });
}

function isSolid(entity: Entity): boolean {
  const nature = natureOf(entity);
  return nature === 'solid' || nature === 'code';
}

function contains(outer: Span, inner: Span): boolean {
  return outer.offset <= inner.offset && endOf(inner) <= endOf(outer);
}

function cutStyles(styles: readonly Entity[], blocks: readonly Entity[]): Entity[] {
  if (styles.length === 0) return [];
  const whole = merged(styles);
  const cuts = [...new Set([...blocks, ...whole].map(({ offset }) => offset).concat(blocks.map(endOf)))];
  cuts.sort((a, b) => a - b);
  const code = blocks.filter((block) => natureOf(block) === 'code');
  return whole
    .flatMap((style) => pieces(style, cuts))
    .filter((piece) => overlapping(code, piece).length === 0);
}

/** Merges styles of a kind that touch or overlap. */
function merged(styles: readonly Entity[]): Entity[] {
  const last = new Map<EntityKind, Entity>();
  const result: Entity[] = [];
  for (const style of styles) {
    const before = last.get(style.type);
    const end = before === undefined ? -1 : endOf(before);
    if (before === undefined || style.offset > end) {
      last.set(style.type, style);
      result.push(style);
    } else if (endOf(style) > end) {
      const longer = { ...before, length: endOf(style) - before.offset };
      last.set(style.type, longer);
      result[result.indexOf(before)] = longer;
    }
  }
  return result;
}

function pieces(style: Entity, cuts: readonly number[]): Entity[] {
  const inner = cuts.slice(countBelow(cuts, style.offset + 1), countBelow(cuts, endOf(style)));
  const starts = [style.offset, ...inner];
  return starts.map((offset, index) => ({
    ...style,
    offset,
    length: (inner[index] ?? endOf(style)) - offset,
  }));
}
