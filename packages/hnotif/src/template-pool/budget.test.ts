import { expect, it } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { Budget } from './budget.ts';

const template = (name: string, namespace = 'a') => ({ name: `texts/${name}`, namespace, text: name });

function world() {
  const clock = new ManualClock();
  const budget = new Budget(clock);
  return {
    clock,
    charge: (name: string, ms: number, isWasted = false) => {
      budget.charge(template(name), ms, isWasted);
    },
    mayRun: (name: string, namespace?: string) => budget.refusal(template(name, namespace)) === undefined,
    refusal: (name: string) => budget.refusal(template(name)),
  };
}

it('one template may use half of the budget, and the others of its namespace still run', () => {
  const { charge, mayRun, refusal } = world();
  charge('slow', 9_999);
  charge('quick', 1);
  expect(mayRun('slow')).toBe(true);
  charge('slow', 1);
  expect(mayRun('slow')).toBe(false);
  expect(mayRun('quick')).toBe(true);
  expect(mayRun('new')).toBe(true);
  expect(refusal('slow')).toBe(
    ' was not run: the templates of its namespace have 20 s of worker time in a minute, and it has used 10 s of them (a run that meets a limit counts 5 times); make it do less, or send fewer messages with it',
  );
});

it('when the budget is used up, no template of the namespace runs; those of other namespaces do', () => {
  const { charge, mayRun, refusal } = world();
  for (let each = 0; each < 20; each++) {
    expect(mayRun(`t${each}`)).toBe(true);
    charge(`t${each}`, each === 7 ? 1_500 : 980);
  }
  expect(mayRun('new')).toBe(false);
  expect(mayRun('new', 'b')).toBe(true);
  expect(refusal('new')).toContain('they have used 20 s, most of them texts/t7 (2 s)');
  expect(refusal('new')).toContain('make that template do less');
});

it('used time counts for a minute', async () => {
  const { clock, charge, mayRun } = world();
  charge('slow', 6_000);
  await clock.advance(30_000);
  charge('slow', 4_000);
  expect(mayRun('slow')).toBe(false);
  await clock.advance(30_999);
  expect(mayRun('slow')).toBe(false);
  await clock.advance(1);
  expect(mayRun('slow')).toBe(true);
  charge('slow', 6_000);
  expect(mayRun('slow')).toBe(false);
});

it('a run that meets a limit counts five times', () => {
  const { charge, mayRun } = world();
  charge('endless', 1_000, true);
  expect(mayRun('endless')).toBe(true);
  charge('endless', 1_000, true);
  expect(mayRun('endless')).toBe(false);
});

it('fractions of milliseconds are given back as they were taken', async () => {
  const { clock, charge, mayRun } = world();
  for (let run = 0; run < 3_000; run++) charge('small', 0.1 + run / 1e7);
  expect(mayRun('small')).toBe(true);
  await clock.advance(61_000);
  for (let run = 0; run < 10; run++) charge('small', 999.9);
  expect(mayRun('small')).toBe(true);
  charge('small', 1);
  expect(mayRun('small')).toBe(false);
});
