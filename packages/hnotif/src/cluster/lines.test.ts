import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Lines, parseLine } from './lines.ts';

function read(chunks: readonly Uint8Array[], lines = new Lines()): unknown[] {
  return [...chunks.flatMap((chunk) => [...lines.push(chunk)]), ...lines.end()].map(parseLine);
}

test('objects come whole and in order, wherever the chunks are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ text: fc.string({ unit: 'binary' }) })),
      fc.array(fc.nat({ max: 40 })),
      fc.boolean(),
      (objects, sizes, closed) => {
        const text = objects.map((object) => JSON.stringify(object)).join('\n') + (closed ? '\n' : '');
        let rest = Buffer.from(text);
        const chunks: Uint8Array[] = [];
        for (const size of sizes) {
          chunks.push(rest.subarray(0, size));
          rest = rest.subarray(size);
        }
        expect(read([...chunks, rest])).toEqual(objects);
      },
    ),
    { seed: 3 },
  );
});

test('a line that is longer than the bound is an error before it is complete', () => {
  const lines = new Lines(10);
  expect([...lines.push(Buffer.from('{"a":1}\n123'))]).toEqual(['{"a":1}']);
  expect(() => [...lines.push(Buffer.from('45678901'))]).toThrow(/larger than 10 bytes/);
});

test('a line that is not JSON is an error, after the lines before it', () => {
  const got: unknown[] = [];
  expect(() => {
    for (const each of new Lines().push(Buffer.from('1\n{oops\n2\n'))) got.push(parseLine(each));
  }).toThrow(/not JSON/);
  expect(got).toEqual([1]);
});
