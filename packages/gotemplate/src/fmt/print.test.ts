import { expect, it } from 'vitest';
import { contextOf } from '../testing/context.ts';
import { c, f32, i32, u8 } from '../testing/values.ts';
import { sprint, sprintln } from './print.ts';

it('print and println put spaces between numbers, as Go prints them', () => {
  const operands = [u8, i32, f32(0.1), c(1, 2)];
  expect(sprint(contextOf(), operands)).toBe('7 7 0.1 (1+2i)');
  expect(sprintln(contextOf(), operands)).toBe('7 7 0.1 (1+2i)\n');
});
