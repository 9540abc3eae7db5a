import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  lastOf,
  NOWHERE,
  objectsOf,
  placeAfter,
  placeFound,
  targetOf,
  type Place,
  type PlaceChange,
} from './place.ts';

const OBJECT = fc.constantFrom('a', 'b', 'c');
const CHANGE: fc.Arbitrary<PlaceChange<string>> = fc.oneof(
  { weight: 3, arbitrary: OBJECT.map((to): PlaceChange<string> => ({ kind: 'move', to })) },
  { weight: 2, arbitrary: fc.constant<PlaceChange<string>>({ kind: 'stored' }) },
  OBJECT.map((object): PlaceChange<string> => ({ kind: 'lost', object })),
  fc.constant<PlaceChange<string>>({ kind: 'adopted' }),
);
const FOUND: fc.Arbitrary<Place<string>> = fc
  .tuple(fc.uniqueArray(OBJECT), OBJECT, fc.boolean())
  .map(([objects, home, isReadable]) => {
    const last = isReadable ? objects[0] : undefined;
    return placeFound(objects, last ?? home, last);
  });

describe('the place of an entry', () => {
  it.each<[string, Place<string>, readonly PlaceChange<string>[], Place<string>]>([
    ['is stored first', NOWHERE, [{ kind: 'move', to: 'a' }], placeFound([], 'a', undefined)],
    [
      'is where it was stored',
      NOWHERE,
      [{ kind: 'move', to: 'a' }, { kind: 'stored' }],
      { kind: 'at', object: 'a' },
    ],
    [
      'keeps the last entry while it moves',
      { kind: 'at', object: 'a' },
      [{ kind: 'move', to: 'b' }],
      { kind: 'moving', from: ['a'], to: 'b', last: 'a' },
    ],
    [
      'goes back to the last entry before another one is stored',
      { kind: 'at', object: 'a' },
      [
        { kind: 'move', to: 'b' },
        { kind: 'move', to: 'a' },
      ],
      { kind: 'moving', from: ['b'], to: 'a', last: 'a' },
    ],
    [
      'goes on from the entry of another process',
      { kind: 'at', object: 'a' },
      [{ kind: 'move', to: 'b' }, { kind: 'adopted' }],
      { kind: 'moving', from: ['a'], to: 'b', last: 'b' },
    ],
  ])('%s', (_, first, changes, after) => {
    expect(changes.reduce(placeAfter, first)).toEqual(after);
  });

  it('leaves nothing behind: what it has left is in the change, and the last entry stays until another one is stored', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constant(NOWHERE), FOUND),
        fc.array(CHANGE, { maxLength: 12 }),
        (found, changes) => {
          let place = found;
          for (const change of changes) {
            const before = place;
            place = placeAfter(place, change);
            const [was, is] = [objectsOf(before), objectsOf(place)];
            expect(new Set(is).size).toBe(is.length);
            if (place.kind !== 'none') expect(is).toContain(targetOf(place));
            const last = lastOf(place);
            if (last !== undefined) expect(is).toContain(last);
            // Only these changes may take an object out, or the last entry away.
            const isKept = change.kind === 'move' || change.kind === 'adopted';
            if (isKept) for (const object of was) expect(is).toContain(object);
            if (change.kind === 'move') expect(last).toBe(lastOf(before));
            if (change.kind === 'stored' && before.kind !== 'none')
              expect(place).toEqual({ kind: 'at', object: targetOf(before) });
            if (change.kind === 'lost') expect(last).not.toBe(change.object);
          }
        },
      ),
    );
  });
});
