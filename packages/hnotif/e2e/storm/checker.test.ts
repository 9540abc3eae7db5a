import { expect, test } from 'vitest';
import { Checker, type Seen } from './checker.ts';

const thing = (resourceVersion: string, value = '', uid = 'u1', name = 'a'): Seen => ({
  namespace: 'ns',
  name,
  uid,
  resourceVersion,
  value,
});

/** What is wrong with these calls, and with the view that they make. */
function violationsOf(tell: (checker: Checker) => void, server: readonly Seen[]): readonly string[] {
  const checker = new Checker();
  tell(checker);
  checker.compare('the server', server);
  return checker.violations;
}

test('a whole life, a second one under the same name, and another object: nothing is wrong', () => {
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
    'a change that was never told',
    'the server has ns/a u1@2 "", but told was ns/a u1@1 ""',
    (checker) => {
      checker.changed(thing('1'), undefined);
    },
    [thing('2')],
  ],
  [
    'contents that are not those of the version',
    'the server has ns/a u1@1 "new", but told was ns/a u1@1 "old"',
    (checker) => {
      checker.changed(thing('1', 'old'), undefined);
    },
    [thing('1', 'new')],
  ],
  [
    'an object that was never told',
    'the server has ns/a u1@1 "", which was not told',
    () => {},
    [thing('1')],
  ],
  [
    'a deletion that was never told',
    'the server has no ns/a, but told was ns/a u1@1 ""',
    (checker) => {
      checker.changed(thing('1'), undefined);
    },
    [],
  ],
  [
    'a step that was left out of previous',
    'previous is ns/a u1@1 "", not what was told last: ns/a u1@2 ""',
    (checker) => {
      checker.changed(thing('1'), undefined);
      checker.changed(thing('2'), thing('1'));
      checker.changed(thing('3'), thing('1'));
    },
    [thing('3')],
  ],
  [
    'a known object told as new',
    'previous is nothing, not what was told last: ns/a u1@1 ""',
    (checker) => {
      checker.changed(thing('1'), undefined);
      checker.changed(thing('2'), undefined);
    },
    [thing('2')],
  ],
  [
    'a new object told as known',
    'a previous state of what is not known: ns/a u1@2 ""',
    (checker) => {
      checker.changed(thing('2'), thing('1'));
    },
    [thing('2')],
  ],
  [
    'another object under the same name told as an update',
    'took the place of u1 without its deletion: ns/a u2@2 ""',
    (checker) => {
      checker.changed(thing('1'), undefined);
      checker.changed(thing('2', '', 'u2'), thing('1'));
    },
    [thing('2', '', 'u2')],
  ],
  [
    'a deletion of what is not known',
    'deleted, but not known: ns/a u1@1 ""',
    (checker) => {
      checker.deleted(thing('1'));
    },
    [],
  ],
  [
    'a deletion told twice',
    'deleted, but not known: ns/a u1@1 ""',
    (checker) => {
      checker.changed(thing('1'), undefined);
      checker.deleted(thing('1'));
      checker.deleted(thing('1'));
    },
    [],
  ],
  [
    'a deletion in a state that was not told',
    'deleted as ns/a u1@2 "", but told last as ns/a u1@1 ""',
    (checker) => {
      checker.changed(thing('1'), undefined);
      checker.deleted(thing('2'));
    },
    [],
  ],
  [
    'an object that comes again after its deletion',
    'told after its deletion: ns/a u1@2 ""',
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
    'a change told twice',
    'ns/a u1@1 "" is not newer than 1',
    (checker) => {
      checker.changed(thing('1'), undefined);
      checker.changed(thing('1'), thing('1'));
    },
    [thing('1')],
  ],
  [
    'a second synced',
    'synced is told more than once',
    (checker) => {
      checker.synced();
      checker.synced();
    },
    [],
  ],
])('it notices %s', (_, violation, tell, server) => {
  expect(violationsOf(tell, server)).toEqual([violation]);
});

test('it notices a state that nobody wrote', () => {
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

test('it names the first violations and counts the others', () => {
  const violations = violationsOf((checker) => {
    for (let at = 0; at < 25; at++) checker.violation(`wrong ${at}`);
  }, []);
  expect(violations).toHaveLength(21);
  expect(violations.at(-1)).toBe('… and 5 more');
});
