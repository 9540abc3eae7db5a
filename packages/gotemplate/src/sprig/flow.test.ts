import { expect, test } from 'vitest';
import { parse } from '../template.ts';
import { flow } from './flow.ts';

test('fail stops the template with the given message', () => {
  const message = 'template: t:1:8: executing "t" at <fail "stop">: error calling fail: stop';
  expect(() => parse('t', 'before{{fail "stop"}}', { funcs: flow }).execute()).toThrow(message);
});

test('hello', () => {
  expect(parse('t', '{{hello}}', { funcs: flow }).execute()).toBe('Hello!');
});
