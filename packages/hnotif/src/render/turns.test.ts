import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

function taken(turns: Turns<string>): string[] {
  const items: string[] = [];
  for (let item = turns.take(); item !== undefined; item = turns.take()) items.push(item);
  return items;
}

it('keys take turns, and within one it is first come, first served', () => {
  const turns = new Turns<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) turns.add(item.charAt(0), item);
  expect(taken(turns)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect(turns.take()).toBeUndefined();
});

it('a key that comes back waits behind the others', () => {
  const turns = new Turns<string>();
  turns.add('a', 'a1');
  turns.add('b', 'b1');
  expect(turns.take()).toBe('a1');
  turns.add('a', 'a2');
  expect(taken(turns)).toEqual(['b1', 'a2']);
});

it('what is deleted is gone, and its key with the last of it', () => {
  const turns = new Turns<string>();
  for (const item of ['a1', 'a2', 'b1']) turns.add(item.charAt(0), item);
  turns.delete('a', 'a1');
  turns.delete('b', 'b1');
  turns.delete('c', 'c1');
  expect(taken(turns)).toEqual(['a2']);
});
