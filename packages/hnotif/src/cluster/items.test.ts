import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ListItems } from './items.ts';

/** The items one by one, then the rest. */
function read(
  chunks: readonly Uint8Array[],
  splitter = new ListItems(),
): { items: unknown[]; rest: unknown } {
  const items = chunks.flatMap((chunk) => [...splitter.push(chunk)]);
  return { items, rest: splitter.end() };
}

/** Cuts after so many bytes, again and again. */
function cut(text: string, sizes: readonly number[]): Uint8Array[] {
  let rest = Buffer.from(text);
  return sizes
    .map((size) => {
      const chunk = rest.subarray(0, size);
      rest = rest.subarray(size);
      return chunk;
    })
    .concat(rest);
}

const name = fc.oneof(
  fc.constantFrom('items', 'a:', '"', '\\', '[', '}', 'ü😀'),
  fc.string({ unit: 'binary' }),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, false, 0, -1.5e-7, '', '\\', '"]}', '\\"', '😀\u2028'),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}));

/** JSON with its fields in this order, in one line or in many. */
const list = fc
  .record({
    before: fc.dictionary(name, value, { maxKeys: 3 }),
    items: fc.array(value, { maxLength: 6 }),
    after: fc.dictionary(name, value, { maxKeys: 3 }),
    indent: fc.constantFrom('', '\t', '\r\n', '  '),
  })
  .map(({ before, items, after, indent }) => {
    const fields = [...Object.entries(before), ['items', items] as const, ...Object.entries(after)].filter(
      ([key], at) => key !== 'items' || at === Object.keys(before).length,
    );
    const rows = fields.map(
      ([key, field]) => `${JSON.stringify(key)} :${indent}${JSON.stringify(field, null, indent)}`,
    );
    return { items, text: `${indent}{${rows.join(`,${indent}`)}${indent}}\n` };
  });

test('items come one by one and in order, wherever the chunks are cut; the rest is as JSON.parse has it', () => {
  fc.assert(
    fc.property(list, fc.array(fc.nat({ max: 30 }), { maxLength: 40 }), ({ items, text }, sizes) => {
      const found = read(cut(text, sizes));
      expect(found.items).toEqual(JSON.parse(JSON.stringify(items)));
      expect(found.rest).toEqual({ ...(JSON.parse(text) as object), items: items.map(() => 0) });
    }),
    { seed: 7, numRuns: 500 },
  );
});

test('what is JSON is read, what is not is an error: as JSON.parse finds', () => {
  const splice = fc.tuple(
    fc.nat(),
    fc.nat({ max: 2 }),
    fc.constantFrom('', ',', ']', '}', '[', '{', '"', '\\', ':', '0', ' '),
  );
  fc.assert(
    fc.property(
      list,
      splice,
      fc.array(fc.nat({ max: 30 }), { maxLength: 20 }),
      ({ text }, [where, gone, put], sizes) => {
        const at = where % text.length;
        const damaged = text.slice(0, at) + put + text.slice(at + gone);
        const outcome = (run: () => unknown): string => {
          try {
            run();
            return 'JSON';
          } catch {
            return 'not JSON';
          }
        };
        expect(outcome(() => read(cut(damaged, sizes)))).toBe(outcome(() => JSON.parse(damaged) as unknown));
      },
    ),
    { seed: 7, numRuns: 2000 },
  );
});

test('only a list that is a field of the answer, by whatever spelling, has items', () => {
  const text = String.raw`{"metadata":{"items":[1]},"it\u0065ms":[2,[3]],"other":[4],"x":"items","y":[5]}`;
  expect(read(cut(text, [40]))).toEqual({
    items: [2, [3]],
    rest: { metadata: { items: [1] }, items: [0, 0], other: [4], x: 'items', y: [5] },
  });
  for (const other of ['null', '{"items":[1]}', '"[1]"', '7'])
    expect(read([Buffer.from(`{"items":${other},"a":[1]}`)])).toEqual({
      items: [],
      rest: { items: JSON.parse(other) as unknown, a: [1] },
    });
  for (const scalar of ['"items"', '["items",[1]]', '5']) expect(read(cut(scalar, [3])).items).toEqual([]);
});

test('an item, or all that is none, that is larger than the bound is an error before it is complete', () => {
  const item = new ListItems(16);
  expect([...item.push(Buffer.from('{"items":[{"a":1234},{"b":1234},"'))]).toEqual([
    { a: 1234 },
    { b: 1234 },
  ]);
  expect(() => [...item.push(Buffer.from('0123456789abcdef'))]).toThrow(/larger than 16 bytes$/);
  const rest = new ListItems(12);
  expect(() => [...rest.push(Buffer.from('{"metadata":"'))]).toThrow(/larger than 12 bytes besides/);
  const many = new ListItems(12);
  expect(() => [...many.push(Buffer.from('{"items":[1,2,3,4'))]).toThrow(/larger than 12 bytes besides/);
});
