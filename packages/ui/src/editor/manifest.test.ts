import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { RECIPES } from './cookbook.ts';
import { configMap } from './manifest.ts';

const read = (template: string): unknown => parse(configMap('night-words', 'template.gotpl', template));
const expected = (template: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'night-words' },
  data: { 'template.gotpl': template },
});

it.each(RECIPES)('“$title” is readable in its config map, line by line', ({ template }) => {
  const manifest = configMap('night-words', 'template.gotpl', template);
  for (const line of template.split('\n').filter((each) => each !== ''))
    expect(manifest).toContain(`    ${line}\n`);
  expect(read(template)).toEqual(expected(template));
});

it.each([
  '',
  '\n',
  ' ',
  '\n\nx',
  '  x\ny',
  'x\n\n',
  'x\n\n\n',
  'x\n ',
  '\tx',
  'x\r\ny',
  '\u0000',
  '# x',
  '\ufeffx',
  '…\u2028',
  '- a: "b"',
  ' \nx',
  '\n x\ny\n',
])('a config map holds %j as it is', (template) => {
  expect(read(template)).toEqual(expected(template));
});

it('a config map holds any template as it is', () => {
  const part = fc.oneof(
    fc.constantFrom(' ', '\n', '\t', '\r', '|', ':', '#', '"', '\\', '{{ .Plan }}'),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const template = parts.join('').toWellFormed();
      expect(read(template)).toEqual(expected(template));
    }),
    { seed: 3, numRuns: 500 },
  );
});
