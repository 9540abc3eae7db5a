import { expect, test } from 'vitest';
import { parse } from '../template.ts';
import { defaults } from './defaults.ts';

test('an exceeded budget is not hidden as a JSON error', () => {
  const template = parse('t', '{{toJson .}}{{fromJson "[1,2,3]"}}', { funcs: defaults });
  expect(() => template.execute('x'.repeat(100), { limits: { memory: 50 } })).toThrow('memory limit');
  expect(() => template.execute('x', { limits: { memory: 40 } })).toThrow('memory limit');
});
