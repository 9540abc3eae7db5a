import fc from 'fast-check';
import { expect } from 'vitest';
import type { Entity } from '../text/entity.ts';

/** An entity of a text, with the fields of its type. */
export const at = (type: Entity['type'], offset: number, length: number, more: object = {}): object => ({
  ...{ type, offset, length },
  ...more,
});

/** Texts of these parts are parsed or refused, and no entity ends outside of the text. */
export function expectKeepsItsPlace(
  parse: (source: string) => { readonly text: string; readonly entities: readonly Entity[] },
  ...parts: readonly string[]
): void {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 30 }), (source) => {
      try {
        const { text, entities } = parse(source.join(''));
        for (const { offset, length } of entities) expect(offset + length).toBeLessThanOrEqual(text.length);
      } catch (error) {
        expect(error).toHaveProperty('name', 'MarkupError');
      }
    }),
    { seed: 20_260_105, numRuns: 500 },
  );
}
