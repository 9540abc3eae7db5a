import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatAddress, parseAddress, VIEWS } from './address.ts';

it('an address is read as it was written', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...VIEWS),
      fc.array(fc.string({ minLength: 1, unit: 'grapheme' })),
      (view, rest) => {
        expect(parseAddress(formatAddress({ view, rest }))).toEqual({ view, rest });
      },
    ),
  );
});

it.each(['', '#', '#nothing', '#__proto__/x'])('%j is the first view', (fragment) => {
  expect(parseAddress(fragment)).toEqual({ view: 'tonight', rest: [] });
});

it('what cannot be decoded stays as it is', () => {
  expect(parseAddress('#why/%zz/b').rest).toEqual(['%zz', 'b']);
});
