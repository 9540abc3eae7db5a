import { expect, it } from 'vitest';
import { Incidents } from './incidents.ts';

const to = { namespace: 'team-a', notification: 'n', sink: 's' };
const other = { ...to, sink: 'other' };

it('a trouble is over when something has arrived and nothing waits, in either order, and once', () => {
  const troubles = new Incidents();
  troubles.opened(to, { waiting: 3, since: 10 });
  expect(troubles.arrived(to)).toBeUndefined();
  expect(troubles.arrived(other)).toBeUndefined();
  expect(troubles.flows(to)).toMatchObject({ waiting: 3, since: 10 });
  expect(troubles.flows(to)).toBeUndefined();

  troubles.opened(to, { waiting: 3, since: 10 });
  // What waited has expired.
  expect(troubles.flows(to)).toBeUndefined();
  expect(troubles.arrived(to)).toMatchObject({ waiting: 3 });
  expect(troubles.arrived(to)).toBeUndefined();
});

it('Warnings that follow each other belong to one trouble, with the most that waited', () => {
  const troubles = new Incidents();
  troubles.opened(to, { waiting: 3, since: 10 });
  troubles.arrived(to);
  troubles.opened(to, { waiting: 9, since: 20 });
  troubles.waits(to, { waiting: 5, since: 30 });
  expect(troubles.flows(to)).toBeUndefined();
  troubles.waits(to, { waiting: 5, since: 30 });
  expect(troubles.arrived(to)).toBeUndefined();
  expect(troubles.released(to)).toMatchObject({ waiting: 9, since: 10 });
});

it('of what no Warning has told there is no end, nor of a sink that is gone', () => {
  const troubles = new Incidents();
  troubles.waits(to, { waiting: 3, since: 10 });
  expect([troubles.arrived(to), troubles.flows(to), troubles.released(to)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  troubles.opened(to, { waiting: 3, since: 10 });
  troubles.forget(to);
  expect(troubles.released(to)).toBeUndefined();
});
