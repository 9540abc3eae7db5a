import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { EXIT } from './exit.ts';
import { Lifetime } from './lifetime.ts';

const DAY_MS = 24 * 3_600_000;

it('after an internal error the drain has its whole time, also one of a month', async () => {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const clock = new ManualClock();
  const lifetime = new Lifetime(pino({ level: 'silent' }), 30 * DAY_MS, clock);
  onTestFinished(() => {
    lifetime.close();
    exit.mockRestore();
  });
  process.listeners('uncaughtException').at(-1)?.(new Error('a fault'), 'uncaughtException');
  await lifetime.ending;
  await clock.advance(30 * DAY_MS);
  expect(exit).not.toHaveBeenCalled();
  await clock.advance(15_000);
  expect(exit.mock.calls).toEqual([[EXIT.failed]]);
});
