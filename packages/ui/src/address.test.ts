import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatAddress, parseAddress, VIEWS } from './address.ts';

const text = fc.string({ minLength: 1, unit: 'grapheme' });

it('an address is read as it was written', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...VIEWS),
      fc.array(text),
      fc.dictionary(
        text.filter((name) => name !== '__proto__'),
        text,
      ),
      (view, rest, settings) => {
        const query = { ...settings };
        expect(parseAddress(formatAddress({ view, rest, query }))).toEqual({ view, rest, query });
      },
    ),
  );
});

it.each(['', '#', '#nothing', '#__proto__/x', '#nothing?a=b'])('%j is the first view', (fragment) => {
  expect(parseAddress(fragment)).toEqual({ view: 'tonight', rest: [], query: {} });
});

it('what cannot be decoded stays as it is', () => {
  expect(parseAddress('#why/%zz/b').rest).toEqual(['%zz', 'b']);
});

it('a setting is named after the path', () => {
  expect(formatAddress({ view: 'tonight', rest: [], query: { namespace: 'shop', zone: 'UTC' } })).toBe(
    '#tonight?namespace=shop&zone=UTC',
  );
});
