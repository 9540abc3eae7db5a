import { expect, test } from 'vitest';
import { Checker, type Seen } from './checker.ts';

const thing = (resourceVersion: string, value = '', uid = 'u1', name = 'a'): Seen => ({
  namespace: 'ns',
  name,
  uid,
  resourceVersion,
  value,
});

/** The violations of these calls, and of the resulting view. */
function violationsOf(call: (checker: Checker) => void, server: readonly Seen[]): readonly string[] {
  const checker = new Checker();
  call(checker);
  checker.compare('the server', server);
  return checker.violations;
}

test('accepts a whole life, a second one with the same name, and another object', () => {
  const violations = violationsOf(
    (checker) => {
      checker.changed(thing('1'), undefined);
      checker.synced();
      checker.changed(thing('9'), thing('1'));
      checker.changed(thing('10', 'x'), thing('9'));
      checker.deleted(thing('10', 'x'));
      checker.changed(thing('12', '', 'u2'), undefined);
      checker.changed(thing('11', '', 'u3', 'b'), undefined);
    },
    [thing('11', '', 'u3', 'b'), thing('12', '', 'u2')],
  );
  expect(violations).toEqual([]);
});

test.each<[string, string, (checker: Checker) => void, Seen[]]>([
  [
    'a change that was never reported',
    'the server has ns/a u1@2 "", but reported was ns/a u1@1 ""',
    (checker) => {
      checker.changed(thing('1'), undefined);
    },
    [thing('2')],
  ],
  [
    'the contents of another version',
    'the server has ns/a u1@1 "new", but reported was ns/a u1@1 "old"',
    (checker) => {
      checker.changed(thing('1', 'old'), undefined);
    },
    [thing('1', 'new')],
  ],
  [
    'an object that was never reported',
    'the server has ns/a u1@1 "", which was not reported',
    () => {},
    [thing('1')],
  ],
  [
    'a deletion that was never reported',
    'the server has no ns/a, but reported was ns/a u1@1 ""',
    (checker) => {
      checker.changed(thing('1'), undefined);
    },
    [],
  ],
  [
    'a `previous` that is not the last state',
    'previous is ns/a u1@1 "", not the last reported state: ns/a u1@2 ""',
    (checker) => {
      checker.changed(thing('1'), undefined);
      checker.changed(thing('2'), thing('1'));
      checker.changed(thing('3'), thing('1'));
    },
    [thing('3')],
  ],
  [
    'a known object reported as new',
    'previous is nothing, not the last reported state: ns/a u1@1 ""',
    (checker) => {
      checker.changed(thing('1'), undefined);
      checker.changed(thing('2'), undefined);
    },
    [thing('2')],
  ],
  [
    'a new object reported as known',
    'a previous state of an unknown object: ns/a u1@2 ""',
    (checker) => {
      checker.changed(thing('2'), thing('1'));
    },
    [thing('2')],
  ],
  [
    'another object with the same name reported as an update',
    'replaced u1 without its deletion: ns/a u2@2 ""',
    (checker) => {
      checker.changed(thing('1'), undefined);
      checker.changed(thing('2', '', 'u2'), thing('1'));
    },
    [thing('2', '', 'u2')],
  ],
  [
    'a deletion of an unknown object',
    'deleted, but not known: ns/a u1@1 ""',
    (checker) => {
      checker.deleted(thing('1'));
    },
    [],
  ],
  [
    'a deletion reported twice',
    'deleted, but not known: ns/a u1@1 ""',
    (checker) => {
      checker.changed(thing('1'), undefined);
      checker.deleted(thing('1'));
      checker.deleted(thing('1'));
    },
    [],
  ],
  [
    'a deletion in a state that was not reported',
    'deleted as ns/a u1@2 "", but last reported as ns/a u1@1 ""',
    (checker) => {
      checker.changed(thing('1'), undefined);
      checker.deleted(thing('2'));
    },
    [],
  ],
  [
    'an object that is reported after its deletion',
    'reported after its deletion: ns/a u1@2 ""',
    (checker) => {
      checker.changed(thing('1'), undefined);
      checker.deleted(thing('1'));
      checker.changed(thing('2'), undefined);
    },
    [thing('2')],
  ],
  [
    'a version that goes back',
    'ns/a u1@9 "" is not newer than 10',
    (checker) => {
      checker.changed(thing('10'), undefined);
      checker.changed(thing('9'), thing('10'));
    },
    [thing('9')],
  ],
  [
    'a change reported twice',
    'ns/a u1@1 "" is not newer than 1',
    (checker) => {
      checker.changed(thing('1'), undefined);
      checker.changed(thing('1'), thing('1'));
    },
    [thing('1')],
  ],
  [
    'a second synced',
    'synced was called more than once',
    (checker) => {
      checker.synced();
      checker.synced();
    },
    [],
  ],
])('reports %s', (_, violation, call, server) => {
  expect(violationsOf(call, server)).toEqual([violation]);
});

test('reports a state that was not written', () => {
  const checker = new Checker();
  checker.wrote(thing('1', 'x'));
  checker.changed(thing('1', 'x'), undefined);
  checker.changed(thing('2', 'y'), thing('1', 'x'));
  checker.wrote(thing('2', 'y'));
  checker.changed(thing('3', 'garbled'), thing('2', 'y'));
  checker.wrote(thing('3', 'whole'));
  checker.settle();
  expect(checker.violations).toEqual(['never written: ns/a u1@3 "garbled"']);
});

test('names the first violations and counts the others', () => {
  const violations = violationsOf((checker) => {
    for (let at = 0; at < 25; at++) checker.violation(`wrong ${at}`);
  }, []);
  expect(violations).toHaveLength(21);
  expect(violations.at(-1)).toBe('… and 5 more');
});
