import { describe, expect, it, test } from 'vitest';
import { render } from '../testing/sprig.ts';
import { appended, grown } from './capacity.ts';
import { ANY, INT, STRING } from './type.ts';

describe('the capacity of a list', () => {
  // As Go 1.26 gives it to a list of interfaces that grows one by one.
  test.each([
    [0, 0],
    [1, 1],
    [3, 4],
    [5, 8],
    [17, 32],
    [33, 71],
    [72, 143],
    [144, 303],
    [304, 591],
    [592, 1023],
    [1024, 1535],
    [1536, 2560],
    [18_433, 23_552],
  ])('of %i interfaces is %i', (length, capacity) => {
    expect(appended(length, ANY)).toBe(capacity);
  });

  test.each([
    [5, 8],
    [9, 16],
    [65, 128],
    [129, 256],
    [257, 512],
    [513, 848],
    [849, 1280],
  ])('of %i ints is %i: no header, since they have no pointers', (length, capacity) => {
    expect(appended(length, INT)).toBe(capacity);
  });

  it('is what is needed if that is more than twice the old one, rounded up to a size class', () => {
    expect([grown(1, 4, STRING), grown(3, 9, STRING), grown(10, 10, STRING)]).toEqual([4, 9, 10]);
    expect(grown(2, 7, INT)).toBe(8);
  });
});

// Go's own results: the functions of sprig append, make room, or cut a list.
test.each([
  ['{{ slice (until 5) 0 8 | toJson }}', '[0,1,2,3,4,0,0,0]'],
  ['{{ slice (append (list 1 2 3) 4) 0 6 | toJson }}', '[1,2,3,4,null,null]'],
  ['{{ slice (regexFindAll "[a-z]" "ab1c" -1) 1 10 | toJson }}', '["b","c","","","","","","",""]'],
  ['{{ slice (prepend (list 1 2 3) 4) 0 4 | toJson }}', '[4,1,2,3]'],
  ['{{ slice (list 1 2 3) 0 3 | toJson }}', '[1,2,3]'],
  ['{{ slice (values (dict "a" 1 "b" 2 "c" 3)) 3 4 | toJson }}', '[null]'],
  ['{{ slice (regexSplit "a" "1a2a3" -1) 2 2 | toJson }}', '[]'],
])('%s is %s', (template, output) => {
  expect(render(template)).toBe(output);
});

test('a list has no more room than its capacity', () => {
  expect(render('{{ slice (until 5) 0 9 }}')).toContain('slice index out of bounds');
  expect(render('{{ slice (list 1 2 3) 0 4 }}')).toContain('slice index out of bounds');
});
