import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeBody } from './index.ts';

it('any JSON of well-formed texts is accepted', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      const body: unknown = JSON.parse(JSON.stringify(value).toWellFormed());
      expect(judgeBody(body).kind).toBe(JSON.stringify(body).includes('\\ud') ? 'refused' : 'accepted');
    }),
  );
});

it.each([
  ['half a pair', { a: [{ b: 'x\ud83d' }] }, '/a/0/b', 'half a surrogate pair'],
  ['too deep', JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`) as unknown, '', 'nested deeper'],
])('%s is refused, with its place', (_, body, pointer, rule) => {
  const verdict = judgeBody(body);
  const [fault] = verdict.kind === 'refused' ? verdict.faults : [];
  expect(fault?.rule).toContain(rule);
  expect(fault?.place.pointer.startsWith(pointer)).toBe(true);
});
