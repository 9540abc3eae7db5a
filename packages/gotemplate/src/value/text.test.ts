import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  byteLength,
  byteSlice,
  compareText,
  fromBytes,
  fromOutside,
  fromRunes,
  join,
  needsJoin,
  runeCount,
  toBytes,
  toOutside,
  toRunes,
} from './text.ts';

/** Random bytes, often almost UTF-8. */
const bytes = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom(0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80),
    ),
  )
  .map((array) => Uint8Array.from(array));
const check = (property: fc.IProperty<[Uint8Array]> | fc.IProperty<[Uint8Array, Uint8Array]>) => {
  fc.assert(property as fc.IProperty<unknown>, { seed: 3, numRuns: 3000 });
};

describe('a Go string', () => {
  it('represents any bytes', () => {
    check(
      fc.property(bytes, (array) => {
        expect([...toBytes(fromBytes(array))]).toEqual([...array]);
      }),
    );
  });

  it('is the same for the same bytes, in whatever way it was joined', () => {
    check(
      fc.property(bytes, bytes, (a, b) => {
        expect(join(fromBytes(a) + fromBytes(b))).toBe(fromBytes(Uint8Array.of(...a, ...b)));
      }),
    );
  });

  it('needs a join only if it may change something', () => {
    check(
      fc.property(bytes, bytes, (a, b) => {
        const text = fromBytes(a) + fromBytes(b);
        if (!needsJoin(text)) expect(fromBytes(toBytes(text))).toBe(text);
      }),
    );
    expect(needsJoin('\udcff'.repeat(9))).toBe(false);
    expect(needsJoin('\udcc3\udca9')).toBe(true);
  });

  it('has its length in bytes, and is cut by bytes', () => {
    check(
      fc.property(bytes, (array) => {
        const text = fromBytes(array);
        expect(byteLength(text)).toBe(array.length);
        const middle = array.length >> 1;
        expect([...toBytes(byteSlice(text, 1, Math.max(1, middle)))]).toEqual([
          ...array.subarray(1, Math.max(1, middle)),
        ]);
      }),
    );
  });

  it('is compared by bytes', () => {
    check(
      fc.property(bytes, bytes, (a, b) => {
        expect(Math.sign(compareText(fromBytes(a), fromBytes(b)))).toBe(Math.sign(Buffer.compare(a, b)));
      }),
    );
  });

  it('becomes the text of the WHATWG decoder outside', () => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    check(
      fc.property(bytes, (array) => {
        expect(toOutside(fromBytes(array))).toBe(decoder.decode(array));
      }),
    );
  });

  it('has code points; an invalid byte is U+FFFD', () => {
    check(
      fc.property(bytes, (array) => {
        const text = fromBytes(array);
        const runes = toRunes(text);
        expect(runes).toHaveLength(runeCount(text));
        expect(fromRunes(runes)).toBe(text.replace(/[\udc80-\udcff]/gu, '\ufffd'));
      }),
    );
    expect(fromRunes([-1, 0xd800, 0x110000, 0x1f600])).toBe('\ufffd\ufffd\ufffd😀');
  });

  it('replaces lone surrogates from outside', () => {
    expect(fromOutside('a\udc80b\ud800')).toBe('a\ufffdb\ufffd');
    expect(fromOutside('é😀')).toBe('é😀');
  });
});
