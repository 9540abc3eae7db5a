import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeBody } from './index.ts';

it('any JSON that is not too deep is accepted', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      expect(judgeBody(value)).toEqual({ kind: 'accepted', unknown: [] });
    }),
  );
});

it('what is too deep for common parsers is refused', () => {
  const deep = JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`) as unknown;
  const verdict = judgeBody({ a: deep });
  const [fault] = verdict.kind === 'refused' ? verdict.faults : [];
  expect(fault?.rule).toBe('is nested deeper than 512 levels');
  expect(fault?.place.pointer.startsWith('/a/0/0')).toBe(true);
});
