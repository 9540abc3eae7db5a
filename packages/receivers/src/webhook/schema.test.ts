import { describe, expect, it } from 'vitest';
import { compileSchema } from './schema.ts';

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['event', 'at'],
  properties: { event: { enum: ['Start', 'Success'] }, at: { type: 'string', format: 'date-time' } },
  unevaluatedProperties: false,
};

describe('a body’s schema', () => {
  it('finds nothing wrong with what satisfies it', () => {
    expect(compileSchema(schema)({ event: 'Start', at: '2026-01-05T20:00:00.000Z' })).toEqual([]);
  });

  it('names every fault with its place, formats included', () => {
    expect(compileSchema(schema)({ event: 'Stop', at: 'now', more: 1 })).toEqual([
      '/event must be equal to one of the allowed values ([["Start","Success"]])',
      '/at must match format "date-time" (["date-time"])',
      '/ must NOT have unevaluated properties (["more"])',
    ]);
  });

  it('must itself be right', () => {
    expect(() => compileSchema({ type: 'object', proprties: {} })).toThrow(/unknown keyword/);
  });
});
