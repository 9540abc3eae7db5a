import { expect, it } from 'vitest';
import { Incidents } from './incidents.ts';

const to = { namespace: 'team-a', notification: 'n', sink: 's' };
const other = { ...to, sink: 'other' };

it('an incident is over when a message has arrived and nothing waits, in either order, once', () => {
  const incidents = new Incidents();
  incidents.opened(to, { waiting: 3, since: 10 });
  expect(incidents.arrived(to)).toBeUndefined();
  expect(incidents.arrived(other)).toBeUndefined();
  expect(incidents.resumed(to)).toMatchObject({ waiting: 3, since: 10 });
  expect(incidents.resumed(to)).toBeUndefined();

  incidents.opened(to, { waiting: 3, since: 10 });
  // What waited has expired.
  expect(incidents.resumed(to)).toBeUndefined();
  expect(incidents.arrived(to)).toMatchObject({ waiting: 3 });
  expect(incidents.arrived(to)).toBeUndefined();
});

it('Warnings that follow each other belong to one incident, with the largest number of waiting deliveries', () => {
  const incidents = new Incidents();
  incidents.opened(to, { waiting: 3, since: 10 });
  incidents.arrived(to);
  incidents.opened(to, { waiting: 9, since: 20 });
  incidents.waits(to, { waiting: 5, since: 30 });
  expect(incidents.resumed(to)).toBeUndefined();
  incidents.waits(to, { waiting: 5, since: 30 });
  expect(incidents.arrived(to)).toBeUndefined();
  expect(incidents.released(to)).toMatchObject({ waiting: 9, since: 10 });
});

it('without a Warning there is no incident, nor for a deleted sink', () => {
  const incidents = new Incidents();
  incidents.waits(to, { waiting: 3, since: 10 });
  expect([incidents.arrived(to), incidents.resumed(to), incidents.released(to)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  incidents.opened(to, { waiting: 3, since: 10 });
  incidents.forget(to);
  expect(incidents.released(to)).toBeUndefined();
});
