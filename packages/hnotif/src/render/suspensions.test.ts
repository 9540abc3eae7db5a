import { expect, it } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
import { Suspensions } from './suspensions.ts';

function world() {
  const clock = new ManualClock();
  return { clock, suspensions: new Suspensions(clock) };
}

it('two strikes within a minute suspend for five', async () => {
  const { clock, suspensions } = world();
  suspensions.strike('a');
  expect(suspensions.left('a')).toBe(0);
  await clock.advance(59_999);
  suspensions.strike('a');
  expect(suspensions.left('a')).toBe(300_000);
  expect(suspensions.left('b')).toBe(0);
  await clock.advance(299_999);
  expect(suspensions.left('a')).toBe(1);
  await clock.advance(1);
  expect(suspensions.left('a')).toBe(0);
});

it('strikes a minute apart do not', async () => {
  const { clock, suspensions } = world();
  for (let strike = 0; strike < 4; strike++) {
    suspensions.strike('a');
    expect(suspensions.left('a')).toBe(0);
    await clock.advance(60_000);
  }
});

it('after a suspension the count begins anew', async () => {
  const { clock, suspensions } = world();
  suspensions.strike('a');
  suspensions.strike('a');
  await clock.advance(300_000);
  suspensions.strike('a');
  expect(suspensions.left('a')).toBe(0);
  suspensions.strike('a');
  expect(suspensions.left('a')).toBe(300_000);
});

it('a strike of one template leaves the suspension of another', async () => {
  const { clock, suspensions } = world();
  suspensions.strike('a');
  suspensions.strike('a');
  await clock.advance(120_000);
  suspensions.strike('b');
  expect(suspensions.left('a')).toBe(180_000);
});
