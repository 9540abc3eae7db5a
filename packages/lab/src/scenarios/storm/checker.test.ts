import { expect, test } from 'vitest';
import { Checker, type Seen } from './checker.ts';

/** `u1@2x`: the object `a` with the uid u1 in its version 2, with the value x. `u3@1:b`: one named b. */
function seen(text: string): Seen {
  const [, uid = '', resourceVersion = '', value = '', name = 'a'] =
    /^(\w+)@(\d+)(\w*)(?::(\w+))?$/.exec(text) ?? [];
  return { namespace: 'ns', name, uid, resourceVersion, value };
}

/** The violations of these calls (`+` a change, with `<` its state before; `-` a deletion; `synced`), and of the resulting view. */
function violationsOf(calls: string, server: string): readonly string[] {
  const checker = new Checker();
  for (const call of calls.split(' ').filter((each) => each !== '')) {
    const [after = '', before] = call.slice(1).split('<');
    if (call === 'synced') checker.synced();
    else if (call.startsWith('-')) checker.deleted(seen(after));
    else checker.changed(seen(after), before === undefined ? undefined : seen(before));
  }
  checker.compare('the server', server === '' ? [] : server.split(' ').map(seen));
  return checker.violations;
}

test.each([
  [
    'nothing in a whole life, a second one with the same name, and another object',
    '',
    '+u1@1 synced +u1@9<u1@1 +u1@10x<u1@9 -u1@10x +u2@12 +u3@11:b',
    'u3@11:b u2@12',
  ],
  [
    'a change that was never reported',
    'the server has ns/a u1@2 "", but reported was ns/a u1@1 ""',
    '+u1@1',
    'u1@2',
  ],
  [
    'the contents of another version',
    'the server has ns/a u1@1 "new", but reported was ns/a u1@1 "old"',
    '+u1@1old',
    'u1@1new',
  ],
  ['an object that was never reported', 'the server has ns/a u1@1 "", which was not reported', '', 'u1@1'],
  [
    'a deletion that was never reported',
    'the server has no ns/a, but reported was ns/a u1@1 ""',
    '+u1@1',
    '',
  ],
  [
    'a `previous` that is not the last state',
    'previous is ns/a u1@1 "", not the last reported state: ns/a u1@2 ""',
    '+u1@1 +u1@2<u1@1 +u1@3<u1@1',
    'u1@3',
  ],
  [
    'a known object reported as new',
    'previous is nothing, not the last reported state: ns/a u1@1 ""',
    '+u1@1 +u1@2',
    'u1@2',
  ],
  [
    'a new object reported as known',
    'a previous state of an unknown object: ns/a u1@2 ""',
    '+u1@2<u1@1',
    'u1@2',
  ],
  [
    'another object with the same name reported as an update',
    'replaced u1 without its deletion: ns/a u2@2 ""',
    '+u1@1 +u2@2<u1@1',
    'u2@2',
  ],
  ['a deletion of an unknown object', 'deleted, but not known: ns/a u1@1 ""', '-u1@1', ''],
  ['a deletion reported twice', 'deleted, but not known: ns/a u1@1 ""', '+u1@1 -u1@1 -u1@1', ''],
  [
    'a deletion in a state that was not reported',
    'deleted as ns/a u1@2 "", but last reported as ns/a u1@1 ""',
    '+u1@1 -u1@2',
    '',
  ],
  [
    'an object that is reported after its deletion',
    'reported after its deletion: ns/a u1@2 ""',
    '+u1@1 -u1@1 +u1@2',
    'u1@2',
  ],
  ['a version that goes back', 'ns/a u1@9 "" is not newer than 10', '+u1@10 +u1@9<u1@10', 'u1@9'],
  ['a change reported twice', 'ns/a u1@1 "" is not newer than 1', '+u1@1 +u1@1<u1@1', 'u1@1'],
  ['a second synced', 'synced was called more than once', 'synced synced', ''],
])('reports %s', (_, violation, calls, server) => {
  expect(violationsOf(calls, server)).toEqual(violation === '' ? [] : [violation]);
});

test('reports a state that was not written', () => {
  const checker = new Checker();
  for (const written of ['u1@1x', 'u1@2y', 'u1@3whole']) checker.wrote(seen(written));
  checker.changed(seen('u1@1x'), undefined);
  checker.changed(seen('u1@2y'), seen('u1@1x'));
  checker.changed(seen('u1@3garbled'), seen('u1@2y'));
  checker.settle();
  expect(checker.violations).toEqual(['never written: ns/a u1@3 "garbled"']);
});

test('an object waits until its last state is reported, whichever comes first', () => {
  const checker = new Checker();
  checker.wrote(seen('u1@1'));
  checker.wrote(seen('u1@2'));
  checker.changed(seen('u1@1'), undefined);
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

test('names the first violations and counts the others', () => {
  const checker = new Checker();
  for (let at = 0; at < 25; at++) checker.violation(`wrong ${at}`);
  expect(checker.violations).toHaveLength(21);
  expect(checker.violations.at(-1)).toBe('… and 5 more');
});
