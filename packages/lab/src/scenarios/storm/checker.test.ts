import { expect, test } from 'vitest';
import { Checker, type Seen } from './checker.ts';

/** `u1@2x`: the object `a` with the uid u1 in its version 2, with the value x. `u3@1:b`: one named b. */
function seen(text: string): Seen {
  const [, uid = '', resourceVersion = '', value = '', name = 'a'] =
    /^(\w+)@(\d+)(\w*)(?::(\w+))?$/.exec(text) ?? [];
  return { namespace: 'ns', name, uid, resourceVersion, value };
}

/** These writes (`x`: `a` is deleted), and then these calls (`+` a change, with `<` its state before; `-` a deletion; `synced`). */
function told(writes: string, calls: string): Checker {
  const checker = new Checker();
  for (const write of writes.split(' '))
    if (write === 'x') checker.removed('ns/a');
    else checker.wrote(seen(write));
  for (const call of calls.split(' ').filter((each) => each !== '')) {
    const [after = '', before] = call.slice(1).split('<');
    if (call === 'synced') checker.synced();
    else if (call.startsWith('-')) checker.deleted(seen(after));
    else checker.changed(seen(after), before === undefined ? undefined : seen(before));
  }
  return checker;
}

const LIFE = 'u1@1 u1@2 u1@9 u1@10x x u2@12 u3@11:b';

test.each([
  [
    'a whole life, a second one with the same name, and another object',
    LIFE,
    '+u1@1 synced +u1@9<u1@1 +u1@10x<u1@9 -u1@10x +u2@12 +u3@11:b',
  ],
  ['a change that no other one follows later', 'u1@1 u1@2', '+u1@2'],
])('accepts %s', (_, writes, calls) => {
  const checker = told(writes, calls);
  checker.check();
  checker.check();
  expect([checker.waiting, checker.violations]).toEqual([0, []]);
});

test.each([
  [
    'a `previous` that is not the last state',
    'u1@1 u1@2 u1@3',
    '+u1@1 +u1@2<u1@1 +u1@3<u1@1',
    /after u1@1 "", but before it was u1@2/,
  ],
  ['a known object reported as new', 'u1@1 u1@2', '+u1@1 +u1@2', /after nothing, but before it was u1@1/],
  ['a new object reported as known', 'u1@1 u1@2', '+u1@2<u1@1', /after u1@1 "", but before it was nothing/],
  [
    'another object with the same name reported as an update',
    'u1@1 x u2@2',
    '+u1@1 +u2@2<u1@1',
    /ns\/a replaced u1 without its deletion/,
  ],
  [
    'a deletion of an unknown object',
    'u1@1 x',
    '-u1@1',
    /as nothing after u1@1 "", but before it was nothing/,
  ],
  ['a deletion reported twice', 'u1@1 x', '+u1@1 -u1@1 -u1@1', /but before it was nothing/],
  [
    'a deletion in a state that was not reported',
    'u1@1 u1@2 x',
    '+u1@1 -u1@2',
    /after u1@2 "", but before it was u1@1/,
  ],
  [
    'an object that is reported after its deletion',
    'u1@1 u1@2 x',
    '+u1@1 -u1@1 +u1@2',
    /reported nothing, u1@1 "", nothing, u1@2/,
  ],
  ['a version that goes back', 'u1@9 u1@10', '+u1@10 +u1@9<u1@10', /reported nothing, u1@10 "", u1@9/],
  ['a change reported twice', 'u1@1', '+u1@1 +u1@1<u1@1', /reported nothing, u1@1 "", u1@1/],
  [
    'a state that was not written',
    'u1@1x u1@2whole',
    '+u1@1x +u1@2garbled<u1@1x',
    /u1@2 "garbled"; written .*"whole"/,
  ],
  ['a second synced', 'u1@1', 'synced +u1@1 synced', /synced was called more than once/],
])('reports %s', (_, writes, calls, violation) => {
  const checker = told(writes, calls);
  checker.check();
  expect(checker.violations).toContainEqual(expect.stringMatching(violation));
});

test.each([
  [
    'a change that was never reported',
    '+u1@1',
    ['u1@2'],
    'the server has u1@2 "" as ns/a, but reported was u1@1 ""',
  ],
  [
    'the contents of another version',
    '+u1@1old',
    ['u1@1new'],
    'the server has u1@1 "new" as ns/a, but reported was u1@1 "old"',
  ],
  [
    'an object that was never reported',
    '',
    ['u1@1'],
    'the server has u1@1 "" as ns/a, but reported was nothing',
  ],
  [
    'a deletion that was never reported',
    '+u1@1',
    [],
    'the server has nothing as ns/a, but reported was u1@1 ""',
  ],
])('finds %s', (_, calls, server, violation) => {
  const checker = told('u1@1', calls);
  checker.compare('the server', server.map(seen));
  expect(checker.violations).toEqual([violation]);
});

test('an object waits until its last state is reported, whichever comes first', () => {
  const checker = told('u1@1 u1@2', '+u1@1');
  expect(checker.waiting).toBe(1);
  checker.changed(seen('u1@2'), seen('u1@1'));
  expect(checker.waiting).toBe(0);
  checker.changed(seen('u1@3'), seen('u1@2'));
  checker.wrote(seen('u1@3'));
  expect(checker.waiting).toBe(0);
  checker.removed('ns/a');
  expect(checker.waiting).toBe(1);
  checker.deleted(seen('u1@3'));
  // It was never reported.
  checker.wrote(seen('u2@4:b'));
  checker.removed('ns/b');
  expect([checker.waiting, checker.violations]).toEqual([0, []]);
});
