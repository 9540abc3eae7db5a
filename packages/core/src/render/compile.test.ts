import { expect, it } from 'vitest';
import { Compiled } from './compile.ts';
import { TEMPLATE_LIMITS } from './limits.ts';
import { idOf } from './template-id.ts';
import type { TemplateSource } from './template.ts';

const named = (name: string, text = '{{ .Event }}'): [string, TemplateSource] => {
  const template = { name, text };
  return [idOf(template), template];
};

it('a template is parsed once for each name and text', () => {
  const compiled = new Compiled();
  const first = compiled.get(...named('a/b'));
  expect(compiled.get(...named('a/b'))).toBe(first);
  expect(compiled.get(...named('a/c'))).not.toBe(first);
  expect(compiled.get(...named('a/b', 'x'))).not.toBe(first);
  expect(compiled.get(...named('a/b'))).toBe(first);
});

it('the least recently used ones are forgotten first', () => {
  const compiled = new Compiled();
  const [first, second] = [compiled.get(...named('first')), compiled.get(...named('second'))];
  for (let i = 2; i < TEMPLATE_LIMITS.compiled.value; i++) compiled.get(...named(String(i)));
  expect(compiled.get(...named('first'))).toBe(first);
  compiled.get(...named('one more'));
  expect(compiled.get(...named('first'))).toBe(first);
  expect(compiled.get(...named('second'))).not.toBe(second);
});

it('long ones are forgotten sooner', () => {
  const compiled = new Compiled();
  const long = 'x'.repeat(TEMPLATE_LIMITS.compiledSize.value / 4);
  const first = compiled.get(...named('first', long));
  const second = compiled.get(...named('second', long));
  for (const name of ['third', 'fourth']) compiled.get(...named(name, long));
  expect(compiled.get(...named('first', long))).toBe(first);
  compiled.get(...named('fifth', long));
  expect(compiled.get(...named('first', long))).toBe(first);
  expect(compiled.get(...named('second', long))).not.toBe(second);
});

it('counts the time of templates by the given clock', () => {
  let now = 0;
  const template = new Compiled(() => (now += 100)).get('a', {
    name: 'a',
    text: '{{ range 100000000 }}{{ end }}',
  });
  expect(() => template.execute()).toThrow('exceeded the time limit (1000 ms)');
});
