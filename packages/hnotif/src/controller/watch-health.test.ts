import { expect, it } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import type { NamespaceScope } from '@hnotif/core/resources';
import type { Cause } from '@hnotif/core/sinks';
import { WatchHealth } from './watch-health.ts';

const trouble = (message: string): Cause => ({ reason: 'PlansNotFollowed', message });

it('shows what fails in two checks, until it works again; nothing while the API server is away', async () => {
  const clock = new ManualClock();
  const told: (string | undefined)[] = [];
  const watches = { failing: new Map<NamespaceScope, Cause>([[undefined, trouble('not served')]]) };
  const outage = { isAway: false };
  const health = new WatchHealth({ clock, watches, outage });
  health.start((scope) => told.push(health.problemIn(scope ?? 'any')?.message));
  await clock.advance(5_000);
  expect(told).toEqual([]);
  await clock.advance(5_000);
  expect(told).toEqual(['not served']);
  outage.isAway = true;
  await clock.advance(5_000);
  expect(told.at(-1)).toBeUndefined();
  outage.isAway = false;
  watches.failing.clear();
  await clock.advance(10_000);
  expect(told.filter((words) => words !== undefined)).toHaveLength(1);
  health.close();
  expect(clock.timers).toBe(0);
});

it('shows what fails in two checks with different words', async () => {
  const clock = new ManualClock();
  const told: (string | undefined)[] = [];
  const watches = { failing: new Map<NamespaceScope, Cause>([[undefined, trouble('leader changed')]]) };
  const health = new WatchHealth({ clock, watches, outage: { isAway: false } });
  health.start((scope) => told.push(health.problemIn(scope ?? 'any')?.message));
  await clock.advance(5_000);
  watches.failing = new Map([[undefined, trouble('request timed out')]]);
  await clock.advance(5_000);
  expect(told).toEqual(['request timed out']);
  health.close();
});

it('tells of a namespace alone, and when that one is served again', async () => {
  const clock = new ManualClock();
  const told: [NamespaceScope, string | undefined][] = [];
  const watches = { failing: new Map<NamespaceScope, Cause>([['b', trouble('forbidden')]]) };
  const health = new WatchHealth({ clock, watches, outage: { isAway: false } });
  health.start((scope) => told.push([scope, health.problemIn(scope ?? 'any')?.reason]));
  await clock.advance(10_000);
  expect(told).toEqual([['b', 'PlansNotFollowed']]);
  watches.failing = new Map([['c', trouble('forbidden')]]);
  await clock.advance(5_000);
  expect(told.slice(1)).toEqual([['b', undefined]]);
  await clock.advance(5_000);
  expect(told.slice(2)).toEqual([['c', 'PlansNotFollowed']]);
  health.close();
});
